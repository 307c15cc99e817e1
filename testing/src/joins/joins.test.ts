import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { canonicalKey, type ExactGroup } from "@lethe/core/mechanisms";
import {
  type CompiledQuery,
  compilePlan,
  compileTrees,
  duckdb,
  type Plan,
  type Policy,
  readPolicy,
  snapshotSelect,
} from "@lethe/query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planned } from "../planned.ts";
import { type RawRow, type RawTables, type RawValue, referenceGroups } from "../reference-evaluator.ts";
import { refutedClaims, refutedTrees } from "../refuted-claims.ts";
import { neighbourOf, ownedTables, ownerIn, questionOf, randomShop, shapes } from "./random-shop.ts";
import { joinWords, shopPolicy } from "./shop.ts";

/*
 * Questions over several tables, through the SQL that answers them, on data that break every key's promise: DuckDB
 * computes what a nested loop over all rows does, and between data sets that differ in all that one unit owns no
 * measurement moves farther than the plan's price assumes.
 */

const cases = Number(process.env.JOINS ?? 22);
const firstSeed = Number(process.env.JOINS_SEED ?? 1);
const seed = "a secret seed";

const types: Readonly<Record<string, string>> = {
  id: "INTEGER",
  person_id: "INTEGER",
  age: "INTEGER",
  day: "INTEGER",
  grade: "INTEGER",
  cost: "DOUBLE",
  price: "DOUBLE",
  weight: "DOUBLE",
  fee: "DOUBLE",
};

describe("questions over joins", () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(":memory:", { threads: "2" })).connect();
  });
  afterAll(() => connection.closeSync());

  async function load(policy: Policy, tables: RawTables): Promise<void> {
    for (const [table, { columns }] of Object.entries(policy.tables)) {
      const names = Object.keys(columns);
      const typed = names.map((name) => `"${name}" ${types[name] ?? "VARCHAR"}`).join(", ");
      await connection.run(`CREATE OR REPLACE TABLE raw_${table} (${typed})`);
      const rows = (tables[table] ?? []).map(
        (row) => `(${names.map((name) => literal(row, name)).join(", ")})`,
      );
      if (rows.length > 0) await connection.run(`INSERT INTO raw_${table} VALUES ${rows.join(", ")}`);
      const select = snapshotSelect(policy.tables[table]!, `raw_${table}`, duckdb);
      await connection.run(`CREATE OR REPLACE TABLE snapshot_${table} AS ${select}`);
    }
  }

  async function executed(plan: Plan, layout: "raw" | "snapshot"): Promise<Answer> {
    const storageOf = (table: string) => ({ relation: [`${layout}_${table}`], layout });
    const cells: ExactGroup[][] = [];
    for (const query of compileTrees(plan, storageOf, duckdb)) cells.push(await groupsOf(plan, query));
    return [await groupsOf(plan, compilePlan(plan, storageOf, duckdb)), ...cells];
  }

  async function groupsOf(plan: Plan, query: CompiledQuery): Promise<ExactGroup[]> {
    const reader = await connection
      .runAndReadAll(query.sql, query.needsSeed ? [seed] : undefined)
      .catch((error) => {
        throw new Error(`${plan.text}: ${error}: ${query.sql}`);
      });
    return reader.getRows().map((row) => ({
      key: row.slice(0, query.keys).map((part, at) => keyPart(plan, at, part as never)),
      units: row[query.keys] as bigint,
      sums: row.slice(query.keys + 1) as bigint[],
    }));
  }

  it("mean what the plan says, and no unit moves them farther than it is charged for", async () => {
    const seen = { moved: 0, groups: 0, shapes: new Set<string>() };
    for (let at = firstSeed; at < firstSeed + cases; at += 1) {
      const { tables, dice } = randomShop(at);
      const adjacency = dice.one(["add-or-remove-one", "replace-one"]);
      const policy = readPolicy(shopPolicy(adjacency, 1 + dice.below(2), 1 + dice.below(3), joinWords(dice)));
      const units = ownedTables.flatMap((table) =>
        (tables[table] ?? []).flatMap((row) => ownerIn(policy, tables, table, row) ?? []),
      );
      const gone = units.length === 0 ? "nobody" : dice.one(units);
      const other = neighbourOf(dice, policy, tables, gone);
      const plans: Plan[] = [];
      for (let n = 0; n < 6; n += 1) {
        const shape = shapes[(at * 6 + n) % shapes.length]!;
        seen.shapes.add(shape.from);
        plans.push(await planned(questionOf(dice, shape), policy));
      }
      const answers: Answer[][] = [];
      for (const side of [tables, other]) {
        await load(policy, side);
        const found: Answer[] = [];
        for (const plan of plans) {
          const expected = comparable(plan, referenceGroups(plan, side, seed));
          for (const layout of ["raw", "snapshot"] as const) {
            const all = await executed(plan, layout);
            const [groups] = all;
            expect(comparable(plan, groups), `seed ${at} (${layout}): ${plan.text}`).toEqual(expected);
            if (layout === "raw") found.push(all);
          }
        }
        answers.push(found);
      }
      for (const [n, plan] of plans.entries()) {
        const [[a, ...cells], [b, ...otherCells]] = [answers[0]![n]!, answers[1]![n]!];
        const broken = [...refutedClaims(plan, a, b), ...refutedTrees(plan, cells, otherCells)];
        expect(broken, `seed ${at}: ${plan.text}`).toEqual([]);
        seen.groups += a.length;
        if (JSON.stringify(comparable(plan, a)) !== JSON.stringify(comparable(plan, b))) seen.moved += 1;
      }
    }
    // The comparison compares something.
    expect(seen.moved).toBeGreaterThan(cases);
    expect(seen.groups).toBeGreaterThan(5 * cases);
    expect(seen.shapes.size).toBe(Math.min(shapes.length, cases * 6));
  });
});

/** The groups of the sums, the cells of each tree. */
type Answer = readonly [ExactGroup[], ...ExactGroup[][]];

function literal(row: RawRow, name: string): string {
  const value: RawValue = row[name] ?? null;
  if (value === null) return "NULL";
  return `TRY_CAST('${String(value).replaceAll("'", "''")}' AS ${types[name] ?? "VARCHAR"})`;
}

function keyPart(plan: Plan, at: number, part: string | number | bigint | boolean | null) {
  const expression = plan.keys.parts[at]?.expression;
  // Behind the keys of a tree stands the cell.
  if (!expression) return BigInt(part as bigint);
  const { domain } = expression;
  return part !== null && domain.type === "number" && domain.integer ? BigInt(part) : part;
}

/** In order of key, without groups of undeclared keys. */
function comparable(plan: Plan, groups: readonly ExactGroup[]): unknown {
  const { program, parts } = plan.keys;
  const declared =
    program.kind === "public"
      ? new Set(
          program.declared.map((key) => canonicalKey(key.map((part, at) => keyPartOf(parts, at, part)))),
        )
      : null;
  return groups
    .map(({ key, units, sums }) => ({
      key: canonicalKey(key),
      units: program.kind === "private" ? `${units}` : "0",
      sums: sums.map(String),
    }))
    .filter(({ key }) => declared === null || declared.has(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function keyPartOf(parts: Plan["keys"]["parts"], at: number, part: string | number | boolean | null) {
  const { domain } = parts[at]!.expression;
  return typeof part === "number" && domain.type === "number" && domain.integer ? BigInt(part) : part;
}
