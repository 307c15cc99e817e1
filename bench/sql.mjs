// npm run bench -- sql [--rows 20000000] [--rounds 9] [--threads N] [--memory 6e9] [--data DIR] [--only PREFIX] [--growth] [--huge]
// What privacy costs the database: Lethe's compiled SQL against the plain query that an analyst would otherwise run on
// the raw table, same process, same settings, taken in turns. A figure's value is the median of the rounds' ratios, its
// peer the median milliseconds of the plain query. Both sides are warm. Where each row is a unit, their answers are checked
// to agree; where a user owns many rows, Lethe bounds each user (k = 5 groups, r = 3 rows) and the plain query does not:
// `unindexed` bounds groups after the filter, `indexed` rows before it with an index, whose answer is checked against the
// one without. `vs-count-distinct` is the first over plain SQL that counts the distinct users of each group.
// --growth: the same on a quarter of the rows, as time a row over time a row. --huge: 100 M rows.
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { buildIndex, importTable, openDuckDb, readManifest } from "@lethe/engine-duckdb";
import {
  bindQuestion,
  compilePlan,
  dialects,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
} from "@lethe/query";
import { figure, median } from "./figure.mjs";
import { defaultData, generate } from "./generate.mjs";

const rowsPerUser = 20;
const grouped = (key, aggregate) => `SELECT ${key}, ${aggregate} FROM events GROUP BY ${key}`;

/** Figure → how the data lies, and the question, which is also the plain query. */
const questions = {
  "sql.row-unit": ["snapshot", grouped("grp", "AVG(value)")],
  "sql.row-unit.text-key": ["snapshot", grouped("sector", "AVG(value)")],
  "sql.row-unit.whole": ["snapshot", "SELECT AVG(value) FROM events"],
  "sql.row-unit.raw": ["raw", grouped("grp", "AVG(value)")],
  "sql.row-unit.raw.whole": ["raw", "SELECT AVG(value) FROM events"],
  "sql.row-unit.count": ["snapshot", grouped("grp", "COUNT(*)")],
  "sql.row-unit.count.whole": ["snapshot", "SELECT COUNT(*) FROM events"],
  "sql.user-unit.unindexed": ["by-user", grouped("grp", "AVG(value)")],
  "sql.user-unit.unindexed.count": ["by-user", grouped("grp", "COUNT(*)")],
  "sql.user-unit.vs-count-distinct": [
    "by-user",
    grouped("grp", "AVG(value)"),
    grouped("grp", "COUNT(DISTINCT uid)"),
  ],
  "sql.user-unit.indexed": ["indexed", grouped("grp", "AVG(value)")],
  "sql.user-unit.indexed.filter": [
    "indexed",
    "SELECT grp, AVG(value) FROM events WHERE value > 20 GROUP BY grp",
  ],
  "sql.user-unit.indexed.count": ["indexed", grouped("grp", "COUNT(*)")],
};
const isByUser = (layout) => layout === "by-user" || layout === "indexed";

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "20000000" },
      rounds: { type: "string", default: "9" },
      threads: { type: "string", default: String(availableParallelism()) },
      data: { type: "string", default: defaultData },
      only: { type: "string", default: "" },
      memory: { type: "string", default: "6e9" },
      growth: { type: "boolean", default: false },
      huge: { type: "boolean", default: false },
    },
  });
  const [threads, memory] = [values.threads, values.memory].map(Number);
  const rows = values.huge ? 100_000_000 : Number(values.rows);
  const rounds = values.huge ? 1 : Number(values.rounds);
  const settings = { ...values, rounds, limits: { memory, threads } };
  const whole = await measureAll(rows, settings);
  for (const [name, { ratio, peer }] of whole) figure(name, ratio, "× plain", peer, ratio);
  if (values.growth) {
    const quarter = await measureAll(Math.ceil(rows / 4), settings);
    for (const [name, { ours }] of whole) {
      const before = quarter.get(name).ours;
      figure(name.replace("sql.", "sql.growth."), ours / before / 4, "× time a row at a quarter");
    }
  }
  if ("sql.plan".startsWith(values.only)) await measurePlan();
}

/** Figure → the median of our time over the plain one's, and the medians of both in milliseconds. */
async function measureAll(rows, { rounds, limits, data, only }) {
  const file = await generate({ users: Math.ceil(rows / rowsPerUser), rowsPerUser, data });
  const plain = await openPlain(file, limits);
  const layouts = new Map();
  const found = new Map();
  for (const [name, [layout, question, peerQuestion = question]] of Object.entries(questions)) {
    if (!name.startsWith(only)) continue;
    if (!layouts.has(layout)) layouts.set(layout, await openLayout(layout, file, limits));
    const { policy, engine } = layouts.get(layout);
    const plan = await planned(question, policy);
    const storage = await engine.storage("events");
    const query = compilePlan(plan, () => storage, dialects[engine.dialect]);
    if (!isByUser(layout)) await checkAnswer(question, plan, query, plain, layouts.get(layout));
    else if (layout === "indexed" && rows <= 5_000_000)
      await checkIndex(plan, query, storage, plain, layouts.get(layout));
    await engine.run(query);
    const times = [];
    for (let round = 0; round < (layout === "by-user" ? Math.min(rounds, 3) : rounds); round++) {
      const peer = await timed(() => plain.rows(peerQuestion));
      times.push({ peer, ours: await timed(() => engine.run(query)) });
    }
    found.set(name, {
      ratio: median(times.map(({ peer, ours }) => ours / peer)),
      peer: median(times.map(({ peer }) => peer)),
      ours: median(times.map(({ ours }) => ours)),
    });
  }
  for (const { engine } of layouts.values()) await engine.close();
  plain.close();
  return found;
}

