import { compilePlan, compileTrees, type Plan, type Policy, trino } from "@lethe/query";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
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
} from "../differential-data.ts";
import { plannedStages } from "../planned.ts";
import { type RawRow, type RawValue, referenceCells, referenceGroups } from "../reference-evaluator.ts";
import { askTrino, freshTable, hasTrino } from "./ask-trino.ts";
import { lendTrinoTable } from "./lend-trino-table.ts";
import { trinoGroups } from "./trino-groups.ts";

/*
 * The questions and rows of ../differential.test.ts and ../postgres/differential.test.ts, where DuckDB and PostgreSQL are compared with the
 * same reference: what Trino computes of them is the same to the last digit. DIFFERENTIAL asks for more sets of rows.
 */

const runs = Number(process.env.DIFFERENTIAL ?? 1);

type Types = Readonly<Record<string, string>>;
const doubles: Types = {
  ...{ pid: "varchar", wage: "double", rate: "real", wild: "double", age: "double", grade: "double" },
  ...{ code: "double", sector: "varchar(40)", town: "varchar", member: "boolean" },
  ...{ since: "date", born: "date", seen: "timestamp(6)" },
};
const exact: Types = {
  ...{
    pid: "varchar(9)",
    wage: "decimal(38,6)",
    rate: "decimal(18,9)",
    wild: "decimal(38,3)",
    age: "integer",
  },
  ...{ grade: "smallint", code: "bigint", sector: "char(12)", town: "char(20)", member: "boolean" },
  ...{ since: "timestamp(12)", born: "timestamp(3) with time zone", seen: "timestamp(6) with time zone" },
};
const texts: Types = Object.fromEntries(names.map((name) => [name, "varchar"]));

const ranges: Readonly<Record<string, number>> = { smallint: 2 ** 15, integer: 2 ** 31, bigint: 2 ** 63 };

/** Returns a value as a column of this type holds it: null for what it cannot hold. */
function kept(value: RawValue, type: string): RawValue {
  if (typeof value === "string") return type.startsWith("char(") ? value.replace(/ +$/, "") : value;
  if (typeof value !== "number") return value;
  if (type === "real") return Math.fround(value);
  const range = ranges[type];
  if (range !== undefined)
    return Number.isInteger(value) && value >= -range && value < range ? BigInt(value) : null;
  const [, precision, scale] = /^decimal\((\d+),(\d+)\)$/.exec(type) ?? [];
  if (precision === undefined) return value;
  const text = value.toFixed(Number(scale));
  return Math.abs(value) < 1e20 && text.replace(/\D/g, "").length <= Number(precision) ? text : null;
}

const settings = [
  ["row", 1, "groups-after-filter"],
  ["pid", 2, "groups-after-filter"],
  ["pid", 2, "rows-before-filter"],
] as const;

it.each(settings)(
  "no question is too large for Trino: unit: %s in %i groups, %s",
  async (unit, groups, bound) => {
    const policy: Policy = policyOf(unit, groups, undefined, bound);
    const asked = unit === "row" ? questions : bound === "rows-before-filter" ? ofBoundedRows : ofUnits;
    const storage = { relation: ["t"], layout: "raw", types: texts, hasUnitNumbers: false } as const;
    const plans = (await Promise.all(asked.map((question) => plannedStages(question, policy)))).flat();
    for (const plan of plans) {
      expect(compilePlan(plan, () => storage, trino).sql).toContain("SELECT");
      compileTrees(plan, () => storage, trino);
    }
  },
);

describe.skipIf(!hasTrino())("Trino computes what a plan means (LETHE_TRINO)", () => {
  const table = freshTable("people");
  const storage = (types: Types) =>
    ({ relation: table.split("."), layout: "raw", types, hasUnitNumbers: false }) as const;
  afterAll(() => askTrino(`DROP TABLE IF EXISTS ${table}`));

  async function agrees(plan: Plan, types: Types, rows: readonly RawRow[]): Promise<void> {
    const storageOf = () => storage(types);
    const groups = await trinoGroups(compilePlan(plan, storageOf, trino), plan, seed);
    expect(comparable(plan, groups), plan.text).toEqual(comparable(plan, referenceGroups(plan, rows, seed)));
    const cells = referenceCells(plan, rows, seed);
    for (const [at, query] of compileTrees(plan, storageOf, trino).entries())
      expect(comparableCells(plan, await trinoGroups(query, plan, seed)), plan.text).toEqual(
        comparableCells(plan, cells[at]!),
      );
  }

  for (const [unit, groups, bound] of settings) {
    const policy: Policy = policyOf(unit, groups, undefined, bound);
    for (const [kind, arbitrary, types] of [
      ["doubles", nativeRow, doubles],
      ["exact numbers", nativeRow, exact],
      ["texts", textRow, texts],
    ] as const) {
      it(`unit: ${unit} in ${groups} groups, ${bound}, columns of ${kind}`, async () => {
        const ofThem = bound === "rows-before-filter" ? ofBoundedRows : [...questions, ...ofUnits];
        const asked = unit === "row" ? questions : ofThem;
        const plans = (await Promise.all(asked.map((question) => plannedStages(question, policy)))).flat();
        const columns = names.map((name) => ({ name, type: types[name]! }));
        await fc.assert(
          fc.asyncProperty(fc.array(arbitrary, { minLength: 8, maxLength: 40 }), async (raw) => {
            const rows = raw.map(
              (row): RawRow =>
                Object.fromEntries(names.map((name) => [name, kept(row[name] ?? null, types[name]!)])),
            );
            await lendTrinoTable(table, columns, rows);
            // Several at once: most of a small question's time is its way through the server.
            for (let at = 0; at < plans.length; at += 4)
              await Promise.all(plans.slice(at, at + 4).map((plan) => agrees(plan, types, rows)));
          }),
          { numRuns: runs, seed: 13, endOnFailure: true },
        );
      });
    }
  }
});
