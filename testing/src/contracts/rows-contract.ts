import { LetheError } from "@lethe/core";
import type { UnitRows } from "@lethe/core/mechanisms";
import {
  type CompiledRows,
  compilePlan,
  compileRows,
  dialects,
  type Engine,
  type Expression,
  evaluate,
  gridFor,
  type Plan,
  type Policy,
  type RowColumn,
  type TableStorage,
} from "@lethe/query";
import type { Dialect } from "@lethe/query/dialects";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unseal } from "../../../packages/core/src/exact/exact.ts";
import { nativeRow, policyOf, seed, textRow, type Where } from "../differential-data.ts";
import { planned } from "../planned.ts";
import { type RawRow, rowsOfUnits } from "../reference-evaluator.ts";
import { type CleanRow, gridInteger } from "../reference-rows.ts";

/** An engine over the table `people` of ../differential-data.ts, opened with its seed. */
export interface RowsSubject {
  readonly engine: Engine;
  /** The places where the table lies in each of the layouts that the engine knows. */
  readonly layouts: readonly TableStorage[];
  /** The entries of the owner's log. */
  readonly logged: readonly string[];
  close(): Promise<void>;
}

export interface RowsRequestOfTest {
  readonly policy: Policy;
  /** Texts in every column, as a CSV has them, or the database's own types. */
  readonly types: "native" | "text";
  readonly rows: readonly RawRow[];
  /** The most values that the engine may read, where a test sets one. */
  readonly maxValues?: number;
}

/** Numbers as they are stored, on other grids, computed; each with the bounds of its grid. */
const numbers: Readonly<Record<string, readonly [lo: number, hi: number, isInteger: boolean]>> = {
  wage: [-3.7, 60.1, false],
  rate: [0.001, 2, false],
  age: [0, 120, true],
  wild: [-1, 1e6, false],
  code: [-5, 5, true],
  since: [18_000, 19_000, true],
  "wage / (age - 40)": [-5, 5, false],
  "wild * wild * 1e300": [-1e300, 1e300, false],
};
const many = ["", "a", "b'", "ü", "Łódź", "oslo", "Oslo", "a b ", " x", "1", "2.5", "no", "TRUE", "f", "NaN"];
const categories: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  sector: ["a", "b'", "ü"],
  // Too many to be told apart one by one.
  town: [...many, "1e400", "+-1", "0x1F", "1_000", "yes"],
  grade: [5, 1],
  member: [false, true],
  wild: [0, 2.5, 17.5, 1e308],
  "age > 17.5": [true, false],
};

const filters = ["", "WHERE age > 3 AND wage < 50", "WHERE town LIKE '%o%' OR member", "WHERE wild * 0 = 0"];

/** The plan of a question that reads every column, and the columns. */
async function asked(policy: Policy, filter: string): Promise<{ plan: Plan; columns: RowColumn[] }> {
  const texts = [...new Set([...Object.keys(numbers), ...Object.keys(categories)])];
  const plan = await planned(`SELECT COUNT(*) FROM people ${filter} GROUP BY ${texts.join(", ")}`, policy);
  const expressionOf = (text: string): Expression => plan.keys.parts[texts.indexOf(text)]!.expression;
  const ofNumbers = Object.entries(numbers).map(([text, [lo, hi, isInteger]]) => ({
    kind: "number" as const,
    expression: expressionOf(text),
    grid: gridFor([lo, hi], isInteger),
  }));
  const ofCategories = Object.entries(categories).map(([text, values]) => ({
    kind: "category" as const,
    expression: expressionOf(text),
    categories: values,
  }));
  return { plan, columns: [...ofNumbers, ...ofCategories] };
}

/** What a row's column is, computed apart. */
function expected(column: RowColumn, row: CleanRow): number {
  if (column.kind === "category") {
    const value = evaluate(column.expression, row);
    const place = value === null ? -1 : column.categories.indexOf(value);
    return place < 0 ? Number.NaN : place;
  }
  const [i] = gridInteger(column.expression, column.grid, row);
  return i === undefined ? Number.NaN : Number(i) * 2 ** column.grid.exponent;
}

const dialectOf = ({ dialect }: Engine): Dialect => dialects[dialect]!;

type Rows = readonly (readonly number[])[];

/** The rows of each unit, as they came. */
function unitsOf({ columns, offsets }: UnitRows): Rows[] {
  return Array.from(offsets.subarray(1), (end, u) =>
    Array.from({ length: end - offsets[u]! }, (_, at) => columns.map((column) => column[offsets[u]! + at]!)),
  );
}

