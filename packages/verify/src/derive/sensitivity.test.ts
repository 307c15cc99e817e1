import type { Plan, Relation, SumColumn } from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberColumn, type PlanParts, planOf } from "../testing/plan-of.ts";
import { named } from "./named.ts";
import { deriveSensitivity, groupsTouched } from "./sensitivity.ts";

type Row = bigint | null;

/** Returns the sum that the engine would compute for a unit with these rows in a group: the meaning of each column, spelled out. */
function columnValue(sum: SumColumn, rows: readonly Row[], r: number): bigint {
  if (sum.kind === "units") return 1n;
  if (sum.kind === "count" && sum.argument === null) return BigInt(Math.min(rows.length, r));
  if (sum.kind === "scaled-products" || sum.kind === "distinct" || sum.kind === "distinct-powers")
    throw new Error("tested by itself below");
  const values = rows.filter((row) => row !== null);
  if (sum.kind === "units-with") return values.length > 0 ? 1n : 0n;
  const n = BigInt(values.length);
  const m = BigInt(Math.min(values.length, r));
  if (sum.kind === "count" || n === 0n) return m;
  const total = (of: (i: bigint) => bigint): bigint => values.reduce((all, i) => all + of(i), 0n);
  const halfUp = (num: bigint, den: bigint): bigint => {
    const twice = 2n * num + den;
    const quotient = twice / (2n * den);
    return twice < 0n && quotient * 2n * den !== twice ? quotient - 1n : quotient;
  };
  if (sum.kind === "sum") {
    const [lo, hi, all] = [BigInt(sum.lo), BigInt(sum.hi), total((i) => i)];
    return all < lo ? lo : all > hi ? hi : all;
  }
  const mid = BigInt(sum.mid);
  return halfUp(total((i) => (sum.kind === "scaled-sum" ? i - mid : (i - mid) ** 2n)) * m, n);
}

/** Every value that a row can have. */
function rowValues(plan: Plan): readonly Row[] {
  const gridded = plan.sums.find((sum) => "grid" in sum);
  const [lo, hi] = gridded ? [Number(gridded.grid.lo), Number(gridded.grid.hi)] : [0, 0];
  const nullable = plan.sums.some((sum) => "argument" in sum && sum.argument?.domain.nullable);
  const cells: Row[] = nullable ? [null] : [];
  for (let i = lo; i <= hi; i += 1) cells.push(BigInt(i));
  return cells;
}

/** The measurement's value for a unit with these rows in a group. */
function measured(plan: Plan, rows: readonly Row[], r: number): bigint {
  return plan.measurements[0]!.terms.reduce(
    (all, { sum, coefficient }) => all + BigInt(coefficient) * columnValue(named(plan.sums, sum), rows, r),
    0n,
  );
}

/** Every value that a present unit can have in one group. */
function unitValues(plan: Plan, mostRows: number): readonly bigint[] {
  const cells = rowValues(plan);
  let tables: Row[][] = [[]];
  const found = new Set<bigint>();
  for (let n = 1; n <= mostRows; n += 1) {
    tables = tables.flatMap((table) => cells.map((cell) => [...table, cell]));
    for (const rows of tables) found.add(measured(plan, rows, plan.contribution.rows));
  }
  // Distances are largest at the extremes, and at 0.
  const sorted = [...found].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return [sorted[0]!, sorted.at(-1)!];
}

/** The largest distance between neighbours over all vectors that one unit can have. */
function bruteForce(plan: Plan, groupsInAll: number, mostRows: number): { l1: bigint; l2Squared: bigint } {
  const present = unitValues(plan, mostRows);
  const k = plan.unit.kind === "row" ? 1 : plan.contribution.groups;
  let vectors: bigint[][] = [[]];
  for (let group = 0; group < groupsInAll; group += 1) {
    vectors = vectors.flatMap((vector) => [[...vector, 0n], ...present.map((value) => [...vector, value])]);
  }
  // A value of 0 in a group may also be a present unit's; counting it as absent only adds vectors that exist anyway.
  vectors = vectors.filter((vector) => vector.filter((value) => value !== 0n).length <= k);
  const always = plan.keys.program.kind === "none" && plan.where === null;
  if (always) vectors = present.map((value) => [value]);
  const others = plan.adjacency === "replace-one" ? vectors : [Array.from({ length: groupsInAll }, () => 0n)];
  let [l1, l2Squared] = [0n, 0n];
  for (const a of vectors) {
    for (const b of others) {
      const differences = a.map((value, at) => value - b[at]!);
      const d1 = differences.reduce((all, d) => all + (d < 0n ? -d : d), 0n);
      const d2 = differences.reduce((all, d) => all + d * d, 0n);
      if (d1 > l1) l1 = d1;
      if (d2 > l2Squared) l2Squared = d2;
    }
  }
  return { l1, l2Squared };
}

