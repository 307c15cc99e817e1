// npm run bench -- partitions [--rows 5000000] [--partitions 8] [--rounds 3] [--only PREFIX]
// What PARTITION BY HASH of the unit is worth on PostgreSQL: the statement that computes each partition by itself, against the statement
// over the same table read whole, in turns, both warm, by a role that may only read. The exact answers are checked to be the same.
// The server is the tests' own; it starts as many parallel workers as it is left to.
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
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

const grouped = (aggregate) => `SELECT grp, ${aggregate} FROM events GROUP BY grp`;
/** By figure: how contributions are limited, and the question. */
const questions = {
  "partitions.count": ["groups-after-filter", "SELECT COUNT(*), AVG(value) FROM events"],
  "partitions.groups": ["groups-after-filter", grouped("AVG(value)")],
  "partitions.distinct": ["groups-after-filter", "SELECT COUNT(DISTINCT grp) FROM events"],
  "partitions.rows-before-filter": ["rows-before-filter", grouped("AVG(value)")],
  "partitions.join": [
    "groups-after-filter",
    "SELECT COUNT(*), AVG(value) FROM people JOIN events ON id = uid WHERE age > 30",
  ],
};

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: "string", default: "5000000" },
      partitions: { type: "string", default: "8" },
      rounds: { type: "string", default: "3" },
      only: { type: "string", default: "" },
      explain: { type: "boolean", default: false },
    },
  });
  const server = await startServer({ shared_buffers: "512MB", max_wal_size: "4GB" });
  if (!server) throw new Error("there are no PostgreSQL binaries for this platform");
  try {
    await makeTables(server, Number(values.rows), Number(values.partitions));
    for (const [name, [bound, question]] of Object.entries(questions))
      if (name.startsWith(values.only)) await measure(server, name, bound, question, values);
  } finally {
    await server.stop();
  }
}

async function makeTables(server, rows, partitions) {
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  const users = Math.ceil(rows / 20);
  const parted = (table, columns, key) =>
    [
      `CREATE TABLE ${table} (${columns}) PARTITION BY HASH (${key})`,
      ...Array.from(
        { length: partitions },
        (_, place) =>
          `CREATE TABLE ${table}_${place} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${place})`,
      ),
    ].join("; ");
  await owner.query(parted("events", "uid bigint, grp integer, value float8", "uid"));
  await owner.query(parted("people", "id bigint, age integer", "id"));
  await owner.query(`INSERT INTO events SELECT (i * 2147483647) % ${users},
      abs(hashint8extended(i, 1) % 100), -20 * ln(((hashint8extended(i, 2) & 9007199254740991) + 0.5) / 9007199254740992.0)
    FROM generate_series(0::bigint, ${rows - 1}) AS i`);
  await owner.query(`INSERT INTO people SELECT i, i % 90 FROM generate_series(0, ${users - 1}) AS i`);
  await owner.query("CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
  await owner.query("VACUUM ANALYZE");
  await owner.end();
}

async function measure(server, name, bound, question, options) {
  const policy = policyFor(bound);
  const log = (detail) => console.error(detail);
  const engine = openPostgres({ policy, url: server.urlOf("reader"), seed: "bench", log });
  const plan = planQuestion(
    resolveQuestion(await parseQuestion(question), policy),
    policy,
    {},
    policyHash(policy),
  );
  const storages = new Map();
  for (const table of Object.keys(policy.tables)) storages.set(table, await engine.storage(table));
  const wholeOf = ({ partitions: _, ...whole }) => whole;
  const parted = compilePlan(plan, (table) => storages.get(table), dialects[engine.dialect]);
  const whole = compilePlan(plan, (table) => wholeOf(storages.get(table)), dialects[engine.dialect]);
  assert.notEqual(parted.sql, whole.sql);
  await checkSame(server, whole, parted);
  if (options.explain) await explain(server, parted);
  for (const query of [whole, parted]) await engine.run(query);
  const times = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    const peer = await timed(() => engine.run(whole));
    const value = await timed(() => engine.run(parted));
    times.push({ value, peer, ratio: value / peer });
  }
  const of = (part) => median(times.map((time) => time[part]));
  figure(name, of("value"), "ms", of("peer"), of("ratio"));
  await engine.close();
}

/** Compares the two statements' exact answers in the database, in which the owner may look at them. */
async function checkSame(server, whole, parted) {
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  const answer = async ({ sql, needsSeed }) => {
    const { rows } = await owner.query({ text: sql, values: needsSeed ? ["bench"] : [], rowMode: "array" });
    return rows.map(String).sort();
  };
  assert.deepEqual(await answer(parted), await answer(whole));
  await owner.end();
}

async function explain(server, { sql, needsSeed }) {
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  await owner.query("SET work_mem = '64MB'; SET jit = off");
  const { rows } = await owner.query(`EXPLAIN (COSTS off) ${sql}`, needsSeed ? ["bench"] : []);
  for (const { "QUERY PLAN": line } of rows) console.error(line.slice(0, 140));
  await owner.end();
}

function policyFor(bound) {
  const groups = Array.from({ length: 100 }, (_, group) => group);
  return readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
defaults: { epsilon: 1, delta: 1e-9 }
database: { kind: postgres }
tables:
  people: { unit: id, key: id, columns: { id: { type: integer }, age: { type: integer, bounds: [0, 100] } } }
  events: { unit: { through: uid, references: people.id }, max_groups_contributed: 5, max_rows_contributed_per_group: 3, bound: ${bound}, columns: {
    uid: { type: integer }, grp: { type: integer, categories: [${groups}] }, value: { type: number, bounds: [0, 60] } } }
`);
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
