// npm run bench -- trino [--rows 20000000] [--rounds 3] [--workers 0] [--heap 6144] [--only PREFIX]
// What privacy costs on Trino: compiled SQL over a table of Iceberg as it lies, and over the snapshot that an import writes, against the plain query of the same user on the same cluster, in turns, all warm.
// The server is the one that LETHE_TRINO names, whose user owner may write, or else one of its own: npm run trino:get.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { importTrino, openTrino } from "@lethe/engine-trino";
import {
  compilePlan,
  dialects,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";
import { startTrino } from "../scripts/trino/cluster.mjs";
import { figure, median } from "./figure.mjs";

const rowsPerUser = 20;
const average = "SELECT grp, AVG(value) FROM events GROUP BY grp";
const distinctUsers = "SELECT grp, COUNT(DISTINCT uid) FROM events GROUP BY grp";
/** The most rows that one statement makes: a sequence is a value of a row. */
const oneSequence = 10_000;

const unindexed = { unit: "uid", limit: "groups-after-filter" };
/** How each figure is asked: by unit and limit, of a table, as it lies or as a snapshot has it, beside a plain query; the private one is an average where it is not said. */
const asked = {
  "trino.row-unit": { unit: "row", limit: "groups-after-filter", frozen: true },
  "trino.row-unit.raw": { unit: "row", limit: "groups-after-filter" },
  "trino.user-unit": { unit: "uid", limit: "rows-before-filter", frozen: true },
  "trino.user-unit.unindexed": unindexed,
  "trino.user-unit.vs-count-distinct": { ...unindexed, peer: distinctUsers },
  // Rows of a unit that lie apart are not met where they are read: then nothing is gained by grouping them there.
  "trino.user-unit.vs-count-distinct.handed-on": {
    ...unindexed,
    peer: distinctUsers,
    session: "session.prefer_partial_aggregation=false",
  },
  "trino.user-unit.vs-count-distinct.spread": { ...unindexed, table: "spread", peer: distinctUsers },
  "trino.user-unit.count-distinct": { ...unindexed, peer: distinctUsers, question: distinctUsers },
  "trino.user-unit.snapshot.vs-count-distinct": { ...unindexed, frozen: true, peer: distinctUsers },
};
/** The tables, by what group a row is in: a user of events has one group, and one of spread has twenty. */
const tables = { events: "i * 7919 + i / 100", spread: "i * 7919 + i / USERS" };

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "20000000" },
      rounds: { type: "string", default: "3" },
      workers: { type: "string", default: "0" },
      heap: { type: "string", default: "6144" },
      only: { type: "string", default: "" },
    },
  });
  const started = process.env.LETHE_TRINO
    ? null
    : await startTrino({ workers: Number(values.workers), heapMiB: Number(values.heap) });
  const origin = started?.url ?? process.env.LETHE_TRINO;
  const schema = `bench_${process.pid}`;
  const state = mkdtempSync(join(tmpdir(), "lethe-bench-trino-"));
  const ask = (sql, user = "owner") => plain(origin, user, sql);
  try {
    await ask(`CREATE SCHEMA iceberg.${schema}`);
    const chosen = Object.entries(asked).filter(([name]) => name.startsWith(values.only));
    for (const table of Object.keys(tables))
      if (chosen.some(([, { table: read = "events" }]) => read === table))
        await makeTable(ask, schema, table, Number(values.rows));
    for (const [name, question] of chosen)
      await measure(name, question, { origin, schema, state, ask, rounds: Number(values.rounds) });
  } finally {
    await ask(`DROP SCHEMA IF EXISTS iceberg.${schema} CASCADE`).catch(() => undefined);
    rmSync(state, { recursive: true, force: true });
    await started?.stop();
  }
}

/** Makes the rows by arithmetic alone: the same on every cluster. */
async function makeTable(ask, schema, table, rows) {
  const outer = Math.ceil(rows / oneSequence);
  const users = Math.ceil(rows / rowsPerUser);
  await ask(`CREATE TABLE iceberg.${schema}.${table} AS
    SELECT (i * 2147483647) % ${users} AS uid, CAST((${tables[table].replace("USERS", users)}) % 100 AS integer) AS grp,
      -2e1 * ln((((i * 48271) % 2147483647) + 5e-1) / 2147483648e0) AS value
    FROM (SELECT a * ${oneSequence} + b AS i FROM UNNEST(sequence(0, ${outer - 1})) AS x (a)
      CROSS JOIN UNNEST(sequence(0, ${oneSequence - 1})) AS y (b)) WHERE i < ${rows}`);
  await ask(`ANALYZE iceberg.${schema}.${table}`);
}

async function measure(
  name,
  { unit, limit, table = "events", frozen = false, peer = average, question = average, session = "" },
  { origin, schema, state, ask, rounds },
) {
  const policy = policyFor(unit, limit, schema, table);
  const stateDirectory = join(state, name);
  const as = (user) => `${origin.replace("//", `//${user}@`)}/iceberg/${schema}`;
  const own = {
    policy,
    url: `${as("lethe")}?${session}`,
    seed: "bench",
    log: (detail) => console.error(detail),
  };
  if (frozen) {
    const place = { ...own, table: "events", ownersUrl: as("owner"), stateDirectory, clock: Date.now };
    figure(`${name}.import`, (await timed(() => importTrino(place))) / 1000, "s");
  }
  const engine = openTrino({ ...own, ...(frozen ? { stateDirectory } : {}) });
  const plan = planQuestion(
    resolveQuestion(await parseQuestion(question), policy),
    policy,
    {},
    policyHash(policy),
  );
  const storage = await engine.storage("events");
  const query = compilePlan(plan, () => storage, dialects[engine.dialect]);
  const plainly = peer.replace("FROM events", `FROM iceberg.${schema}.${table}`);
  await engine.run(query);
  await ask(plainly, "lethe");
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const plain = await timed(() => ask(plainly, "lethe"));
    times.push({ plain, ratio: (await timed(() => engine.run(query))) / plain });
  }
  const ratio = median(times.map((time) => time.ratio));
  figure(name, ratio, "× plain", median(times.map((time) => time.plain)), ratio);
  await engine.close();
}

function policyFor(unit, limit, schema, table) {
  const limits = `max_groups_contributed: 5, max_rows_contributed_per_group: 3, limit: ${limit}, `;
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  events: { relation: iceberg.${schema}.${table}, unit: ${unit}, ${unit === "row" ? "" : limits}columns: {
    uid: { type: integer },
    grp: { type: integer, categories: [${Array.from({ length: 100 }, (_, g) => g)}] },
    value: { type: number, bounds: [0, 60] } } }
`);
}

async function plain(origin, user, sql) {
  const headers = { "X-Trino-User": user, "X-Trino-Time-Zone": "UTC" };
  let page = await (await fetch(`${origin}/v1/statement`, { method: "POST", headers, body: sql })).json();
  for (;;) {
    if (page.error) throw new Error(page.error.message);
    if (!page.nextUri) return;
    page = await (await fetch(page.nextUri, { headers })).json();
  }
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