/** The same where all that bounds a unit is its number of rows: over every way to lay them into groups. */
function bruteForceOfRows(plan: Plan, groupsInAll: number): { l1: bigint; l2Squared: bigint } {
  const all = plan.contribution.groups * plan.contribution.rows;
  const cells = rowValues(plan);
  const places = Array.from({ length: groupsInAll }, (_, group) => cells.map((cell) => ({ group, cell })));
  let ownings: { group: number; cell: Row }[][] = [[]];
  const owned = new Set<(typeof ownings)[number]>();
  for (let n = 1; n <= all; n += 1) {
    ownings = ownings.flatMap((rows) => places.flat().map((row) => [...rows, row]));
    for (const rows of ownings) owned.add(rows);
  }
  const always = plan.keys.program.kind === "none" && plan.where === null;
  if (!always) owned.add([]);
  const vectors = new Map<string, bigint[]>();
  for (const rows of owned) {
    const vector = Array.from({ length: groupsInAll }, (_, group) => {
      const mine = rows.flatMap((row) => (row.group === group ? [row.cell] : []));
      return mine.length === 0 ? 0n : measured(plan, mine, all);
    });
    vectors.set(String(vector), vector);
  }
  const found = [...vectors.values()];
  const others = plan.adjacency === "replace-one" ? found : [Array.from({ length: groupsInAll }, () => 0n)];
  let [l1, l2Squared] = [0n, 0n];
  for (const a of found) {
    for (const b of others) {
      const differences = a.map((value, at) => value - b[at]!);
      const d1 = differences.reduce((sum, d) => sum + (d < 0n ? -d : d), 0n);
      const d2 = differences.reduce((sum, d) => sum + d * d, 0n);
      if (d1 > l1) l1 = d1;
      if (d2 > l2Squared) l2Squared = d2;
    }
  }
  return { l1, l2Squared };
}

const small = fc.integer({ min: -3, max: 3 });
const drawn = fc.record({
  kind: fc.constantFrom(
    "units",
    "count",
    "count-argument",
    "units-with",
    "sum",
    "scaled-sum",
    "squares" as const,
  ),
  ends: fc.tuple(small, fc.nat(3)),
  nullable: fc.boolean(),
  adjacency: fc.constantFrom("add-or-remove-one" as const, "replace-one" as const),
  unit: fc.constantFrom({ kind: "row" as const }, { kind: "column" as const, column: "u" }),
  groups: fc.integer({ min: 1, max: 2 }),
  rows: fc.integer({ min: 1, max: 3 }),
  filtered: fc.boolean(),
  keys: fc.constantFrom("none", 1, 2, 3, "private" as const),
});

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A plan for units with at most r rows in a group. */
function partsOf(
  { kind, ends: [lo, width], nullable, unit, groups, filtered, keys, adjacency }: Drawn,
  r: number,
): PlanParts {
  const hi = lo + width;
  const argument = numberColumn("x", nullable);
  const grid = { exponent: 0, lo: `${lo}`, hi: `${hi}` };
  const mid = lo + Math.trunc((hi - lo) / 2);
  const half = hi - mid;
  const scaled = (of: "scaled-sum" | "scaled-squares"): SumColumn => ({
    kind: of,
    argument,
    grid,
    mid: `${mid}`,
    half: `${half}`,
  });
  const one = [{ sum: "s0", coefficient: "1" }];
  const choices: Record<typeof kind, Pick<PlanParts, "sums" | "terms">> = {
    units: { sums: [{ kind: "units" }], terms: one },
    count: { sums: [{ kind: "count", argument: null }], terms: one },
    "count-argument": { sums: [{ kind: "count", argument }], terms: one },
    "units-with": { sums: [{ kind: "units-with", argument }], terms: one },
    sum: {
      sums: [{ kind: "sum", argument, grid, lo: `${Math.min(lo, r * lo)}`, hi: `${Math.max(hi, r * hi)}` }],
      terms: one,
    },
    "scaled-sum": { sums: [scaled("scaled-sum")], terms: one },
    squares: {
      sums: [scaled("scaled-squares"), { kind: "count", argument: nullable ? argument : null }],
      terms: [
        { sum: "s0", coefficient: "1" },
        { sum: "s1", coefficient: `${-Math.trunc((half * half) / 2)}` },
      ],
    },
  };
  return {
    ...choices[kind],
    adjacency,
    unit,
    groups: unit.kind === "row" ? 1 : groups,
    rows: r,
    where: filtered ? numberColumn("w", false) : null,
    keys:
      keys === "none"
        ? { kind: "none" as const }
        : keys === "private"
          ? {
              kind: "private" as const,
              rule: { rule: "truncated-geometric" as const, epsilon: "1", delta: "1/100" },
            }
          : { kind: "public" as const, declared: Array.from({ length: keys as number }, (_, i) => [i]) },
  };
}

