import { DuckDBInstance } from "@duckdb/node-api";
import { parseRational } from "@lethe/core";
import { expect, it } from "vitest";
import { dialects } from "../dialects/index.ts";
import { parseQuestion } from "../parse/index.ts";
import { planQuestion } from "../plan/index.ts";
import { readPolicy } from "../policy/index.ts";
import { resolveQuestion } from "../resolve/index.ts";
import { compilePlan } from "./index.ts";
import type { TableStorage } from "./stored/storage-of.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
tables:
  events: { file: e.parquet, unit: uid, max_groups_contributed: 2, max_rows_contributed_per_group: 3,
    columns: { uid: { type: integer }, grp: { type: integer, categories: [0, 1, 2, 3, 4, 5, 6] },
      fine: { type: integer, bounds: [0, 9999] } } }
`);

const questions = [
  "SELECT grp, COUNT(*), AVG(fine) FROM events GROUP BY grp",
  "SELECT fine, COUNT(*) FROM events GROUP BY fine",
  "SELECT grp, COUNT(DISTINCT fine) FROM events GROUP BY grp",
  "SELECT COUNT(DISTINCT fine) FROM events",
];

it("keeps the same rows whether units are told apart by integers or by their names", async () => {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  const answer = async (text: string, types?: TableStorage["types"]): Promise<string> => {
    const question = resolveQuestion(await parseQuestion(text), policy);
    const plan = planQuestion(question, policy, { epsilon: parseRational("1") }, "hash");
    const storage = { relation: ["events"], layout: "raw", ...(types && { types }) } as const;
    const query = compilePlan(plan, () => storage, dialects.duckdb!);
    const result = await connection.runAndReadAll(query.sql, query.needsSeed ? ["seed"] : undefined);
    return JSON.stringify(result.getRowsJson().map(String).sort());
  };
  const part = (salt: number, most: number, none: number): string =>
    `CASE WHEN hash(i, ${salt}, 0) % ${none} > 0 THEN hash(i, ${salt}) % ${most} END`;
  for (const [units, values, salt] of [
    [3, 4, 1],
    [40, 30, 2],
    [300, 5000, 3],
  ] as const) {
    await connection.run(`CREATE OR REPLACE TABLE events AS SELECT CAST(${part(salt, units, 17)} AS BIGINT) AS uid,
      CAST(${part(salt + 10, 9, 13)} AS INTEGER) AS grp, CAST(${part(salt + 20, values, 9)} AS INTEGER) AS fine
      FROM range(1500) AS t (i)`);
    for (const question of questions)
      expect(await answer(question, { uid: "BIGINT" }), question).toBe(await answer(question));
  }
  connection.closeSync();
});
