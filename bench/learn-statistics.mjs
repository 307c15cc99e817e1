// learn.crossproducts: count, sums and all products of 14 numbers, the only question of a covariance, on the engine; learn.pairs: the counts of all
// 91 pairs of 14 columns of categories, a GROUP BY each. Milliseconds of the compiled statements, median of 5, on one thread of DuckDB over an imported
// table. With --postgres the same on a PostgreSQL server over a plain table, and whether all integers are the same.
// --rows N: rows of the table, 1,000,000 unless stated.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parseRational, secureEntropy } from "@lethe/core";
import { drawing, releaseGroups } from "@lethe/core/mechanisms";
import { importTable, openDuckDb } from "@lethe/engine-duckdb";
import { layoutOf, readModel } from "@lethe/learn";
import {
  compilePlan,
  dialects,
  parseQuestion,
  planWorkload,
  policyHash,
  readPolicy,
  resolveQuestion,
  tablesRead,
} from "@lethe/query";
import { figure, median } from "./figure.mjs";

const columns = 14;
const categories = 8;
const times = 5;

export default async function bench(options) {
  const rows = options.includes("--rows") ? Number(options[options.indexOf("--rows") + 1]) : 1_000_000;
  const folder = mkdtempSync(join(tmpdir(), "lethe-bench-"));
  chmodSync(folder, 0o755); // The server of --postgres may run as somebody else.
  try {
    await makeTable(join(folder, "people.parquet"), rows);
    const policy = readPolicy(policyText("file: people.parquet"));
    const shared = {
      policy,
      baseDirectory: folder,
      stateDirectory: join(folder, ".lethe"),
      log: console.error,
    };
    await importTable({ ...shared, table: "people", clock: Date.now });
    const engine = await openDuckDb({ ...shared, seed: "bench", limits: { threads: 1 } });
    const duckdb = await measured(policy, engine);
    for (const [name, { ms }] of Object.entries(duckdb)) figure(`learn.${name}`, ms, "ms");
    if (options.includes("--postgres")) await comparePostgres(folder, duckdb);
    await engine.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const list = (write) => Array.from({ length: columns }, (_, i) => write(i));

function policyText(source) {
  return `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
${source.startsWith("relation") ? "database: { kind: postgres }\n" : ""}tables:
  people:
    ${source}
    unit: row
    columns:
${list((i) => `      x${i}: { type: number, bounds: [0, 100], default: 0 }`).join("\n")}
${list((i) => `      c${i}: { type: integer, categories: [${Array.from({ length: categories }, (_, c) => c).join(", ")}], default: 0 }`).join("\n")}
budget: { measure: pure, epsilon: 1000 }
`;
}

const selected = [
  ...list((i) => `CAST((hash(i * 31 + ${i}) % 1000003) / 10000.3 AS DOUBLE) AS x${i}`),
  ...list((i) => `CAST(hash(i * 37 + ${i + 50}) % ${categories} AS INTEGER) AS c${i}`),
].join(", ");

async function makeTable(path, rows) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT ${selected} FROM range(${rows}) AS r(i)) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

const models = {
  crossproducts: `version: 1\ntable: people\nmodel: covariance\nfeatures: [${list((i) => `x${i}`).join(", ")}]`,
  pairs: `version: 1\ntable: people\nmodel: marginals\nmarginals: 2\nfeatures: [${list((i) => `c${i}`).join(", ")}]`,
};

/** The time of each model's statements, and all of their exact integers. */
async function measured(policy, engine) {
  const found = {};
  for (const [name, text] of Object.entries(models)) {
    const { questions } = layoutOf(await readModel(text, policy));
    const resolved = [];
    for (const question of questions)
      resolved.push(resolveQuestion(await parseQuestion(question.text), policy));
    const { plans } = planWorkload(resolved, policy, { epsilon: parseRational("1") }, policyHash(policy));
    const storages = new Map();
    for (const table of tablesRead(plans[0])) storages.set(table, await engine.storage(table));
    const queries = plans.map((plan) =>
      compilePlan(plan, (table) => storages.get(table), dialects[engine.dialect]),
    );
    const taken = [];
    let exact = [];
    for (let time = 0; time < times; time++) {
      const start = performance.now();
      exact = [];
      for (const query of queries) exact.push(await engine.run(query));
      taken.push(performance.now() - start);
    }
    found[name] = { ms: median(taken), integers: exact.map((rows, at) => opened(rows, plans[at])) };
  }
  return found;
}

/** The integers of a sealed result: invented rows may be opened with no noise at all. */
function opened(rows, plan) {
  const { program } = plan.keys;
  const keys =
    program.kind === "public"
      ? { kind: "public", groups: program.declared.map((key) => key.map((part) => BigInt(part))) }
      : { kind: "none" };
  const measurements = plan.sums.map((_, column) => ({
    terms: [{ column, coefficient: "1" }],
    noise: { mechanism: "constant@1" },
  }));
  const released = releaseGroups(rows, { keys, measurements }, drawing(secureEntropy()));
  return released.map(({ key, values }) => `${key}: ${values}`).join("\n");
}

async function comparePostgres(folder, duckdb) {
  const { startServer } = await import("./postgres-server.mjs");
  const { openPostgres } = await import("@lethe/engine-postgres");
  const server = await startServer();
  if (server === null) return console.error("there is no PostgreSQL here: its figures are left out");
  const { default: pg } = await import("pg");
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  try {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const csv = join(folder, "people.csv");
    await connection.run(
      `COPY (SELECT * FROM '${join(folder, "people.parquet")}') TO '${csv}' (HEADER false)`,
    );
    const types = [...list((i) => `x${i} double precision`), ...list((i) => `c${i} integer`)].join(", ");
    await admin.query(`CREATE TABLE people (${types})`);
    await admin.query(`COPY people FROM '${csv}' (FORMAT csv)`);
    await admin.query("CREATE ROLE reader LOGIN; GRANT SELECT ON people TO reader");
    await admin.query("VACUUM ANALYZE people");
    const url = new URL(server.url);
    [url.username, url.password] = ["reader", ""];
    const policy = readPolicy(policyText("relation: people"));
    const engine = openPostgres({ policy, url: url.href, seed: "bench", log: console.error });
    const found = await measured(policy, engine);
    for (const [name, { ms, integers }] of Object.entries(found)) {
      figure(`learn.${name}.postgres`, ms, "ms", duckdb[name].ms);
      const same = integers.every((text, at) => text === duckdb[name].integers[at]);
      figure(`learn.${name}.postgres.same`, same ? 1 : 0, "1 where every integer is DuckDB's");
    }
    await engine.close();
  } finally {
    await admin.end();
    await server.stop();
  }
}
