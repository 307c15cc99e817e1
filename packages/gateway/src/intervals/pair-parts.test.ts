import { byName, noisyNumbers, oneGroup, readPolicy, type SumColumn, writeSql } from "@lethe/query";
import { describe, expect, it } from "vitest";
import { planText } from "../resolved-question.ts";
import { optionsOf } from "../testing/open-house.ts";
import { rowKeys } from "../testing/row-keys.ts";
import { rowPolicy } from "../testing/visits.ts";
import { computedIntervals, partOfSeveral } from "./computed-intervals.ts";

// Without NULLs, the rows of a pair are those of each of its columns.
const policy = readPolicy(
  rowPolicy("{ measure: approximate, epsilon: 10, delta: 1e-3 }").replace("[-4, 9]", "[-4, 9], default: 0"),
);

async function kindOf(column: string): Promise<string> {
  const plan = await planText(`SELECT ${column} FROM visits`, optionsOf({}), policy);
  const [output] = plan.outputs;
  if (output?.kind !== "computed") throw new Error("not computed");
  return partOfSeveral(output.expression, plan, oneGroup)?.id.split(" ")[0] ?? "no pair";
}

it("there is no pair where a total holds several draws of noise", async () => {
  const plan = await planText("SELECT REGR_SLOPE(stay, stay * 2) FROM visits", optionsOf({}), policy);
  const [output] = plan.outputs;
  if (output?.kind !== "computed") throw new Error("not computed");
  expect(partOfSeveral(output.expression, plan, oneGroup)).not.toBeNull();
  expect(partOfSeveral(output.expression, plan, [{ level: 0, draws: 2 }])).toBeNull();
});

it.each(["REGR_SLOPE(stay, stay * 2)", "REGR_INTERCEPT(stay, stay * 2)"])(
  "the interval of %s has no ends where the noise drowns the variance",
  async (column) => {
    const plan = await planText(`SELECT ${column} FROM visits`, optionsOf({}), policy);
    const [output] = plan.outputs;
    if (output?.kind !== "computed") throw new Error("not computed");
    const part = partOfSeveral(output.expression, plan, oneGroup)!;
    expect(part.rangeAt(0.95)(noisyNumbers(plan)(plan.measurements.map(() => 0n)))).toEqual({
      lo: Number.NEGATIVE_INFINITY,
      hi: Number.POSITIVE_INFINITY,
    });
  },
);

const slope = "COVAR_POP(stay, stay * 2) / VAR_POP(stay * 2)";

it.each([
  ["REGR_SLOPE(stay, stay * 2)", "slope"],
  ["COVAR_POP(stay, stay * 2) / VAR_POP(stay)", "slope"],
  ["COVAR_POP(stay, stay * 2) / VAR_POP(stay * 2)", "slope"],
  ["COVAR_SAMP(stay, stay * 2) / VAR_SAMP(stay)", "slope"],
  ["COVAR_SAMP(stay, stay * 2) / VAR_POP(stay)", "no pair"],
  ["COVAR_POP(stay, stay * 2) / VAR_POP(stay + 1)", "no pair"],
  ["COVAR_POP(stay, stay * 2) / (STDDEV_POP(stay) * STDDEV_POP(stay * 2))", "correlation"],
  ["COVAR_POP(stay, stay * 2) / (STDDEV_POP(stay * 2) * STDDEV_POP(stay))", "correlation"],
  ["COVAR_POP(stay, stay * 2) / (STDDEV_POP(stay) * STDDEV_SAMP(stay * 2))", "no pair"],
  ["COVAR_POP(stay, stay * 2) / (STDDEV_POP(stay) * STDDEV_POP(stay + 1))", "no pair"],
  ["REGR_INTERCEPT(stay, stay * 2)", "intercept"],
  ["REGR_INTERCEPT(cost, stay)", "intercept"],
  [`AVG(stay) - ${slope} * AVG(stay * 2)`, "intercept"],
  [`AVG(stay) - ${slope} * AVG(stay + 1)`, "no pair"],
  [`AVG(stay + 1) - ${slope} * AVG(stay * 2)`, "no pair"],
  [`AVG(stay * 2) - ${slope} * AVG(stay)`, "no pair"],
  [`AVG(stay) - ${slope} * SUM(stay * 2)`, "no pair"],
  // Other forms, other aggregates, and one total twice.
  ["COVAR_POP(stay, stay) / VAR_POP(stay)", "no pair"],
  ["COVAR_POP(stay, stay * 2) * VAR_POP(stay)", "no pair"],
  ["COVAR_POP(stay, stay * 2) / STDDEV_POP(stay)", "no pair"],
  ["AVG(stay) / VAR_POP(stay)", "no pair"],
  ["COVAR_POP(cost, stay) / VAR_POP(stay)", "no pair"],
  ["COVAR_POP(stay, stay * 2) / (STDDEV_POP(stay) + STDDEV_POP(stay * 2))", "no pair"],
  ["COVAR_POP(stay, stay * 2) / (STDDEV_POP(stay) * 2)", "no pair"],
  ["COVAR_POP(stay, stay * 2) / (2 * STDDEV_POP(stay))", "no pair"],
  ["COVAR_POP(stay, stay * 2) / (VAR_POP(stay) * VAR_POP(stay * 2))", "no pair"],
  ["VAR_POP(stay) / (STDDEV_POP(stay) * STDDEV_POP(stay * 2))", "no pair"],
  [`AVG(stay) + ${slope} * AVG(stay * 2)`, "no pair"],
  [`AVG(stay) - ${slope} + AVG(stay * 2)`, "no pair"],
  [`AVG(stay) - ${slope}`, "no pair"],
  ["AVG(stay) - COVAR_POP(stay, stay * 2) * AVG(stay * 2)", "no pair"],
  ["AVG(stay) - 2 * AVG(stay * 2)", "no pair"],
  [`SUM(stay) - ${slope} * AVG(stay * 2)`, "no pair"],
  [`AVG(cost) - ${slope} * AVG(stay * 2)`, "no pair"],
  [`AVG(stay) - ${slope} * AVG(cost)`, "no pair"],
])("the interval of %s is that of: %s", async (column, kind) => {
  expect(await kindOf(column)).toBe(kind);
});