async function planned(question, policy) {
  return planQuestion(bindQuestion(await parseQuestion(question), policy), policy, {}, policyHash(policy));
}

/** From text to engine SQL, warm. */
async function measurePlan() {
  const { policy } = policyFor("by-user", "events.duckdb");
  const question = grouped("grp", "AVG(value)");
  const storage = { relation: ["events", "main", "events"], layout: "snapshot" };
  const times = [];
  for (let round = 0; round < 200; round++)
    times.push(
      await timed(async () => compilePlan(await planned(question, policy), () => storage, dialects.duckdb)),
    );
  figure("sql.plan", median(times.slice(100)), "ms");
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The plain side: the same settings as the engine's, every row brought over. */
async function openPlain(file, { memory, threads }) {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", {
    memory_limit: `${memory}B`,
    threads: String(threads),
    preserve_insertion_order: "false",
  });
  const connection = await instance.connect();
  const attached = new Set();
  /** Under the name that compiled text gives the file. */
  const attachOnce = async (path, name) => {
    if (!attached.has(path)) await connection.run(`ATTACH '${path}' AS "${name}" (READ_ONLY)`);
    attached.add(path);
  };
  await attachOnce(file, basename(file, ".duckdb"));
  await connection.run(`USE "${basename(file, ".duckdb")}"`);
  return {
    attachOnce,
    rows: async (sql, values) => (await connection.runAndReadAll(sql, values)).getRows(),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const seed = "bench";

/** The policy that a layout is asked under; a range of groups is a list of categories. */
function policyFor(layout, file) {
  const bounded = `max_groups_contributed: 5
    max_rows_contributed_per_group: 3
    bound: ${layout === "indexed" ? "rows-before-filter" : "groups-after-filter"}`;
  const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
tables:
  events:
    file: ${file}
    unit: ${isByUser(layout) ? "uid" : "row"}
    ${isByUser(layout) ? bounded : ""}
    columns:
      uid: { type: integer }
      grp: { type: integer, categories: [${Array.from({ length: 100 }, (_, g) => g)}] }
      sector: { type: text, categories: [${Array.from({ length: 100 }, (_, g) => `sector ${String(g).padStart(2, "0")}`)}] }
      value: { type: number, bounds: [0, 60] }
`);
  return { policy };
}

async function openLayout(layout, file, limits) {
  const { policy } = policyFor(layout, basename(file));
  const options = {
    policy,
    baseDirectory: dirname(file),
    stateDirectory: join(dirname(file), `${basename(file, ".duckdb")}-${layout}`),
    seed,
    clock: Date.now,
    log: (detail) => console.error(detail),
    limits,
  };
  const isReady = async (engine) => {
    const storage = await engine.storage("events");
    return (
      (storage.layout === "snapshot") === (layout !== "raw") && (storage.hasPlaces || layout !== "indexed")
    );
  };
  let engine = await openDuckDb(options);
  if (!(await isReady(engine).catch(() => false))) {
    await engine.close();
    await importTable({ ...options, table: "events" });
    if (layout === "indexed") {
      const built = await timed(() => buildIndex({ ...options, table: "events" }));
      figure("sql.user-unit.index-build", built / 1000, "s");
    }
    engine = await openDuckDb(options);
  }
  return { policy, engine, stateDirectory: options.stateDirectory };
}

/** With the index and without it the same rows are kept. */
async function checkIndex(plan, query, storage, plain, { stateDirectory }) {
  const manifest = readManifest(stateDirectory, "events");
  await plain.attachOnce(join(stateDirectory, "snapshots", manifest.file), catalogOf(query.sql));
  const without = compilePlan(plan, () => ({ ...storage, hasPlaces: false }), dialects.duckdb);
  const sorted = async (sql, values) =>
    (await plain.rows(sql, values)).map((row) => row.map(String).join(" ")).sort();
  const [found, expected] = [await sorted(query.sql), await sorted(without.sql, [seed])];
  if (String(found) !== String(expected)) throw new Error(`${plan.text}: the index keeps other rows`);
}

/** Both sides must compute the same thing: the plain query over clamped values, to the grid's precision. Warms them, too. */
async function checkAnswer(question, plan, query, plain, { stateDirectory }) {
  const manifest = readManifest(stateDirectory, "events");
  if (manifest)
    await plain.attachOnce(join(stateDirectory, "snapshots", manifest.file), catalogOf(query.sql));
  const clamped = question.replace("AVG(value)", "AVG(least(greatest(value, 0), 60))");
  const expected = new Map(
    (await plain.rows(clamped)).map((row) => [String(row.slice(0, -1)), Number(row.at(-1))]),
  );
  const rows = await plain.rows(query.sql);
  await plain.rows(question);
  if (rows.length !== expected.size)
    throw new Error(`${question}: ${rows.length} groups, not ${expected.size}`);
  for (const row of rows) {
    const got = exactAnswer(plan, row.slice(query.keys + 1));
    const wanted = expected.get(String(row.slice(0, query.keys)));
    if (!(Math.abs(got - wanted) < 1e-3)) throw new Error(`${question}: ${got}, not ${wanted}`);
  }
}

const catalogOf = (sql) => /FROM "([^"]+)"/.exec(sql)[1];

/** The first aggregate without its noise. */
function exactAnswer({ measurements, aggregates: [aggregate] }, sums) {
  const measured = (at) =>
    Number(
      measurements[at].terms.reduce((sum, term) => sum + BigInt(term.coefficient) * sums[term.column], 0n),
    );
  if (aggregate.kind === "count") return measured(aggregate.count);
  const mean = measured(aggregate.sum) / measured(aggregate.count);
  return (Number(aggregate.mid) + mean) * 2 ** aggregate.exponent;
}