describe("deriveSensitivity", () => {
  it("is the largest distance between neighbours, for every column, unit, adjacency and kind of key", () => {
    let compared = 0;
    fc.assert(
      fc.property(drawn, (chosen) => {
        const plan = planOf(partsOf(chosen, chosen.unit.kind === "row" ? 1 : chosen.rows));
        const { program } = plan.keys;
        const groups = program.kind === "none" ? 1 : program.kind === "public" ? program.declared.length : 4;
        const mostRows = plan.unit.kind === "row" ? 1 : plan.contribution.rows + 1;
        const largest = bruteForce(plan, groups, mostRows);
        expect(deriveSensitivity(plan.measurements[0]!, plan)).toEqual(largest);
        compared += 1;
      }),
      { numRuns: 400, seed: 20240611 },
    );
    expect(compared).toBe(400);
  });

  it("is the largest distance where a unit's rows are bounded, and not what it has in a group", () => {
    fc.assert(
      fc.property(drawn, fc.constantFrom([1, 1], [1, 2], [2, 1]), (chosen, [groups, rows]) => {
        const unit = { kind: "column" as const, column: "u" };
        const of = partsOf(chosen, groups! * rows!);
        const plan = planOf({ ...of, unit, groups: groups!, rows: rows!, limit: "rows-before-filter" });
        const { program } = plan.keys;
        const all = program.kind === "none" ? 1 : program.kind === "public" ? program.declared.length : 4;
        expect(deriveSensitivity(plan.measurements[0]!, plan)).toEqual(bruteForceOfRows(plan, all));
      }),
      { numRuns: 150, seed: 20240612 },
    );
  });

  it("does not believe that a clamp holds for all rows of a unit where only rows are bounded", () => {
    const argument = numberColumn("x", false);
    const grid = { exponent: 0, lo: "0", hi: "5" };
    const of = (lo: string, hi: string, limit: PlanParts["limit"]) => {
      const plan = planOf({
        sums: [{ kind: "sum", argument, grid, lo, hi }],
        terms: [{ sum: "s0", coefficient: "1" }],
        unit: { kind: "column", column: "u" },
        rows: 3,
        ...(limit === undefined ? {} : { limit }),
      });
      return deriveSensitivity(plan.measurements[0]!, plan).l1;
    };
    expect(of("0", "15", "rows-before-filter")).toBe(15n);
    // The engine clamps each of the three rows to 2.
    expect(of("0", "2", "rows-before-filter")).toBe(6n);
    expect(of("0", "2", undefined)).toBe(2n);
  });

  it("does not believe that rows of a join are bounded one table at a time", () => {
    const sums: SumColumn[] = [{ kind: "count", argument: null }];
    const plan = planOf({
      sums,
      terms: [{ sum: "s0", coefficient: "1" }],
      unit: { kind: "column", column: "u" },
    });
    const from = { ...plan.from, source: "t" } as Relation;
    const joined = {
      ...plan,
      from,
      contribution: { ...plan.contribution, limit: "rows-before-filter" },
    } as Plan;
    expect(() => deriveSensitivity(plan.measurements[0]!, joined)).toThrow(/no single table/);
  });

  it("takes columns of different counts as free of each other", () => {
    const [x, y] = [numberColumn("x", true), numberColumn("y", true)];
    const plan = planOf({
      sums: [
        { kind: "count", argument: x },
        { kind: "count", argument: y },
      ],
      terms: [
        { sum: "s0", coefficient: "2" },
        { sum: "s1", coefficient: "-3" },
      ],
    });
    expect(deriveSensitivity(plan.measurements[0]!, plan)).toEqual({ l1: 3n, l2Squared: 9n });
  });

  it("does not believe that an unbounded unit is bounded", () => {
    const plan = planOf({
      sums: [{ kind: "units" }],
      terms: [{ sum: "s0", coefficient: "1" }],
      unit: { kind: "column", column: "u" },
    });
    const unbounded = { ...plan, contribution: { ...plan.contribution, enforced: false } };
    expect(() => deriveSensitivity(plan.measurements[0]!, unbounded)).toThrow(/nothing bounds/);
  });

  it("refuses grids and clamps that end before they begin, and columns that are not there", () => {
    const argument = numberColumn("x", false);
    const terms = [{ sum: "s0", coefficient: "1" }];
    const grid = { exponent: 0, lo: "2", hi: "1" };
    for (const sums of [
      [{ kind: "sum", argument, grid, lo: "0", hi: "1" }],
      [{ kind: "sum", argument, grid: { ...grid, lo: "0" }, lo: "3", hi: "1" }],
      [],
    ] as SumColumn[][]) {
      const plan = planOf({ sums, terms });
      expect(() => deriveSensitivity(plan.measurements[0]!, plan)).toThrow(RangeError);
    }
  });

  it("charges a selection for both units of a replacement", () => {
    const keys = {
      kind: "private" as const,
      rule: { rule: "truncated-geometric" as const, epsilon: "1", delta: "1/100" },
    };
    const base = { sums: [], terms: [], keys, unit: { kind: "column" as const, column: "u" }, groups: 3 };
    expect(groupsTouched(planOf(base))).toBe(3n);
    expect(groupsTouched(planOf({ ...base, adjacency: "replace-one" }))).toBe(6n);
  });
});

