import { describe, expect, it } from "vitest";
import { duckdb } from "../../dialects/duckdb/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { type KeptRows, keptRows } from "./kept-rows.ts";

const policyOf = (unit: string, limits = ""): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables:
  people: { file: a.duckdb, unit: id, key: code, columns: { id: { type: text }, code: { type: text } } }
  visits: { file: a.duckdb, unit: ${unit}, ${limits} columns: { who: { type: text }, ward: { type: text, categories: [a, b] }, late: { type: boolean }, town: { type: text } } }
`);
const limits = "max_groups_contributed: 2, max_rows_contributed_per_group: 3,";
const snapshot = { relation: ["s", "visits"], layout: "snapshot" } as const;

/** Answers the statements of `keptRows` one after the other, and keeps them. */
async function asked(
  policy: Policy,
  answers: readonly (readonly number[])[],
): Promise<{ readonly found: KeptRows | null; readonly statements: readonly string[] }> {
  const statements: string[] = [];
  const found = await keptRows(policy, "visits", snapshot, duckdb, async (sql) => {
    statements.push(sql);
    return answers[statements.length - 1]!;
  });
  return { found, statements };
}

describe("the rows that limits keep", () => {
  it("are counted in all, and for each column with public keys in which units are in too many groups", async () => {
    const { found, statements } = await asked(policyOf("who", limits), [
      [20, 5, 30, 40],
      [4, 24],
      [0, 40],
    ]);
    expect(found).toEqual({
      units: 20,
      beyond: 5,
      limit: 3,
      share: 0.75,
      grouped: [{ column: "ward", beyond: 4, share: 0.6 }],
    });
    const [all, ward, late, ...more] = statements;
    expect(more).toEqual([]);
    expect(all).toContain("count(*) FILTER (WHERE n > 3)");
    expect(all).toContain("sum(least(n, 3))");
    expect(all).toContain('FROM "s"."visits" AS rows');
    for (const [sql, column] of [
      [ward, "ward"],
      [late, "late"],
    ] as const) {
      expect(sql).toContain("count(*) FILTER (WHERE g > 2)");
      expect(sql).toContain("sum(least(n, 3)) AS kept");
      expect(sql).toContain("kept * least(g, 2)");
      expect(sql).toContain(`, "${column}")`);
    }
  });

  it("are all where there are none", async () => {
    const { found } = await asked(policyOf("who"), [
      [0, 0, 0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(found).toEqual({ units: 0, beyond: 0, limit: 1, share: 1, grouped: [] });
  });

  it("are those of the table where its rows are bounded before the filter, whatever the groups", async () => {
    const policy = policyOf("who", `${limits} limit: rows-before-filter,`);
    const { found, statements } = await asked(policy, [[20, 1, 39, 40]]);
    expect(statements).toHaveLength(1);
    // Two groups of three rows.
    expect(statements[0]).toContain("WHERE n > 6");
    expect(found).toEqual({ units: 20, beyond: 1, limit: 6, share: 0.975, grouped: [] });
  });

  it("are nobody's to count where each row is a unit, or another table tells whose a row is", async () => {
    for (const unit of ["row", "{ through: who, references: people.code }"]) {
      const { found, statements } = await asked(policyOf(unit), []);
      expect([found, statements]).toEqual([null, []]);
    }
    // A key that names the unit is one of the table's own.
    const { found } = await asked(policyOf("{ through: who, references: people.id }"), [
      [1, 0, 1, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(found).toMatchObject({ units: 1, share: 1 });
  });
});
