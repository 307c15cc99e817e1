import { type Noise, parseRational } from "@lethe/core";
import { type Plan, readPolicy } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { computedIntervals } from "./computed-intervals.ts";
import { estimators } from "./estimators.ts";
import { notesOn } from "./notes.ts";
import { evaluate } from "./post/evaluate.ts";
import { planText } from "./resolved-question.ts";
import { optionsOf } from "./testing/open-house.ts";
import { rowPolicy } from "./testing/visits.ts";

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
    terms.reduce((sum, { column, coefficient }) => {
      const of = plan.sums[column]!;
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
  const value = (values: readonly bigint[]): number | null =>
    evaluate(output.expression, { key: [], aggregates: of.map((estimate) => estimate(values).value) }) as
      | number
      | null;
  const exact = totals(plan, rows);
  const truth = value(exact)!;
  const uniform = uniforms(77);
  let [covered, known, width] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const noisy = exact.map(
      (total, at) => total + BigInt(Math.round(inflate * draw(plan.measurements[at]!.noise, uniform))),
    );
    const { lower, upper } = intervals([], noisy, value(noisy));
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
    const { lower, upper } = estimators(plan, 0.95)[0]!(values);
    const ends = plan.outputs.flatMap((output) => {
      if (output.kind !== "computed") return [];
      const found = computedIntervals(output.expression, plan, 0.95)([], values, 1);
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
    const plan = await planText("SELECT SUM(cost) / COUNT(*) FROM visits", optionsOf({}), policy);
    const [output] = plan.outputs;
    if (output?.kind !== "computed") throw new Error("not computed");
    const intervals = computedIntervals(output.expression, plan, 0.95);
    const [sum, count] = [plan.aggregates[0], plan.aggregates[1]] as unknown as [
      { sum: number },
      { count: number },
    ];
    const values = (n: bigint): bigint[] => {
      const all = [0n, 0n];
      all[sum.sum] = 5000n;
      all[count.count] = n;
      return all;
    };
    expect(intervals([], values(1n), 3)).toEqual({ value: 3, lower: null, upper: null });
    expect(intervals([], values(0n), null)).toEqual({ value: null, lower: null, upper: null });
    expect(intervals([], values(500n), 3).lower).not.toBeNull();
  });

  it.each([
    ["SUM(cost) / COUNT(*)", -500_000_000n, 0, "lower"],
    ["SUM(-cost) / COUNT(*)", 500_000_000n, 0, "upper"],
    ["-SUM(cost) / COUNT(*)", -500_000_000n, 0, "upper"],
  ] as const)(
    "of %s is a stretch at the end of what can be, where the noise contradicts all of that",
    async (column, total, end, side) => {
      const plan = await planText(`SELECT ${column} FROM visits`, optionsOf({}), policy);
      const [output] = plan.outputs;
      if (output?.kind !== "computed") throw new Error("not computed");
      const values = plan.measurements.map(({ describes }) => (describes.startsWith("COUNT") ? 500n : total));
      const found = computedIntervals(output.expression, plan, 0.95)([], values, 1);
      expect(found[side]).toBe(end);
      const width = found.upper! - found.lower!;
      expect(width).toBeGreaterThan(0);
      // Half of what it is where the noise contradicts nothing.
      const other = values.map((value) => (value === total ? -total : value));
      const free = computedIntervals(output.expression, plan, 0.95)([], other, 1);
      expect(width).toBeCloseTo((free.upper! - free.lower!) / 2, 6);
    },
  );

  it("is noted in the release, and so is a label", async () => {
    const text =
      "SELECT ward, SUM(cost) / COUNT(*) AS mean, CASE WHEN COUNT(*) > 9 THEN 'many' ELSE 'few' END AS size FROM visits GROUP BY ward";
    expect(notesOn(await planText(text, optionsOf({}), policy))).toEqual([
      expect.stringContaining("values of cost beyond"),
      expect.stringContaining('computed from released values: "mean"'),
      expect.stringContaining('without an interval: "size"'),
    ]);
  });
});