describe("the interval of a line or a correlation", () => {
  const priced = readPolicy(
    rowPolicy("{ measure: approximate, epsilon: 10, delta: 1e-3 }")
      .replace("bounds: [0, 10000]", "bounds: [0, 10000], default: 0")
      .replace(
        "stay: { type: integer, bounds: [-4, 9] }",
        "fee: { type: number, bounds: [2, 18], default: 2 }",
      ),
  );
  /** A quarter of a million rows at each of these points. */
  const points = [
    { cost: 1000, fee: 3 },
    { cost: 2000, fee: 5 },
    { cost: 5000, fee: 4 },
    { cost: 9000, fee: 17 },
  ];
  const each = 250_000;

  /** Returns what a column of the plan adds up over the rows, in its own grid's integers. */
  function totalOf(sum: SumColumn): bigint {
    const gridOf = (part: { argument: Parameters<typeof writeSql>[0]; grid: { exponent: number } }) => {
      const name = writeSql(part.argument) as "cost" | "fee";
      return (point: (typeof points)[number]): bigint => BigInt(point[name] / 2 ** part.grid.exponent);
    };
    const over = (of: (point: (typeof points)[number]) => bigint): bigint =>
      points.reduce((total, point) => total + of(point) * BigInt(each), 0n);
    if (!("grid" in sum)) return over(() => 1n);
    const first = gridOf(sum);
    if (sum.kind === "sum") return over(first);
    const mid = BigInt(sum.mid);
    if (sum.kind === "scaled-products") {
      const [second, otherMid] = [gridOf(sum.other), BigInt(sum.other.mid)];
      return over((point) => (first(point) - mid) * (second(point) - otherMid));
    }
    const power = sum.kind === "scaled-squares" ? 2n : 1n;
    return over((point) => (first(point) - mid) ** power);
  }

  // By hand: the means are 4,250 and 7.25, Σxx = 38,750,000, Σyy = 128.75 and Σxy = 62,750 over the four points.
  const [sxx, syy, sxy] = [38_750_000, 128.75, 62_750];
  it.each([
    ["REGR_SLOPE(fee, cost)", sxy / sxx],
    ["REGR_SLOPE(cost, fee)", sxy / syy],
    ["REGR_INTERCEPT(fee, cost)", 7.25 - (sxy / sxx) * 4250],
    ["REGR_INTERCEPT(cost, fee)", 4250 - (sxy / syy) * 7.25],
    ["CORR(fee, cost)", sxy / Math.sqrt(sxx * syy)],
    ["REGR_R2(fee, cost)", (sxy * sxy) / (sxx * syy)],
    ["COVAR_POP(fee, cost) / VAR_POP(fee)", sxy / syy],
    ["COVAR_POP(fee, cost) / VAR_POP(cost)", sxy / sxx],
  ])("of %s is near that of the rows, whatever the units of its columns", async (column, truth) => {
    const plan = await planText(`SELECT ${column} FROM visits`, optionsOf({}), priced);
    const [output] = plan.outputs;
    if (output?.kind !== "computed") throw new Error("not computed");
    const values = plan.measurements.map(({ terms }) =>
      terms.reduce(
        (total, { sum, coefficient }) => total + BigInt(coefficient) * totalOf(byName(plan.sums, sum)),
        0n,
      ),
    );
    const { lower, upper } = computedIntervals(output.expression, plan, 0.95)(
      rowKeys(),
      noisyNumbers(plan)(values),
      1,
    );
    expect(lower).toBeLessThan(truth);
    expect(upper).toBeGreaterThan(truth);
    expect((upper! - lower!) / Math.abs(truth)).toBeLessThan(0.01);
  });
});
