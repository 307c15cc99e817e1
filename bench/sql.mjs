// npm run bench -- sql [--rows 20000000] [--rounds 9] [--threads N] [--data DIR]
// What privacy costs the database: Lethe's compiled SQL against the plain query that an analyst would otherwise run on
// the raw table, same process, same settings, taken in turns. A figure's value is the median of the rounds' ratios, its
// peer the median milliseconds of the plain query. Both sides are warm. Where each row is a unit, their answers are checked
// to agree; where a user owns many rows, Lethe bounds each user (k = 5 groups, r = 3 rows) and the plain query does not.
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { importTable, openDuckDb, readManifest } from "@lethe/engine-duckdb";
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
  "sql.user-unit": ["by-user", grouped("grp", "AVG(value)")],
  "sql.user-unit.count": ["by-user", grouped("grp", "COUNT(*)")],
};

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "20000000" },
      rounds: { type: "string", default: "9" },
      threads: { type: "string", default: String(availableParallelism()) },
      data: { type: "string", default: defaultData },
      only: { type: "string", default: "" },
    },
  });
  const [rows, rounds, threads] = [values.rows, values.rounds, values.threads].map(Number);
  const file = await generate({ users: Math.ceil(rows / rowsPerUser), rowsPerUser, data: values.data });
  const limits = { memory: 6e9, threads };
  const plain = await openPlain(file, limits);
  const layouts = new Map();
  for (const [name, [layout, question]] of Object.entries(questions)) {
    if (!name.startsWith(values.only)) continue;
    if (!layouts.has(layout)) layouts.set(layout, await openLayout(layout, file, limits));
    const { policy, engine } = layouts.get(layout);
    const plan = planQuestion(
      bindQuestion(await parseQuestion(question), policy),
      policy,
      {},
      policyHash(policy),
    );
    const query = compilePlan(plan, await engine.storage("events"), dialects[engine.dialect]);
    if (layout !== "by-user") await checkAnswer(question, plan, query, plain, layouts.get(layout));
    else await engine.run(query);
    const times = [];
    for (let round = 0; round < (layout === "by-user" ? Math.min(rounds, 3) : rounds); round++) {
      const peer = await timed(() => plain.rows(question));
      times.push({ peer, ratio: (await timed(() => engine.run(query))) / peer });
    }
    const ratio = median(times.map((time) => time.ratio));
    figure(name, ratio, "× plain", median(times.map((time) => time.peer)), ratio);
  }
  for (const { engine } of layouts.values()) await engine.close();
  plain.close();
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
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRows(),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const units = { raw: "row", snapshot: "row", "by-user": "uid" };

async function openLayout(layout, file, limits) {
  const policy = readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
tables:
  events:
    file: ${basename(file)}
    unit: ${units[layout]}
    ${layout === "by-user" ? "max_groups_contributed: 5\n    max_rows_contributed_per_group: 3" : ""}
    columns:
      uid: { type: integer }
      grp: { type: integer, categories: [${Array.from({ length: 100 }, (_, g) => g)}] }
      sector: { type: text, categories: [${Array.from({ length: 100 }, (_, g) => `sector ${String(g).padStart(2, "0")}`)}] }
      value: { type: number, bounds: [0, 60] }
`);
  const options = {
    policy,
    baseDirectory: dirname(file),
    stateDirectory: join(dirname(file), `${basename(file, ".duckdb")}-${layout}`),
    seed: "bench",
    clock: Date.now,
    log: (detail) => console.error(detail),
    limits,
  };
  const isReady = async (engine) =>
    (await engine.storage("events")).layout === (layout === "raw" ? "raw" : "snapshot");
  let engine = await openDuckDb(options);
  if (!(await isReady(engine).catch(() => false))) {
    await engine.close();
    await importTable({ ...options, table: "events" });
    engine = await openDuckDb(options);
  }
  return { policy, engine, stateDirectory: options.stateDirectory };
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
