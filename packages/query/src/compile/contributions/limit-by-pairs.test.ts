import { parseRational } from "@lethe/core";
import { askTrino, hasTrino, type TrinoTables, trinoTables } from "@lethe/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trino, withTrinoSeed } from "../../dialects/index.ts";
import { parseQuestion } from "../../parse/index.ts";
import { type Plan, planQuestion } from "../../plan/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { compilePlan } from "../compile-plan.ts";
import { compileTrees } from "../compile-trees.ts";
import { numberColumn, unitColumn } from "../stored/snapshot-select.ts";
import type { TableStorage } from "../stored/storage-of.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  t: { file: t.csv, unit: id, max_groups_contributed: 3, max_rows_contributed_per_group: 2, columns: { id: { type: text },
    town: { type: text }, g: { type: integer, categories: [0, 1, 2, 3, 4] }, x: { type: number, bounds: [0, 9] } } }
`);

async function planned(text: string): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(
    question,
    policy,
    { epsilon: parseRational("1"), delta: parseRational("1e-6") },
    "hash",
  );
}

const byTown = "SELECT town, COUNT(*) FROM t GROUP BY town";
const number = trino.identifier(numberColumn);
const name = trino.identifier(unitColumn);

describe("limiting by pairs of unit and group", () => {
  it("takes a unit's number as a snapshot keeps it, and hashes no number again", async () => {
    const snapshot = { relation: ["t"], layout: "snapshot", hasUnitNumbers: true } as const;
    const { sql } = compilePlan(await planned(byTown), () => snapshot, trino);
    expect(sql).toContain(`source.${number} AS u`);
    expect(sql).toContain("UNNEST(ARRAY[bitwise_xor(owned.u, ");
    expect(sql).not.toContain("to_utf8(owned.u)");
  });

  it("hashes the name of a unit where two have one number, and where values need the name", async () => {
    const shared = { relation: ["t"], layout: "snapshot", hasUnitNumbers: false } as const;
    const counted = compilePlan(await planned(byTown), () => shared, trino).sql;
    expect(counted).toContain(`source.${name} AS u`);
    expect(counted).toContain(`bitwise_xor(${trino.textNumber("owned.u")}, `);
    const own = { ...shared, hasUnitNumbers: true };
    const distinct = await planned("SELECT town, COUNT(DISTINCT x) FROM t GROUP BY town");
    expect(compilePlan(distinct, () => own, trino).sql).toContain(
      `bitwise_xor(${trino.textNumber("owned.u")}, `,
    );
  });

  it("groups rows before it looks at any order, and drops undeclared ones before that", async () => {
    const raw = { relation: ["t"], layout: "raw" } as const;
    const { sql } = compilePlan(
      await planned("SELECT g, COUNT(*) FROM t WHERE g > 0 GROUP BY g"),
      () => raw,
      trino,
    );
    expect(sql.match(/ OVER \(/g)).toHaveLength(1);
    expect(sql.match(/md5/g)).toHaveLength(2);
    expect(sql).toMatch(
      / row_number\(\) OVER \(PARTITION BY owned\.u ORDER BY .* AS place FROM \(SELECT .* BETWEEN 1 AND 4 GROUP BY 1, 2\) AS owned /,
    );
  });
});

/* Trino hands rows by the unit alone where it knows that there are many units, which Iceberg notes when a table is written. */
describe.skipIf(!hasTrino())("limiting by pairs on Trino (LETHE_TRINO)", () => {
  let own: TrinoTables;
  const storage = (): TableStorage => ({
    relation: ["iceberg", own.schema, "t"],
    layout: "raw",
    types: { id: "bigint", town: "varchar", g: "integer", x: "double" },
  });
  beforeAll(async () => {
    own = await trinoTables("iceberg");
    await askTrino(
      `CREATE TABLE iceberg.${own.schema}.t AS SELECT a * 1000 + b AS id, CAST(b % 7 AS varchar) AS town, CAST(a % 5 AS integer) AS g, 1e0 * (b % 9) AS x
       FROM UNNEST(sequence(1, 20)) AS s (a) CROSS JOIN UNNEST(sequence(1, 1000)) AS t (b)`,
    );
  });
  afterAll(() => own.drop());

  it.each([
    [byTown],
    ["SELECT g, AVG(x) FROM t GROUP BY g"],
    ["SELECT town, COUNT(DISTINCT id) FROM t GROUP BY town"],
    ["SELECT g, COUNT(DISTINCT x) FROM t GROUP BY g"],
    ["SELECT town, APPROX_QUANTILES(x, 4) FROM t GROUP BY town"],
  ])("hands a unit's rows to one machine, once: %s", async (text) => {
    const plan = await planned(text);
    const [query] = [...compileTrees(plan, storage, trino), compilePlan(plan, storage, trino)];
    const rows = await askTrino(`EXPLAIN (TYPE DISTRIBUTED) ${withTrinoSeed(query!.sql, "seed")}`);
    const explained = String(rows[0]?.[0]);
    const handed = [...explained.matchAll(/Output partitioning: (\w+ \[[^\]]*\])/g)].map(([, by]) => by);
    expect(
      handed.filter((by) => /\bid\b/.test(by ?? "")),
      explained,
    ).toEqual(["HASH [id]"]);
  });
});
