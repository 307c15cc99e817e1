import { parseRational } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import { byName, noisyNumbers, type Plan, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { notesOn } from "../notes/notes.ts";
import { evaluate } from "../post/evaluate.ts";
import { planText } from "../resolved-question.ts";
import { optionsOf } from "../testing/open-house.ts";
import { planAlone } from "../testing/plan-alone.ts";
import { rowKeys } from "../testing/row-keys.ts";
import { rowPolicy } from "../testing/visits.ts";
import { computedIntervals } from "./computed-intervals.ts";
import { estimators } from "./estimators.ts";

const policy = readPolicy(rowPolicy("{ measure: approximate, epsilon: 10, delta: 1e-3 }"));

function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 2 ** 32;
  };
}

function draw(noise: Noise, uniform: () => number): number {
  if (noise.mechanism !== "discrete-laplace@1") throw new Error("these plans draw Laplace noise");
  const { num, den } = parseRational(noise.scale);
  const scale = Number(num) / Number(den);
  return Math.floor(-scale * Math.log(uniform())) - Math.floor(-scale * Math.log(uniform()));
}

/** Returns the value of each measurement without noise, over rows whose `cost` and `stay` lie at these shares of their bounds. */
function totals(plan: Plan, rows: number): bigint[] {
  return plan.measurements.map(({ terms }) =>
    terms.reduce((sum, { sum: name, coefficient }) => {
      const of = byName(plan.sums, name);
      const factor = BigInt(coefficient);
      if (!("grid" in of)) {
        const share = of.kind === "count" && of.argument ? 0.7 : 1;
        return sum + factor * BigInt(Math.round(rows * share));
      }
      const [lo, hi] = [BigInt(of.grid.lo), BigInt(of.grid.hi)];
      if (of.kind === "scaled-products") {
        const other =
          BigInt(of.other.grid.lo) + ((BigInt(of.other.grid.hi) - BigInt(of.other.grid.lo)) * 2n) / 5n;
        const [i, j] = [lo + ((hi - lo) * 2n) / 5n - BigInt(of.mid), other - BigInt(of.other.mid)];
        // The same spread as that of the squares below: pairs that lie on a line.
        const joint = ((hi - lo) * (BigInt(of.other.grid.hi) - BigInt(of.other.grid.lo))) / 16n;
        return sum + factor * (i * j + joint) * BigInt(rows);
      }
      const value = lo + ((hi - lo) * 2n) / 5n;
      const mid = "mid" in of ? BigInt(of.mid) : 0n;
      const piece = of.kind === "scaled-squares" ? (value - mid) ** 2n + (hi - lo) ** 2n / 16n : value - mid;
      return sum + factor * piece * BigInt(rows);
    }, 0n),
  );
}

// 4,000 draws: coverage 0.95 falls below 0.931 with a chance under 1e-6 (binomial tail; 5.5 standard deviations).
const runs = 4000;
const alarm = 0.931;

async function simulate(column: string, rows: number, inflate = 1) {
  const plan = await planText(`SELECT ${column} FROM visits`, optionsOf({}), policy);
  const [output] = plan.outputs;
  if (output?.kind !== "computed") throw new Error("not computed");
  const intervals = computedIntervals(output.expression, plan, 0.95);
  const of = estimators(plan, 0.95);
  const numbers = noisyNumbers(plan);
  const value = (values: readonly bigint[]): number | null =>
    evaluate(output.expression, {
      ...rowKeys(),
      aggregates: new Map([...of].map(([name, estimate]) => [name, estimate(numbers(values)).value])),
    }) as number | null;
  const exact = totals(plan, rows);
  const truth = value(exact)!;
  const uniform = uniforms(77);
  let [covered, known, width] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const noisy = exact.map(
      (total, at) => total + BigInt(Math.round(inflate * draw(plan.measurements[at]!.noise, uniform))),
    );
    const { lower, upper } = intervals(rowKeys(), numbers(noisy), value(noisy));
    if (lower === null || upper === null) {
      covered++;
      continue;
    }
    known++;
    width += upper - lower;
    if (lower <= truth && truth <= upper) covered++;
  }
  return { coverage: covered / runs, known: known / runs, width: width / known, truth };
}

