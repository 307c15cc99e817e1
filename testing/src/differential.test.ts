import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import {
  type CompiledQuery,
  compilePlan,
  compileTrees,
  duckdb,
  type Plan,
  type Policy,
  placedSelect,
  readPolicy,
  snapshotSelect,
  type TableStorage,
} from "@lethe/query";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  comparable,
  comparableCells,
  names,
  nativeRow,
  ofBoundedRows,
  ofUnits,
  policyOf,
  questions,
  seed,
  textRow,
} from "./differential-data.ts";
import { planned, plannedStages } from "./planned.ts";
import {
  type RawRow,
  type RawValue,
  type ReferenceGroup,
  referenceCells,
  referenceGroups,
} from "./reference-evaluator.ts";

function isIntegerKey(plan: Plan, at: number): boolean {
  // Behind the keys stands the cell of a tree.
  if (at === plan.keys.parts.length) return true;
  const { domain } = plan.keys.parts[at]!.expression;
  return domain.type === "number" ? domain.integer : domain.type === "date" || domain.type === "timestamp";
}

const nativeTypes = [
  "VARCHAR",
  "DOUBLE",
  "FLOAT8",
  "DOUBLE",
  "DOUBLE",
  "DOUBLE",
  "DOUBLE",
  "VARCHAR",
  "VARCHAR",
  "BOOLEAN",
  "DATE",
  "DATE",
  "TIMESTAMP",
];

/** A table as the owner keeps it, as import freezes it, and as an index orders it. */
const layouts = {
  raw: { relation: ["people"], layout: "raw" },
  snapshot: { relation: ["snapshot"], layout: "snapshot" },
  placed: { relation: ["placed"], layout: "snapshot", hasPlaces: true },
} as const;

