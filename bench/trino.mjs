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

/** Figure → unit, limit, whether it reads a snapshot, the plain query, and the private one, where it is no average. */
const asked = {
  "trino.row-unit": ["row", "groups-after-filter", true, average],
  "trino.row-unit.raw": ["row", "groups-after-filter", false, average],
  "trino.user-unit": ["uid", "rows-before-filter", true, average],
  "trino.user-unit.unindexed": ["uid", "groups-after-filter", false, average],
  "trino.user-unit.vs-count-distinct": ["uid", "groups-after-filter", false, distinctUsers],
  "trino.user-unit.count-distinct": ["uid", "groups-after-filter", false, distinctUsers, distinctUsers],
  "trino.user-unit.snapshot.vs-count-distinct": ["uid", "groups-after-filter", true, distinctUsers],
};

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
    await makeEvents(ask, schema, Number(values.rows));
    for (const [name, question] of Object.entries(asked))
      if (name.startsWith(values.only))
        await measure(name, question, { origin, schema, state, ask, rounds: Number(values.rounds) });
  } finally {
    await ask(`DROP SCHEMA IF EXISTS iceberg.${schema} CASCADE`).catch(() => undefined);
    rmSync(state, { recursive: true, force: true });
    await started?.stop();
  }
}

/** Makes the rows by arithmetic alone: the same on every cluster. */
async function makeEvents(ask, schema, rows) {
  const outer = Math.ceil(rows / oneSequence);
  await ask(`CREATE TABLE iceberg.${schema}.events AS
    SELECT (i * 2147483647) % ${Math.ceil(rows / rowsPerUser)} AS uid, CAST((i * 7919 + i / 100) % 100 AS integer) AS grp,
      -2e1 * ln((((i * 48271) % 2147483647) + 5e-1) / 2147483648e0) AS value
    FROM (SELECT a * ${oneSequence} + b AS i FROM UNNEST(sequence(0, ${outer - 1})) AS x (a)
      CROSS JOIN UNNEST(sequence(0, ${oneSequence - 1})) AS y (b)) WHERE i < ${rows}`);
  await ask(`ANALYZE iceberg.${schema}.events`);
}

async function measure(
  name,
  [unit, limit, frozen, peerQuestion, question = average],
  { origin, schema, state, ask, rounds },
) {
  const policy = policyFor(unit, limit, schema);
  const stateDirectory = join(state, name);
  const as = (user) => `${origin.replace("//", `//${user}@`)}/iceberg/${schema}`;
  const own = { policy, url: as("lethe"), seed: "bench", log: (detail) => console.error(detail) };
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
  const peer = peerQuestion.replace("FROM events", `FROM iceberg.${schema}.events`);
  await engine.run(query);
  await ask(peer, "lethe");
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const plainly = await timed(() => ask(peer, "lethe"));
    times.push({ plainly, ratio: (await timed(() => engine.run(query))) / plainly });
  }
  const ratio = median(times.map((time) => time.ratio));
  figure(name, ratio, "× plain", median(times.map((time) => time.plainly)), ratio);
  await engine.close();
}

function policyFor(unit, limit, schema) {
  const limits = `max_groups_contributed: 5, max_rows_contributed_per_group: 3, limit: ${limit}, `;
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
database: { kind: trino, url_env: LETHE_DATABASE_URL }
tables:
  events: { relation: iceberg.${schema}.events, unit: ${unit}, ${unit === "row" ? "" : limits}columns: {
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
