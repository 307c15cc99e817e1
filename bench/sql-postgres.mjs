// npm run bench -- sql-postgres [--rows 2000000] [--rounds 3] [--only PREFIX]
// What privacy costs on PostgreSQL: the compiled SQL over tables as they lie, by a role that may only read, against the plain
// query by the same role, in turns, both warm. The server is the tests' own; parallel workers are left as they are set.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildIndex, importRows, openDuckDb } from "@lethe/engine-duckdb";
import { openPostgres } from "@lethe/engine-postgres";
import {
  compilePlan,
  dialects,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";
import pg from "pg";
import { figure, median } from "./figure.mjs";
import { startServer } from "./postgres-server.mjs";

const rowsPerUser = 20;
const grouped = (aggregate) => `SELECT grp, ${aggregate} FROM events GROUP BY grp`;

/** Figure → unit, bound, question, and the plain query where it is another. */
const questions = {
  "sql.postgres.row-unit": ["row", "groups-after-filter", grouped("AVG(value)")],
  "sql.postgres.row-unit.count": ["row", "groups-after-filter", grouped("COUNT(*)")],
  "sql.postgres.user-unit.unindexed": ["uid", "groups-after-filter", grouped("AVG(value)")],
  "sql.postgres.user-unit.vs-count-distinct": [
    "uid",
    "groups-after-filter",
    grouped("AVG(value)"),
    grouped("COUNT(DISTINCT uid)"),
  ],
  "sql.postgres.users": ["uid", "groups-after-filter", grouped("COUNT(*)")],
  "sql.postgres.rows-before-filter": ["uid", "rows-before-filter", grouped("AVG(value)")],
  "sql.postgres.rows-before-filter.count": ["uid", "rows-before-filter", grouped("COUNT(*)")],
};

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "2000000" },
      rounds: { type: "string", default: "3" },
      only: { type: "string", default: "" },
    },
  });
  const server = await startServer({ shared_buffers: "256MB", work_mem: "64MB", max_wal_size: "4GB" });
  if (!server) throw new Error("there are no PostgreSQL binaries for this platform");
  try {
    await measure(server, Number(values.rows), Number(values.rounds), values.only);
  } finally {
    await server.stop();
  }
}

async function measure(server, rows, rounds, only) {
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  await owner.query("CREATE ROLE reader LOGIN");
  // As ./generate.mjs makes it, with this engine's own hash.
  const uniform = (salt) => `((hashint8extended(i, ${salt}) & 9007199254740991) + 0.5) / 9007199254740992.0`;
  await owner.query(`CREATE TABLE events AS
    SELECT (i * 2147483647) % ${Math.ceil(rows / rowsPerUser)} AS uid,
           CAST(abs(hashint8extended(i, 1) % 100) AS integer) AS grp,
           CAST(-20 * ln(${uniform(2)}) AS double precision) AS value
    FROM generate_series(0::bigint, ${rows - 1}) AS i`);
  await owner.query("GRANT SELECT ON events TO reader");
  await owner.query("VACUUM ANALYZE events");
  await owner.end();
  const plain = new pg.Client({ connectionString: server.urlOf("reader") });
  await plain.connect();
  for (const [name, [unit, bound, question, peerQuestion = question]] of Object.entries(questions)) {
    if (!name.startsWith(only)) continue;
    const policy = policyFor(unit, bound);
    const engine = openPostgres({
      policy,
      url: server.urlOf("reader"),
      seed: "bench",
      log: (detail) => console.error(detail),
    });
    const plan = planQuestion(
      resolveQuestion(await parseQuestion(question), policy),
      policy,
      {},
      policyHash(policy),
    );
    const storage = await engine.storage("events");
    const query = compilePlan(plan, () => storage, dialects[engine.dialect]);
    await engine.run(query);
    await plain.query(peerQuestion);
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const peer = await timed(() => plain.query(peerQuestion));
      times.push({ peer, ratio: (await timed(() => engine.run(query))) / peer });
    }
    const ratio = median(times.map((time) => time.ratio));
    figure(name, ratio, "× plain", median(times.map((time) => time.peer)), ratio);
    await engine.close();
  }
  for (const [bound, asked] of copied) {
    if (!asked.some(([name]) => name.startsWith(only))) continue;
    await measureCopies(server, plain, bound, asked, rounds, rows);
  }
  await plain.end();
}

/** Figures of the copy that `lethe import` makes, with the index that `lethe index build` makes of it: bound, then figure and question. */
const copied = [
  [
    "groups-after-filter",
    [
      ["sql.postgres.copy.users", grouped("COUNT(*)")],
      ["sql.postgres.copy.users.avg", grouped("AVG(value)")],
    ],
  ],
  [
    "rows-before-filter",
    [
      ["sql.postgres.copy.rows-before-filter", grouped("AVG(value)")],
      ["sql.postgres.copy.rows-before-filter.count", grouped("COUNT(*)")],
    ],
  ],
];

/** Measures questions over a copy against the plain query of the database, in turns; and how long the copy takes. */
async function measureCopies(server, plain, bound, asked, rounds, rows) {
  const policy = policyFor("uid", bound);
  const stateDirectory = mkdtempSync(join(tmpdir(), "lethe-bench-copy-"));
  const log = (detail) => console.error(detail);
  const place = { policy, stateDirectory, log, clock: Date.now, table: "events" };
  const live = openPostgres({ policy, url: server.urlOf("reader"), seed: "bench", log });
  try {
    const importing = await timed(() =>
      live.freeze(["events"], (_, found) =>
        importRows({ ...place, source: "public.events", asOf: Date.now() }, found),
      ),
    );
    figure(`sql.postgres.copy.import.${bound}`, importing / 1000, `s for ${rows} rows`);
    if (bound === "rows-before-filter") await buildIndex({ ...place, seed: "bench" });
    const copy = await openDuckDb({ ...place, seed: "bench", baseDirectory: stateDirectory });
    for (const [name, question] of asked) {
      const plan = planQuestion(
        resolveQuestion(await parseQuestion(question), policy),
        policy,
        {},
        policyHash(policy),
      );
      const storage = await copy.storage("events");
      const query = compilePlan(plan, () => storage, dialects[copy.dialect]);
      await copy.run(query);
      await plain.query(question);
      const times = [];
      for (let round = 0; round < rounds; round++) {
        const peer = await timed(() => plain.query(question));
        times.push({ peer, ratio: (await timed(() => copy.run(query))) / peer });
      }
      const ratio = median(times.map((time) => time.ratio));
      figure(name, ratio, "× plain", median(times.map((time) => time.peer)), ratio);
    }
    await copy.close();
  } finally {
    await live.close();
    rmSync(stateDirectory, { recursive: true, force: true });
  }
}

function policyFor(unit, bound) {
  const bounds = `max_groups_contributed: 5, max_rows_contributed_per_group: 3, bound: ${bound}, `;
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
database: { kind: postgres }
tables:
  events: { relation: public.events, unit: ${unit}, ${unit === "row" ? "" : bounds}columns: {
    uid: { type: integer },
    grp: { type: integer, categories: [${Array.from({ length: 100 }, (_, g) => g)}] },
    value: { type: number, bounds: [0, 60] } } }
`);
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