/** NaN comes last. */
function compareRows(a: readonly number[], b: readonly number[]): number {
  for (const [at, x] of a.entries()) {
    const y = b[at]!;
    if (Object.is(x, y)) continue;
    return Number.isNaN(x) ? 1 : Number.isNaN(y) ? -1 : x - y;
  }
  return 0;
}

const spelled = (units: readonly Rows[]): string[] =>
  units.map((rows) => rows.map(String).join(" | ")).sort();

/** Tests that an engine reads the rows that a plan is about, and fails as it does anywhere. */
export function rowsContract(
  name: string,
  where: Where | undefined,
  open: (request: RowsRequestOfTest) => Promise<RowsSubject>,
  runs: number,
): void {
  async function withSubject(
    request: RowsRequestOfTest,
    use: (subject: RowsSubject) => Promise<void>,
  ): Promise<void> {
    const subject = await open(request);
    try {
      await use(subject);
    } finally {
      await subject.close();
    }
  }

  describe(`${name} reads rows for training`, () => {
    for (const [unit, limit] of [
      ["row", "groups-after-filter"],
      ["pid", "rows-before-filter"],
    ] as const)
      for (const types of ["native", "text"] as const)
        it(`unit: ${unit}, ${limit}, ${types} columns`, async () => {
          const policy = policyOf(unit, 2, where, limit);
          const plans = await Promise.all(filters.map((filter) => asked(policy, filter)));
          const sums = await Promise.all(
            filters.map((filter) =>
              planned(
                `SELECT COUNT(*), SUM(wage), SUM(age), SUM(rate * 2 + age) FROM people ${filter}`,
                policy,
              ),
            ),
          );
          const arbitrary = types === "native" ? nativeRow : textRow;
          await fc.assert(
            fc.asyncProperty(fc.array(arbitrary as fc.Arbitrary<RawRow>, { maxLength: 60 }), async (rows) => {
              await withSubject({ policy, types, rows }, async ({ engine, layouts, logged }) => {
                const dialect = dialectOf(engine);
                const read = async (query: CompiledRows): Promise<UnitRows> =>
                  unseal(
                    await engine.rows(query).catch((error: unknown) => {
                      throw new Error(`${error}: ${logged.at(-1)}: ${query.sql}`);
                    }),
                  );
                for (const lies of layouts) {
                  for (const { plan, columns } of plans) {
                    const found = unitsOf(await read(compileRows({ plan, columns }, () => lies, dialect)));
                    const meant = new Map<string, number[][]>();
                    for (const { unit: owner, row } of rowsOfUnits(plan, rows, seed)) {
                      const ofUnit = meant.get(owner) ?? [];
                      meant.set(owner, ofUnit);
                      ofUnit.push(columns.map((column) => expected(column, row)));
                    }
                    const ordered = [...meant.values()].map((ofUnit) => ofUnit.sort(compareRows));
                    const label = `${plan.text} (${lies.layout})`;
                    expect(spelled(found), label).toEqual(spelled(ordered));
                    // Where rows are units they come in order themselves.
                    const all = found.flat();
                    if (unit === "row") expect(all, label).toEqual([...all].sort(compareRows));
                  }
                  for (const plan of sums) await expectSums(plan, lies, engine, read);
                }
              });
            }),
            { numRuns: runs, seed: 5, endOnFailure: true },
          );
        });

    /** The sums of the rows' grid integers are those that the plan's own statement gives. */
    async function expectSums(
      plan: Plan,
      lies: TableStorage,
      engine: Engine,
      read: (query: CompiledRows) => Promise<UnitRows>,
    ): Promise<void> {
      const dialect = dialectOf(engine);
      const columns = plan.sums.flatMap((sum): (RowColumn & { kind: "number" })[] =>
        sum.kind === "sum" ? [{ kind: "number", expression: sum.argument, grid: sum.grid }] : [],
      );
      expect(columns.length).toBe(3);
      const rows = await read(compileRows({ plan, columns }, () => lies, dialect));
      const added = rows.columns.map((values, at) =>
        values.reduce(
          (total, value) =>
            Number.isNaN(value) ? total : total + BigInt(value * 2 ** -columns[at]!.grid.exponent),
          0n,
        ),
      );
      const [group] = unseal(await engine.run(compilePlan(plan, () => lies, dialect))).groups;
      const bySum = new Map(plan.sums.map((sum, at) => [sum.kind, group!.sums[at]!] as const));
      expect(added, plan.text).toEqual(
        plan.sums.flatMap((sum, at) => (sum.kind === "sum" ? [group!.sums[at]!] : [])),
      );
      expect(BigInt(rows.offsets.at(-1)!), plan.text).toBe(bySum.get("count"));
    }

    const two: readonly RawRow[] = ["p1", "p2", "p1"].map((pid, at) => ({ pid, wage: at + 31_337, age: at }));
    const policy = policyOf("pid", 2, where, "rows-before-filter");

    it("fails with one constant, whatever happened; the log has the details, the error has none", () =>
      withSubject(
        { policy, types: "native", rows: two, maxValues: 5 },
        async ({ engine, layouts, logged }) => {
          const { dialect } = engine;
          const doubles = (...values: readonly (number | string)[]): string =>
            values.map((value) => `CAST(${value} AS double precision)`).join(", ");
          const rows = (sql: string, columns: number, numbersUnits = true, more = {}): CompiledRows =>
            ({ dialect, sql, columns, numbersUnits, needsSeed: false, ...more }) as unknown as CompiledRows;
          const failures: CompiledRows[] = [
            rows("SELECT nonsense 31337 FROM", 1),
            rows(`SELECT ${doubles(1, 31337)}`, 2),
            rows(`SELECT ${doubles(1, 31337)}`, 1, false),
            rows(`SELECT ${doubles(1)}, '31337'`, 1),
            rows(`SELECT ${doubles(1)}, 31337`, 1),
            rows(`SELECT ${doubles(2, 31337)}`, 1),
            rows(`SELECT ${doubles("NULL", 31337)}`, 1),
            rows(`SELECT ${doubles(1, 31337)}`, 1, true, { dialect: "another" }),
            rows(
              `SELECT ${doubles("n", "n")} FROM (VALUES (1), (2), (3), (4), (5), (6)) AS t(n) ORDER BY n`,
              1,
            ),
            rows(`SELECT ${doubles(1, "length($1)")}`, 1),
          ];
          const errors: unknown[] = [];
          for (const query of failures) {
            const told = logged.length;
            errors.push(await engine.rows(query).catch((error: unknown) => error));
            expect(logged.length, query.sql).toBeGreaterThan(told);
          }
          for (const error of errors) {
            expect(error).toBeInstanceOf(LetheError);
            expect(error).toMatchObject({ code: "engine.failed" });
            expect(JSON.stringify(error)).toBe(JSON.stringify(errors[0]));
            expect((error as LetheError).cause).toBeUndefined();
          }
          expect(JSON.stringify(errors)).not.toContain("31337");

          const seeded = rows(`SELECT ${doubles(1, "length($1)")}`, 1, true, { needsSeed: true });
          expect(unseal(await engine.rows(seeded)).columns[0]![0]).toBe([...seed].length);
          const few = `SELECT ${doubles("n", "n")} FROM (VALUES (1), (2), (3), (4), (5)) AS t(n) ORDER BY n`;
          expect([...unseal(await engine.rows(rows(few, 1))).offsets]).toEqual([0, 1, 2, 3, 4, 5]);
          expect(layouts.length).toBeGreaterThan(0);
        },
      ));

    it("seals what it read, and reads no row where there is none", () =>
      withSubject({ policy, types: "native", rows: two }, async ({ engine, layouts }) => {
        const dialect = dialectOf(engine);
        const { plan, columns } = await asked(policy, "");
        const sealed = await engine.rows(compileRows({ plan, columns }, () => layouts[0]!, dialect));
        expect(() => JSON.stringify(sealed)).toThrow(TypeError);
        expect(() => `${sealed}`).toThrow(TypeError);
        expect([...unseal(sealed).offsets]).toEqual([0, 2, 3]);
        const none = await asked(policy, "WHERE age > 100");
        const empty = unseal(await engine.rows(compileRows(none, () => layouts[0]!, dialect)));
        expect([...empty.offsets]).toEqual([0]);
        expect(empty.columns.map(({ length }) => length)).toEqual(columns.map(() => 0));
      }));

    it("reads results of many rows whole", () =>
      withSubject({ policy, types: "native", rows: two }, async ({ engine }) => {
        const digits = "(VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9))";
        const from = ["a", "b", "c", "d", "e"].map((alias) => `${digits} AS ${alias}(${alias})`).join(", ");
        const n = "a + 10 * b + 100 * c + 1000 * d + 10000 * e";
        const sql = `SELECT CAST(${n} AS double precision) AS x, CAST(a AS double precision) FROM ${from} ORDER BY x`;
        const query = { dialect: engine.dialect, sql, columns: 2, numbersUnits: false, needsSeed: false };
        const { columns, offsets } = unseal(await engine.rows(query as unknown as CompiledRows));
        expect(offsets.length).toBe(100_001);
        expect(columns[0]!.every((value, row) => value === row)).toBe(true);
        expect(columns[1]!.every((value, row) => value === row % 10)).toBe(true);
      }));
  });
}
