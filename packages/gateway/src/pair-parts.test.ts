import { oneGroup, readPolicy } from "@lethe/query";
import { expect, it } from "vitest";
import { pairPart } from "./pair-parts.ts";
import { planText } from "./resolved-question.ts";
import { optionsOf } from "./testing/open-house.ts";
import { rowPolicy } from "./testing/visits.ts";

// Without NULLs, the rows of a pair are those of each of its columns.
const policy = readPolicy(
  rowPolicy("{ measure: approximate, epsilon: 10, delta: 1e-3 }").replace("[-4, 9]", "[-4, 9], default: 0"),
);

async function kindOf(column: string): Promise<string> {
  const plan = await planText(`SELECT ${column} FROM visits`, optionsOf({}), policy);
  const [output] = plan.outputs;
  if (output?.kind !== "computed") throw new Error("not computed");
  return pairPart(output.expression, plan, oneGroup)?.id.split(" ")[0] ?? "no pair";
}

it("there is no pair where a total holds several draws of noise", async () => {
  const plan = await planText("SELECT REGR_SLOPE(stay, stay * 2) FROM visits", optionsOf({}), policy);
  const [output] = plan.outputs;
  if (output?.kind !== "computed") throw new Error("not computed");
  expect(pairPart(output.expression, plan, oneGroup)).not.toBeNull();
  expect(pairPart(output.expression, plan, [{ level: 0, draws: 2 }])).toBeNull();
});

it.each(["REGR_SLOPE(stay, stay * 2)", "REGR_INTERCEPT(stay, stay * 2)"])(
  "the interval of %s has no ends where the noise drowns the variance",
  async (column) => {
    const plan = await planText(`SELECT ${column} FROM visits`, optionsOf({}), policy);
    const [output] = plan.outputs;
    if (output?.kind !== "computed") throw new Error("not computed");
    const part = pairPart(output.expression, plan, oneGroup)!;
    expect(
      part.rangeAt(0.95)(
        plan.measurements.map(() => 0n),
        [],
      ),
    ).toEqual({
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