describe("sums over distinct values", () => {
  const powers = (power: 0 | 1 | 2, most = 3, mid = "0") =>
    ({
      kind: "distinct-powers",
      argument: numberColumn("x", true),
      grid: { exponent: 0, lo: "-2", hi: "5" },
      mid,
      power,
      most,
    }) as const;
  const distanceOf = (parts: Partial<PlanParts>) => {
    const plan = planOf({
      sums: [powers(1)],
      terms: [{ sum: "s0", coefficient: "1" }],
      unit: { kind: "column", column: "u" },
      rows: 4,
      ...parts,
    });
    return deriveSensitivity(plan.measurements[0]!, plan);
  };
  const squaresLess = {
    sums: [powers(2, 3, "1"), powers(0, 3, "1")],
    terms: [
      { sum: "s0", coefficient: "1" },
      { sum: "s1", coefficient: "-9" },
    ],
  };

  it("move by the values that a unit adds, which are as many as it may have", () => {
    expect(distanceOf({})).toEqual({ l1: 15n, l2Squared: 225n });
    // One brings three values at the high end, the other three at the low end.
    expect(distanceOf({ adjacency: "replace-one" })).toEqual({ l1: 21n, l2Squared: 441n });
    expect(distanceOf({ sums: [powers(0)] })).toEqual({ l1: 3n, l2Squared: 9n });
    expect(distanceOf({ sums: [powers(2)] })).toEqual({ l1: 75n, l2Squared: 5625n });
    expect(distanceOf({ unit: { kind: "row" }, sums: [powers(1, 1)] })).toEqual({ l1: 5n, l2Squared: 25n });
  });

  it("share the values that they are over, if they are over the same", () => {
    // Each of three values adds between −9 and 16 − 9.
    expect(distanceOf(squaresLess)).toEqual({ l1: 27n, l2Squared: 729n });
    // Of other values the two are free of each other: 3·16, or −9·4.
    const [squares, count] = squaresLess.sums;
    expect(distanceOf({ ...squaresLess, sums: [squares!, { ...count!, most: 4 }] }).l1).toBe(48n);
  });
});

