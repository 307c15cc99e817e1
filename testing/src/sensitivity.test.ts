import { noised, type Plan, type Policy, pricedOnce, readPolicy, releaseProgram } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planned, plannedStages } from "./planned.ts";
import { keyName, type RawRow, referenceCells, referenceGroups } from "./reference-evaluator.ts";
import { distanceOf, nodeCounts, totalVectors } from "./refuted-claims.ts";

/*
 * Brute force: over all small neighbouring tables the exact integer vector of every measurement moves by no more than
 * the planner derived; for COUNT and SUM some pair moves by exactly that.
 */

const seeds = ["a"];

function policyOf(
  adjacency: string,
  unit: "row" | "pid",
  k = 1,
  r = 1,
  bound: Plan["contribution"]["limit"] = "groups-after-filter",
): Policy {
  return readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  people:
    file: people.parquet
    unit: ${unit}
${unit === "row" ? "" : `    max_groups_contributed: ${k}\n    max_rows_contributed_per_group: ${r}\n    bound: ${bound}`}
    columns:
      pid: { type: text }
      x: { type: integer, bounds: [-2, 5] }
      y: { type: integer, bounds: [2, 7], default: 4 }
      g: { type: text, categories: [a, b, c] }
      h: { type: text }
`);
}

/** Returns the vectors that noise is added to, by group (and node of a tree); groups that are missing hold 0. */
function vectors(plan: Plan, rows: readonly RawRow[], seed: string): readonly ReadonlyMap<string, bigint>[] {
  const groups = referenceGroups(plan, rows, seed);
  const cells = referenceCells(plan, rows, seed);
  const trees = (plan.trees ?? []).map((tree, at) => nodeCounts(tree, cells[at]!));
  const measured = releaseProgram(plan).measurements.map(
    ({ terms }) =>
      new Map(
        groups.map(({ key, sums }) => [
          keyName(key),
          terms.reduce((total, { column, coefficient }) => total + BigInt(coefficient) * sums[column]!, 0n),
        ]),
      ),
  );
  return together(plan, [...measured, ...trees, ...totalVectors(plan, groups)]);
}

/** Makes one vector of those of measurements that have one noise together, in the place of the first. */
function together(
  { measurements, joint = [] }: Plan,
  single: readonly ReadonlyMap<string, bigint>[],
): readonly ReadonlyMap<string, bigint>[] {
  const setOf = (at: number): readonly string[] => {
    const name = measurements[at]?.name;
    return joint.find((names) => name !== undefined && names.includes(name)) ?? [];
  };
  return single.flatMap((vector, at) => {
    const names = setOf(at);
    if (names.length === 0) return [vector];
    if (names[0] !== measurements[at]!.name) return [];
    const members = names.map((name) => single[measurements.findIndex((each) => each.name === name)]!);
    return [
      new Map(members.flatMap((member, of) => [...member].map(([key, value]) => [`${of} ${key}`, value]))),
    ];
  });
}

/** Returns all that one unit may own: every multiset of rows of at least `least` and at most `most`. */
function ownings(rows: readonly RawRow[], most: number, least: number): readonly (readonly RawRow[])[] {
  let all: readonly (readonly number[])[] = [[]];
  const found: (readonly number[])[] = least === 0 ? [[]] : [];
  for (let size = 1; size <= most; size += 1) {
    all = all.flatMap((chosen) =>
      rows.flatMap((_, at) => (at >= (chosen.at(-1) ?? 0) ? [[...chosen, at]] : [])),
    );
    if (size >= least) found.push(...all);
  }
  return found.map((chosen) => chosen.map((at) => rows[at]!));
}

interface Observed {
  readonly derived: readonly [bigint, bigint];
  largest: [bigint, bigint];
}

/** Largest distance a measurement, over all pairs of tables that differ in one unit. */
async function observe(
  text: string,
  policy: Policy,
  mine: readonly (readonly RawRow[])[],
  others: readonly RawRow[],
): Promise<Observed[]> {
  const plans = await plannedStages(text, policy);
  return plans.flatMap((plan) => observePlan(plan, mine, others));
}

function observePlan(
  plan: Plan,
  mine: readonly (readonly RawRow[])[],
  others: readonly RawRow[],
): Observed[] {
  const observed = pricedOnce(noised(plan), plan).map(
    ({ l1, l2Squared }): Observed => ({
      derived: [BigInt(l1), BigInt(l2Squared)],
      largest: [0n, 0n],
    }),
  );
  for (const seed of seeds) {
    const answers = mine.map((rows) => vectors(plan, [...others, ...rows], seed));
    const without = vectors(plan, others, seed);
    const compare = (a: (typeof answers)[number], b: (typeof answers)[number]): void => {
      observed.forEach((measurement, at) => {
        const [l1, l2Squared] = distanceOf(a[at]!, b[at]!);
        if (l1 > measurement.largest[0]) measurement.largest[0] = l1;
        if (l2Squared > measurement.largest[1]) measurement.largest[1] = l2Squared;
      });
    };
    if (plan.adjacency === "add-or-remove-one") for (const answer of answers) compare(answer, without);
    else
      answers.forEach((answer, at) => {
        for (const other of answers.slice(0, at)) compare(answer, other);
      });
  }
  return observed;
}

const aggregates = [
  "COUNT(*)",
  "COUNT(x)",
  "SUM(x)",
  "SUM(y)",
  "SUM(y - 20)",
  "SUM(x, contribution_bounds_per_row => (1, 3))",
  "SUM(x, contribution_bounds_per_group => (-1, 4))",
  "SUM(x * y)",
  "SUM(POWER(x, 2))",
  "SUM((x - 1) * (y - 4))",
  "SUM((y - 4) * x * (y - 4), contribution_bounds_per_group => (-9, 14))",
  "SUM(x * y) FILTER (WHERE y > 3)",
  "AVG(x)",
  "AVG(y)",
  "VARIANCE(x)",
  "SKEWNESS(x)",
  "STDDEV_POP(y)",
  "AVG(CASE WHEN x > 1 THEN y END)",
  "COVAR_POP(x, y)",
  "COVAR_SAMP(y, y + 1)",
  "SUM(x, contribution_bounds_per_row => auto)",
  "VARIANCE(x * 1000, contribution_bounds_per_row => auto)",
  "SUM(x) FILTER (WHERE y > 3)",
  "COUNT(*) FILTER (WHERE x > 1)",
  "MEDIAN(x)",
  "MAX(y)",
  "PERCENTILE_CONT(x * 1000000, 0.9)",
] as const;
/** Conditions of which one row meets at most one. */
const disjoint = [
  "COUNT(*) FILTER (WHERE g = 'a'), COUNT(*) FILTER (WHERE g = 'b'), COUNTIF(g IN ('c'))",
  "SUM(CASE WHEN y > 4 THEN 1 ELSE 0 END), SUM(CASE WHEN y <= 4 THEN 1 ELSE 0 END)",
  "SUM(CASE WHEN g = 'a' THEN x END), SUM(x) FILTER (WHERE g = 'b')",
  "SUM(CASE WHEN x > 1 THEN x ELSE 0 END), COUNT(CASE WHEN NOT x > 1 THEN y END)",
  "AVG(y) FILTER (WHERE g = 'a'), AVG(y) FILTER (WHERE g <> 'a')",
  "COUNT(*), COUNT(*) FILTER (WHERE x = 5), COUNT(*) FILTER (WHERE x < 5)",
  "COUNT(*), COUNTIF(x = 5), SUM(x) FILTER (WHERE x = -2)",
] as const;
/** Counts of units, of which each has at most as many rows as it may. */
const ofUnits = [
  "COUNT(DISTINCT pid), COUNT(*)",
  "COUNT(DISTINCT pid), COUNT(*), SUM(x)",
  "COUNT(DISTINCT pid), AVG(y)",
] as const;
/** Questions of which counts, sums and averages have one noise together. */
const jointly = [
  "COUNT(*), SUM(x), AVG(x)",
  "COUNT(*), SUM(y), AVG(y)",
  "COUNT(*), AVG(y - 20)",
  "COUNT(*), SUM(y - 20)",
  "COUNT(*), SUM(x)",
  "COUNT(x), AVG(x), AVG(y), SUM(y)",
  "COUNT(*), AVG(x, contribution_bounds_per_row => (1, 3))",
  "COUNT(*), AVG(CASE WHEN x > 1 THEN y END)",
  "COUNT(*), SUM(x) FILTER (WHERE y > 3), AVG(y), VARIANCE(x)",
  "COUNT(*), COUNT(x)",
  ...ofUnits,
  ...disjoint,
] as const;
const shapes = [
  "",
  " WHERE x > 0",
  " WHERE y = 4",
  " GROUP BY g",
  " WHERE x IS NOT NULL GROUP BY h",
  " GROUP BY g = 'a'",
  " GROUP BY CASE WHEN g = 'b' THEN 'b' ELSE 'other' END",
];
const jointShapes = ["", " WHERE x > 0", " GROUP BY g", " WHERE x IS NOT NULL GROUP BY h"];
/** Aggregates whose derived sensitivity some pair of tables reaches. */
const reached: ReadonlySet<string> = new Set([
  "COUNT(*)",
  "COUNT(x)",
  "SUM(x)",
  "SUM(y)",
  "SUM(y - 20)",
  "COUNT(DISTINCT pid)",
  "SUM(x * y)",
  "SUM(POWER(x, 2))",
  "COVAR_POP(x, y)",
  "MEDIAN(x)",
  "PERCENTILE_CONT(x * 1000000, 0.9)",
]);
/** Exactly, but for the parts of a row of 2^20 that the cells of quantiles leave out where a unit has more rows than count. */
function expectReached(
  largest: readonly [bigint, bigint],
  derived: readonly [bigint, bigint],
  hint: string,
): void {
  const leftOut = derived[0] >= 1n << 20n ? 1e-4 : 0;
  largest.forEach((found, at) => {
    expect(Number(found), hint).toBeGreaterThanOrEqual(Number(derived[at]) * (1 - leftOut));
  });
}

/** The aggregates whose sensitivity is reached only without groups: the rows below hold one pair of opposite corners, in one group. */
const ofPairs: ReadonlySet<string> = new Set(["COVAR_POP(x, y)", "SUM(x * y)"]);

const cells = {
  x: [null, -2, 1, 5],
  y: [2, 7, "none"],
  g: ["a", "b", null],
};
const everyRow: readonly RawRow[] = cells.x.flatMap((x) =>
  cells.y.flatMap((y) => cells.g.map((g): RawRow => ({ x, y, g, h: g === null ? "z" : `${g}${g}` }))),
);

describe.each(["add-or-remove-one", "replace-one"])("sensitivity under %s", (adjacency) => {
  it("of units that are rows", async () => {
    const policy = policyOf(adjacency, "row");
    const mine = everyRow.map((row) => [row]);
    for (const aggregate of aggregates) {
      for (const shape of shapes) {
        const text = `SELECT ${aggregate} FROM people${shape}`;
        for (const { derived, largest } of await observe(text, policy, mine, everyRow.slice(5, 9))) {
          expect(
            largest[0] <= derived[0] && largest[1] <= derived[1],
            `${text}: ${largest} > ${derived}`,
          ).toBe(true);
          if (reached.has(aggregate) && !shape.includes("WHERE")) expectReached(largest, derived, text);
        }
      }
    }
    for (const asked of jointly)
      for (const shape of jointShapes) await expectJoint(asked, shape, policy, mine, everyRow.slice(5, 9));
  });

  it.each([
    [1, 1, "groups-after-filter"],
    [1, 2, "groups-after-filter"],
    [2, 1, "groups-after-filter"],
    [2, 2, "groups-after-filter"],
    [3, 2, "groups-after-filter"],
    [1, 2, "rows-before-filter"],
    [2, 1, "rows-before-filter"],
    [2, 2, "rows-before-filter"],
  ] as const)("of units with rows of their own, k = %i, r = %i, %s", async (k, r, bound) => {
    const policy = policyOf(adjacency, "pid", k, r, bound);
    const boundsRows = bound === "rows-before-filter";
    const own = (row: RawRow): RawRow => ({ ...row, pid: "me" });
    // Rows enough to fill k groups with r rows and more, values at both ends.
    const rows = [
      { x: -2, y: 2 },
      { x: 5, y: 7 },
      { x: null, y: "none" },
    ].flatMap((values) => ["a", "b", "c"].map((g) => own({ ...values, g, h: g })));
    const mine = ownings(rows, 3, adjacency === "add-or-remove-one" ? 0 : 1);
    const full = ["a", "b", "c", null].flatMap((g) =>
      [
        { x: 5, y: 7 },
        { x: -2, y: 2 },
      ].map((values) => Array.from({ length: 6 }, () => own({ ...values, g, h: g ?? "d" }))),
    );
    // The corner across from (5, 7): products differ most between the two.
    const across = Array.from({ length: 6 }, () => own({ x: -2, y: 7, g: "a", h: "a" }));
    // One row in each of some groups, or in none: as far apart as two units can be.
    const spread = [0b1111, 0b0011, 0b1100, 0b0001, 0b0110].map((chosen) =>
      ["a", "b", "c", null].flatMap((g, at) =>
        (chosen >> at) & 1 ? [own({ x: 5, y: 7, g, h: g ?? "d" })] : [],
      ),
    );
    const units = [...mine, ...full, ...pairsOf(full), ...triplesOf(full, k), across];
    const crowd = boundsRows ? [...units, ...spread] : units;
    const others: readonly RawRow[] = [
      { pid: "you", x: 1, y: 3, g: "a", h: "a" },
      { pid: "you", x: 1, y: 3, g: "b", h: "q" },
      { pid: null, x: 5, y: 7, g: "c", h: "c" },
    ];
    for (const aggregate of [
      ...aggregates,
      "COUNT(DISTINCT pid)",
      "COUNT(DISTINCT pid) FILTER (WHERE x > 1)",
      "SUM(DISTINCT x), AVG(DISTINCT y)",
      "VAR_SAMP(DISTINCT x) FILTER (WHERE y > 3)",
    ]) {
      if (boundsRows && aggregate.includes("per_group")) continue;
      for (const shape of shapes) {
        const text = `SELECT ${aggregate} FROM people${shape}`;
        for (const { derived, largest } of await observe(text, policy, sample(crowd, adjacency), others)) {
          expect(
            largest[0] <= derived[0] && largest[1] <= derived[1],
            `${text}: ${largest} > ${derived}`,
          ).toBe(true);
          if (
            reached.has(aggregate) &&
            (shape === "" || (shape === " GROUP BY g" && !ofPairs.has(aggregate)))
          )
            expectReached(largest, derived, `${text} k=${k} r=${r}`);
        }
      }
    }
    for (const asked of jointly)
      for (const shape of jointShapes)
        await expectJoint(asked, shape, policy, sample(crowd, adjacency), others);
  });
});

/** What has its noise together moves no further than is derived; and where every row counts, some pair of tables reaches that. */
async function expectJoint(
  asked: string,
  shape: string,
  policy: Policy,
  mine: readonly (readonly RawRow[])[],
  others: readonly RawRow[],
): Promise<void> {
  const text = `SELECT ${asked} FROM people${shape}`;
  const plan = await planned(text, policy);
  const names = pricedOnce(noised(plan), plan).map(({ name }) => name);
  for (const [at, { derived, largest }] of (await observe(text, policy, mine, others)).entries()) {
    const hint = `${text}, ${names[at]}: ${largest} > ${derived}`;
    expect(largest[0] <= derived[0] && largest[1] <= derived[1], hint).toBe(true);
    const isJoint = plan.joint?.some(([first]) => first === names[at]) === true;
    if (isJoint) met.add(asked);
    if (
      isJoint &&
      shape === "" &&
      (/^COUNT\(\*\), (SUM|AVG)\([xy]\)/.test(asked) ||
        [...ofUnits, ...disjoint].some((each) => each === asked))
    )
      expectReached(largest, derived, hint);
  }
}

/** The questions that were measured together at all. */
const met = new Set<string>();
it("measures all of these together somewhere", () => {
  expect(jointly.filter((asked) => !met.has(asked))).toEqual([]);
});

function pairsOf(lists: readonly (readonly RawRow[])[]): readonly (readonly RawRow[])[] {
  return lists.flatMap((a, at) => lists.slice(at + 1).map((b) => [...a, ...b]));
}
function triplesOf(lists: readonly (readonly RawRow[])[], k: number): readonly (readonly RawRow[])[] {
  return k < 3 ? [] : pairsOf(lists).flatMap((pair) => lists.map((c) => [...pair, ...c]));
}
/** Pairs grow with the square under replace-one: every nth there. */
function sample<T>(all: readonly T[], adjacency: string): readonly T[] {
  return adjacency === "replace-one"
    ? all.filter((_, at) => at < 12 || at % 7 === 0 || at >= all.length - 60)
    : all;
}

describe.each(["add-or-remove-one", "replace-one"])("totals of keys that are data under %s", (adjacency) => {
  const all = [
    "COUNT(*)",
    "SUM(x)",
    "SUM(y)",
    "SUM(y - 20)",
    "AVG(x)",
    "VARIANCE(x)",
    "COVAR_POP(x, y)",
    "SUM(x) FILTER (WHERE y > 3)",
    "SUM(x * y)",
    "SUM(y, contribution_bounds_per_group => (-1, 4))",
  ];
  const groupings = [
    " GROUP BY ROLLUP (h)",
    " GROUP BY ROLLUP (g, h)",
    " WHERE y <> 4 GROUP BY CUBE (h, g)",
    " GROUP BY GROUPING SETS ((h, x), (h))",
  ];
  /** Totals whose derived sensitivity some pair of tables reaches: of an ROLLUP, but for what every unit has a row in. */
  const isReached = (name: string, grouping: string): boolean =>
    /^(COUNT\(\*\)|SUM\([xy]( - 20)?\)) (by|over)/.test(name) &&
    grouping.includes("ROLLUP") &&
    (adjacency === "add-or-remove-one" || !name.endsWith("over all"));

  it("of units that are rows", async () => {
    const policy = policyOf(adjacency, "row");
    const mine = everyRow.map((row) => [row]);
    for (const grouping of groupings) {
      const text = `SELECT ${all.join(", ")} FROM people${grouping}`;
      for (const { derived, largest } of await observe(text, policy, mine, everyRow.slice(5, 9)))
        expect(largest[0] <= derived[0] && largest[1] <= derived[1], `${text}: ${largest} > ${derived}`).toBe(
          true,
        );
    }
  });

  it.each([
    [1, 2, "groups-after-filter"],
    [2, 1, "groups-after-filter"],
    [3, 2, "groups-after-filter"],
    [2, 2, "rows-before-filter"],
  ] as const)("of units with rows of their own, k = %i, r = %i, %s", async (k, r, bound) => {
    const policy = policyOf(adjacency, "pid", k, r, bound);
    const own = (values: RawRow, h: string): readonly RawRow[] =>
      Array.from({ length: r }, () => ({ pid: "me", ...values, g: h[0]!, h }));
    // k groups of one region, each with r rows at one end of all values; one group; groups of two regions at both ends.
    const ends = [
      { x: 5, y: 7 },
      { x: -2, y: 2 },
      { x: -2, y: 7 },
    ];
    const filled = ends.flatMap((values) =>
      ["a", "b"].map((g) => ["a", "b", "c"].slice(0, k).flatMap((h) => own(values, `${g}${h}`))),
    );
    const single = ends.map((values) => own(values, "aa"));
    const mixed = ends.map((values, at) => [...own(values, "aa"), ...own(ends[(at + 1) % 3]!, "ba")]);
    const mine = [...(adjacency === "replace-one" ? [] : [[]]), ...filled, ...single, ...mixed];
    const others: readonly RawRow[] = [
      { pid: "you", x: 1, y: 3, g: "a", h: "aa" },
      { pid: "you", x: 1, y: 3, g: "b", h: "q" },
    ];
    const asked = all.filter(
      (aggregate) => bound === "groups-after-filter" || !aggregate.includes("per_group"),
    );
    for (const grouping of groupings) {
      const text = `SELECT ${asked.join(", ")} FROM people${grouping}`;
      const names = noised(await planned(text, policy)).map(({ name }) => name);
      for (const [at, { derived, largest }] of (await observe(text, policy, mine, others)).entries()) {
        const hint = `${text}, ${names[at]}: ${largest} > ${derived}`;
        expect(largest[0] <= derived[0] && largest[1] <= derived[1], hint).toBe(true);
        if (isReached(names[at]!, grouping)) expect(largest, `${names[at]}, k = ${k}`).toEqual(derived);
      }
    }
  });
});

describe("contribution bounding", () => {
  it("does not change what other units contribute when one is removed", async () => {
    const policy = policyOf("add-or-remove-one", "pid", 2, 1);
    const plan = await planned("SELECT h, COUNT(*) FROM people GROUP BY h", policy);
    const rows = ["u", "v", "w"].flatMap((pid) =>
      ["a", "b", "c", "d", "e"].map((h, at): RawRow => ({ pid, x: at, y: 2, g: "a", h })),
    );
    for (const seed of ["1", "2", "3"]) {
      const all = vectors(plan, rows, seed)[0]!;
      const without = vectors(
        plan,
        rows.filter(({ pid }) => pid !== "w"),
        seed,
      )[0]!;
      const alone = vectors(
        plan,
        rows.filter(({ pid }) => pid === "w"),
        seed,
      )[0]!;
      for (const key of all.keys())
        expect(all.get(key)).toBe((without.get(key) ?? 0n) + (alone.get(key) ?? 0n));
      expect([...alone.values()].reduce((a, b) => a + b, 0n)).toBe(2n);
    }
  });
});