describe("the interval of a computed column", () => {
  it.each([
    ["SUM(cost) / COUNT(*)", 400],
    ["SUM(cost) / COUNT(*)", 30],
    ["(SUM(stay) + COUNT(*)) / COUNT(*)", 300],
    ["COUNT(*) - COUNT(CASE WHEN cost > 5 THEN 1 END)", 50],
    ["AVG(cost) * 12", 300],
    ["ROUND(AVG(cost), 1)", 300],
    ["AVG(cost) / STDDEV(cost)", 3000],
    ["COALESCE(SUM(cost) / NULLIF(COUNT(*), 0), 0)", 200],
    ["CASE WHEN COUNT(*) > 100 THEN AVG(cost) ELSE 0 END", 104],
    ["GREATEST(COUNT(*), 100) + ABS(SUM(stay))", 90],
    ["COUNT(*) * COUNT(*) / SUM(cost)", 250],
    ["CORR(stay, stay + 1)", 3000],
    ["REGR_SLOPE(stay, stay * 2)", 3000],
    ["REGR_INTERCEPT(stay, stay + 1)", 3000],
    ["REGR_SXY(stay, stay * 2)", 3000],
    // The line's x is the pair's first column, or its second; the last two are no line, but still have intervals.
    ["COVAR_POP(stay, stay * 2) / VAR_POP(stay)", 3000],
    ["COVAR_POP(stay, stay * 2) / VAR_POP(stay * 2)", 3000],
    ["COVAR_SAMP(stay, stay * 2) / VAR_POP(stay)", 3000],
    ["COVAR_POP(stay, stay * 2) / VAR_POP(stay + 1)", 3000],
  ])("%s over %i rows covers", async (column, rows) => {
    const { coverage, known } = await simulate(column, rows);
    expect(coverage).toBeGreaterThan(alarm);
    expect(known).toBeGreaterThan(0.5);
  });

  it("would fail were the noise half as large again", async () => {
    expect((await simulate("SUM(cost) / COUNT(*)", 400, 1.5)).coverage).toBeLessThan(alarm);
    expect((await simulate("AVG(cost) * 12", 300, 1.5)).coverage).toBeLessThan(alarm);
  });

  it("of a monotone function is the image of the aggregate's own", async () => {
    const text = "SELECT AVG(cost), 2 * AVG(cost) + 1, -AVG(cost), SQRT(AVG(cost)) FROM visits";
    const plan = await planText(text, optionsOf({}), policy);
    const values = totals(plan, 200);
    const { lower, upper } = estimators(plan, 0.95).get("AVG(cost)")!(noisyNumbers(plan)(values));
    const ends = plan.outputs.flatMap((output) => {
      if (output.kind !== "computed") return [];
      const found = computedIntervals(output.expression, plan, 0.95)(
        rowKeys(),
        noisyNumbers(plan)(values),
        1,
      );
      return [[found.lower, found.upper]];
    });
    expect(ends).toEqual([
      [2 * lower! + 1, 2 * upper! + 1],
      [-upper!, -lower!],
      [Math.sqrt(lower!), Math.sqrt(upper!)],
    ]);
  });

  it("of the same aggregate twice does not pay twice for its confidence", async () => {
    const twice = await simulate("COUNT(*) + COUNT(*)", 300);
    const once = await simulate("COUNT(*) * 2", 300);
    expect(twice.width).toBe(once.width);
  });

  it("is unknown where the noise drowns the divisor, and where the value is NULL", async () => {
    const plan = await planAlone("SELECT SUM(cost) / COUNT(*) FROM visits", optionsOf({}), policy);
    const [output] = plan.outputs;
    if (output?.kind !== "computed") throw new Error("not computed");
    const intervals = computedIntervals(output.expression, plan, 0.95);
    const numbers = noisyNumbers(plan);
    const values = (n: bigint) =>
      numbers(plan.measurements.map(({ name }) => (name === "COUNT(*)" ? n : 5000n)));
    expect(intervals(rowKeys(), values(1n), 3)).toEqual({ value: 3, lower: null, upper: null });
    expect(intervals(rowKeys(), values(0n), null)).toEqual({ value: null, lower: null, upper: null });
    expect(intervals(rowKeys(), values(500n), 3).lower).not.toBeNull();
  });

  it.each([
    ["SUM(cost) / COUNT(*)", -500_000_000n, 0, "lower"],
    ["SUM(-cost) / COUNT(*)", 500_000_000n, 0, "upper"],
    ["-SUM(cost) / COUNT(*)", -500_000_000n, 0, "upper"],
    ["SUM(cost) / -COUNT(*)", -500_000_000n, 0, "upper"],
    ["-SUM(cost) / -COUNT(*)", -500_000_000n, 0, "lower"],
    ["SUM(-cost) / -COUNT(*)", 500_000_000n, 0, "lower"],
  ] as const)(
    "of %s is a stretch at the end of what can be, where the noise contradicts all of that",
    async (column, total, end, side) => {
      const plan = await planAlone(`SELECT ${column} FROM visits`, optionsOf({}), policy);
      const [output] = plan.outputs;
      if (output?.kind !== "computed") throw new Error("not computed");
      const values = plan.measurements.map(({ name }) => (name.startsWith("COUNT") ? 500n : total));
      const found = computedIntervals(output.expression, plan, 0.95)(
        rowKeys(),
        noisyNumbers(plan)(values),
        1,
      );
      expect(found[side]).toBe(end);
      const width = found.upper! - found.lower!;
      expect(width).toBeGreaterThan(0);
      // Half of what it is where the noise contradicts nothing.
      const other = values.map((value) => (value === total ? -total : value));
      const free = computedIntervals(output.expression, plan, 0.95)(rowKeys(), noisyNumbers(plan)(other), 1);
      expect(width).toBeCloseTo((free.upper! - free.lower!) / 2, 6);
    },
  );

  /** Returns the interval of a column where each measurement that is described so has this value. */
  async function intervalAt(
    column: string,
    of: Readonly<Record<string, bigint>>,
    confidence = 0.95,
  ): Promise<{ lower: number | null; upper: number | null }> {
    const plan = await planAlone(`SELECT ${column} FROM visits`, optionsOf({}), policy);
    const [output] = plan.outputs;
    if (output?.kind !== "computed") throw new Error("not computed");
    const values = plan.measurements.map(
      ({ name }) => Object.entries(of).find(([start]) => name.startsWith(start))![1],
    );
    const { lower, upper } = computedIntervals(output.expression, plan, confidence)(
      rowKeys(),
      noisyNumbers(plan)(values),
      1,
    );
    return { lower, upper };
  }

  it.each([
    ["COUNT(*) + SUM(cost)", 0, null],
    ["COUNT(*) + SUM(cost) + 5", 5, null],
    ["-COUNT(*) - SUM(cost)", null, 0],
    ["7 - COUNT(*) - SUM(cost)", null, 7],
    ["COUNT(*) - SUM(-cost)", 0, null],
    ["SUM(-cost) - COUNT(*)", null, 0],
    ["COUNT(*) - SUM(cost)", null, null],
    ["COUNT(*) + SUM(stay)", null, null],
  ])("of %s ends at %s and %s, whatever the noise", async (column, least, greatest) => {
    const far = 10n ** 9n;
    for (const [counted, summed] of [
      [-far, -far],
      [far, far],
      [-far, far],
      [far, -far],
    ] as const) {
      const { lower, upper } = await intervalAt(column, { COUNT: counted, SUM: summed, "": summed });
      expect(lower).toBeLessThan(upper!);
      if (least !== null) expect(lower).toBeGreaterThanOrEqual(least);
      if (greatest !== null) expect(upper).toBeLessThanOrEqual(greatest);
    }
    const all = [-far, far].map((value) =>
      intervalAt(column, { "COUNT(*)": value, SUM: value, "": value }).then(({ lower, upper }) => [
        lower,
        upper,
      ]),
    );
    const ends = (await Promise.all(all)).flat();
    // One that is free goes as far as its totals on both sides.
    if (least === null && greatest === null) return;
    expect(ends).toContain(least ?? greatest);
  });

  it("of a ratio that must be positive starts at 0 where the noise reaches below, and is free where its sign is", async () => {
    const near = { COUNT: 500n, "": 0n };
    const ratio = await intervalAt("SUM(cost) / COUNT(*)", near);
    expect(ratio.lower).toBe(0);
    expect(ratio.upper).toBeGreaterThan(0);
    const turned = await intervalAt("-SUM(cost) / COUNT(*)", near);
    expect(turned).toEqual({ lower: -ratio.upper!, upper: 0 });
    // Zero has no sign: JSON of -0 and of 0 differ.
    expect(Object.is(turned.upper, 0)).toBe(true);
    const free = await intervalAt("SUM(stay) / COUNT(*)", near);
    expect(free.lower).toBeCloseTo(-free.upper!, 9);
    expect(free.upper).toBeGreaterThan(0);
  });

  /** Returns the intervals of columns of one question, each at a confidence of its own. */
  async function intervalsAt(
    columns: readonly (readonly [string, number])[],
    of: (name: string) => bigint,
  ): Promise<readonly (readonly [number, number])[]> {
    const plan = await planAlone(
      `SELECT ${columns.map(([column]) => column)} FROM visits`,
      optionsOf({}),
      policy,
    );
    const values = plan.measurements.map(({ name }) => of(name));
    return columns.map(([, confidence], at) => {
      const output = plan.outputs[at]!;
      if (output.kind !== "computed") throw new Error("not computed");
      const { lower, upper } = computedIntervals(output.expression, plan, confidence)(
        rowKeys(),
        noisyNumbers(plan)(values),
        1,
      );
      return [lower!, upper!] as const;
    });
  }

  it("of several parts holds with each part's at an even share of what may fail", async () => {
    const [both, cost, stay] = await intervalsAt(
      [
        ["SUM(cost) * SUM(stay)", 0.95],
        ["ABS(SUM(cost))", 0.975],
        ["ABS(SUM(stay))", 0.975],
      ],
      () => 10n ** 9n,
    );
    expect(both![0] / (cost![0] * stay![0])).toBeCloseTo(1, 12);
    expect(both![1] / (cost![1] * stay![1])).toBeCloseTo(1, 12);
  });

  it("of a ratio whose totals share one is narrower than what its parts make of it", async () => {
    const [shared, sum, count] = await intervalsAt(
      [
        ["(SUM(stay) + COUNT(*)) / COUNT(*)", 0.95],
        ["SUM(stay) + COUNT(*)", 0.975],
        ["ABS(COUNT(*))", 0.975],
      ],
      (describes) => (describes.startsWith("COUNT") ? 5000n : 10n ** 6n),
    );
    const parts = sum![1] / count![0] - sum![0] / count![1];
    expect(shared![1] - shared![0]).toBeLessThan(0.9 * parts);
    expect(shared![0]).toBeGreaterThan(sum![0] / count![1]);
    expect(shared![1]).toBeLessThan(sum![1] / count![0]);
  });

  it("of a sum takes up to four totals together, and of more the first four and the rest", async () => {
    const counts = [1, 2, 3, 4, 5].map((least) => `COUNT(*) FILTER (WHERE stay > ${least})`);
    const four = counts.slice(0, 4).join(" + ");
    const widths = await intervalsAt(
      [
        [`${four} + ${counts[4]}`, 0.95],
        [four, 0.975],
        [`ABS(${counts[4]})`, 0.975],
        ...counts.slice(0, 4).map((count) => [`ABS(${count})`, 1 - 0.025 / 4] as const),
      ],
      () => 5000n,
    );
    const [all, together, last, ...single] = widths.map(([lower, upper]) => upper - lower);
    expect(all).toBeCloseTo(together! + last!, 9);
    expect(together).toBeLessThan(0.8 * single.reduce((sum, width) => sum + width, 0));
  });

  it("is noted in the release, and so is a label", async () => {
    const text =
      "SELECT ward, SUM(cost) / COUNT(*) AS mean, CASE WHEN COUNT(*) > 9 THEN 'many' ELSE 'few' END AS size FROM visits GROUP BY ward";
    expect(notesOn(await planAlone(text, optionsOf({}), policy))).toEqual([
      expect.stringContaining("values of cost below"),
      expect.stringContaining('"mean" is computed from released values'),
      expect.stringContaining('"size" is computed from noisy values and without an interval'),
    ]);
  });
});