describe("DuckDB computes what a plan means", () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:")).connect();
  });
  afterAll(() => connection.closeSync());

  async function load(rows: readonly RawRow[], types: readonly string[], policy: Policy): Promise<void> {
    const columns = names.map((name, at) => `"${name}" ${types[at]}`).join(", ");
    await connection.run(`CREATE OR REPLACE TABLE people (${columns})`);
    const literal = (value: RawValue, type: string): string =>
      value === null
        ? "NULL"
        : `CAST('${(Object.is(value, -0) ? "-0.0" : String(value)).replaceAll("'", "''")}' AS ${type})`;
    const values = rows.map(
      (row) => `(${names.map((name, at) => literal(row[name] ?? null, types[at]!)).join(", ")})`,
    );
    if (values.length > 0) await connection.run(`INSERT INTO people VALUES ${values.join(", ")}`);
    await connection.run(
      `CREATE OR REPLACE TABLE snapshot AS ${snapshotSelect(policy.tables.people!, "people", duckdb)}`,
    );
    if (policy.tables.people!.unit.kind === "row") return;
    const placed = placedSelect(policy.tables.people!, "snapshot", duckdb);
    await connection.run(`CREATE OR REPLACE TABLE placed AS ${placed}`, [seed]);
  }

  /** The plan's sums, then the cells of each of its trees. */
  async function executed(
    plan: Plan,
    layout: keyof typeof layouts,
    hasUnitNumbers: boolean,
  ): Promise<ReferenceGroup[][]> {
    // The hash of no two of these units is the same.
    const lies = (): TableStorage => ({ ...layouts[layout], hasUnitNumbers });
    const all: ReferenceGroup[][] = [];
    for (const query of [compilePlan(plan, lies, duckdb), ...compileTrees(plan, lies, duckdb)])
      all.push(await groupsOf(query, plan));
    return all;
  }

  async function groupsOf(query: CompiledQuery, plan: Plan): Promise<ReferenceGroup[]> {
    const reader = await connection.runAndReadAll(query.sql, query.needsSeed ? [seed] : undefined);
    return reader.getRows().map((row) => ({
      // As the engine's reader does: an INTEGER arrives as a number, and is an integer key all the same.
      key: row
        .slice(0, query.keys)
        .map((part, at) =>
          isIntegerKey(plan, at) && part !== null ? BigInt(part as number) : part,
        ) as ReferenceGroup["key"],
      units: row[query.keys] as bigint,
      sums: row.slice(query.keys + 1) as bigint[],
    }));
  }

  for (const [unit, groups, bound] of [
    ["row", 1, "groups-after-filter"],
    ["pid", 2, "groups-after-filter"],
    ["pid", 2, "rows-before-filter"],
  ] as const) {
    const policy = policyOf(unit, groups, undefined, bound);
    for (const [kind, arbitrary, types] of [
      ["native columns", nativeRow, nativeTypes],
      ["text columns", textRow, names.map(() => "VARCHAR")],
    ] as const) {
      it(`unit: ${unit} in ${groups} groups, ${bound}, ${kind}`, async () => {
        const ofThem = bound === "rows-before-filter" ? ofBoundedRows : [...questions, ...ofUnits];
        const asked = unit === "row" ? questions : ofThem;
        const plans = (await Promise.all(asked.map((question) => plannedStages(question, policy)))).flat();
        await fc.assert(
          fc.asyncProperty(fc.array(arbitrary as fc.Arbitrary<RawRow>, { maxLength: 40 }), async (rows) => {
            await load(rows, types, policy);
            for (const plan of plans) {
              const expected = comparable(plan, referenceGroups(plan, rows, seed));
              const cells = referenceCells(plan, rows, seed).map((each) => comparableCells(plan, each));
              const placed = bound === "rows-before-filter" ? (["placed"] as const) : [];
              for (const layout of ["raw", "snapshot", ...placed] as const) {
                const [groups, ...ofTrees] = await executed(plan, layout, types === nativeTypes);
                expect(comparable(plan, groups!), `${plan.text} (${layout})`).toEqual(expected);
                expect(
                  ofTrees.map((each) => comparableCells(plan, each)),
                  `${plan.text} (${layout})`,
                ).toEqual(cells);
              }
            }
          }),
          { numRuns: bound === "rows-before-filter" ? 2 : 8, seed: 7, endOnFailure: true },
        );
      });
    }
  }

  it("LIKE, in time that no text and no pattern can stretch", async () => {
    const policy = policyOf("row");
    await connection.run("CREATE OR REPLACE TABLE texts (town VARCHAR)");
    const alphabet = fc.constantFrom("a", "b", "%", "_", "\\\\", "\n", "😀", ".", "*", "'");
    const patterns = fc
      .array(alphabet, { maxLength: 9 })
      .map((letters) => letters.join("").replaceAll("'", "''"));
    const texts = fc.array(
      fc.string({ maxLength: 5, unit: fc.constantFrom("a", "b", "%", "\\", "\n", "😀", ".") }),
      {
        maxLength: 20,
      },
    );
    await fc.assert(
      fc.asyncProperty(patterns, texts, async (pattern, towns) => {
        const plan = await planned(`SELECT COUNT(*) FROM people WHERE town LIKE '${pattern}'`, policy);
        const rows = towns.map((town): RawRow => ({ town }));
        await connection.run("DELETE FROM texts");
        for (const town of towns) await connection.run("INSERT INTO texts VALUES ($1)", [town]);
        const query = compilePlan(plan, () => ({ relation: ["texts"], layout: "raw" }), duckdb);
        const reader = await connection.runAndReadAll(query.sql);
        expect(reader.getRows()[0]!.at(-1), pattern).toBe(referenceGroups(plan, rows, seed)[0]!.sums[0]);
      }),
      { numRuns: 60, seed: 3, endOnFailure: true },
    );
    // DuckDB's own LIKE would be at this until the stars go out.
    const slow = `SELECT COUNT(*) FROM people WHERE code LIKE '${"%a_".repeat(80)}b'`;
    const wide = readPolicy(
      JSON.stringify({
        version: 1,
        privacy_unit: { name: "person", adjacency: "add-or-remove-one" },
        budget: { measure: "pure", epsilon: 9 },
        tables: {
          people: { file: "p.parquet", unit: "row", columns: { code: { type: "text", max_length: 4096 } } },
        },
      }),
    );
    await connection.run("CREATE OR REPLACE TABLE long AS SELECT repeat('a', 4096) AS code");
    const query = compilePlan(
      await planned(slow, wide),
      () => ({ relation: ["long"], layout: "raw" }),
      duckdb,
    );
    expect((await connection.runAndReadAll(query.sql)).getRows()[0]!.at(-1)).toBe(0n);
  });
});