describe("a count of distinct values", () => {
  const distanceOf = (parts: Partial<PlanParts>) => {
    const plan = planOf({
      sums: [{ kind: "distinct", argument: numberColumn("x", true), most: 3 }],
      terms: [{ sum: "s0", coefficient: "1" }],
      unit: { kind: "column", column: "u" },
      rows: 5,
      ...parts,
    });
    return deriveSensitivity(plan.measurements[0]!, plan);
  };
  const keys: PlanParts["keys"] = {
    kind: "public",
    declared: Array.from({ length: 9 }, (_, at) => [at]),
  };

  it("moves by the values that a unit may bring to each of its groups", () => {
    expect(distanceOf({})).toEqual({ l1: 3n, l2Squared: 9n });
    expect(distanceOf({ groups: 2, keys })).toEqual({ l1: 6n, l2Squared: 18n });
    expect(distanceOf({ groups: 2, keys, adjacency: "replace-one" })).toEqual({ l1: 12n, l2Squared: 36n });
    // One group: both units bring 0 to 3 values beyond those of all others.
    expect(distanceOf({ adjacency: "replace-one" })).toEqual({ l1: 3n, l2Squared: 9n });
  });
  it("moves by all rows that a unit may have, each in any group, where those are bounded before the filter", () => {
    const bound = "rows-before-filter" as const;
    expect(distanceOf({ groups: 2, keys, limit: bound })).toEqual({ l1: 10n, l2Squared: 100n });
    expect(distanceOf({ groups: 2, keys, limit: bound, adjacency: "replace-one" })).toEqual({
      l1: 20n,
      l2Squared: 200n,
    });
  });
  it("moves by one where a unit is a row", () => {
    const unit = { kind: "row" } as const;
    expect(distanceOf({ unit, rows: 1 })).toEqual({ l1: 1n, l2Squared: 1n });
    expect(distanceOf({ unit, rows: 1, keys, adjacency: "replace-one" })).toEqual({ l1: 2n, l2Squared: 2n });
  });
});

describe("the range of a sum of products", () => {
  it("is what the corners of both grids reach, for every shape and row bound", () => {
    // A plan has its middle in the middle; a stranger's certificate has it anywhere.
    const side = fc.record({ lo: small, width: fc.nat(3), off: fc.integer({ min: -2, max: 2 }) });
    fc.assert(
      fc.property(side, side, fc.integer({ min: 1, max: 3 }), fc.boolean(), (x, y, rows, nullable) => {
        const column = ({ lo, width, off }: typeof x, name: string) => {
          const mid = lo + Math.trunc(width / 2) + off;
          return {
            argument: numberColumn(name, nullable),
            grid: { exponent: 0, lo: `${lo}`, hi: `${lo + width}` },
            mid: `${mid}`,
            half: `${lo + width - mid}`,
          };
        };
        const [a, b] = [column(x, "x"), column(y, "y")];
        const plan = planOf({
          sums: [{ kind: "scaled-products", ...a, other: b }],
          terms: [{ sum: "s0", coefficient: "1" }],
          unit: { kind: "column", column: "u" },
          rows,
        });
        const cells = (of: typeof a): number[] =>
          Array.from(
            { length: Number(of.grid.hi) - Number(of.grid.lo) + 1 },
            (_, i) => Number(of.grid.lo) + i,
          );
        // Scaled to at most `rows` rows, n products make what some `rows` of them could.
        const products = cells(a).flatMap((i) =>
          cells(b).map((j) => (i - Number(a.mid)) * (j - Number(b.mid)) * rows),
        );
        const reach = Math.max(...products.map(Math.abs));
        expect(deriveSensitivity(plan.measurements[0]!, plan)).toEqual({
          l1: BigInt(reach),
          l2Squared: BigInt(reach) ** 2n,
        });
      }),
    );
  });
});
