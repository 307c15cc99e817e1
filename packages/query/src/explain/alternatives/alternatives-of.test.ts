import { lossFromJson, type PrivacyLossText, parseRational, ratio, toDouble } from "@lethe/core";
import { multiply } from "@lethe/core/numeric";
import { expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { answerErrors } from "../../plan/error-target/answer-errors.ts";
import { type Plan, type PlanOptions, planQuestion } from "../../plan/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { Alternative } from "../alternative.ts";
import { missingChances } from "../index.ts";
import { explainQuestion } from "./explain-question.ts";

const policyOf = (town: string, measure = "approximate", adjacency = "add-or-remove-one"): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: ${measure}, epsilon: 10, delta: ${measure === "pure" ? 0 : 1e-6} }
tables:
  visits:
    file: visits.parquet
    unit: visitor
    max_groups_contributed: 8
    max_rows_contributed_per_group: 4
    columns:
      visitor: { type: text }
      cost: { type: number, bounds: [0, 60], default: 0 }
      ward: { type: text, categories: [north, south], default: north }
      town: ${town}
`);
const policy = policyOf("{ type: text }");
const listed = policyOf("{ type: text, categories: [a, b, c, d, e, f, g, h, i, j], default: a }");

const byTable = readPolicy(
  `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 10 }
tables:
  visits:
    file: visits.parquet
    unit: visitor
    max_groups_contributed: 4
    max_rows_contributed_per_group: 3
    limit: rows-before-filter
    columns:
      visitor: { type: text }
      ward: { type: text, categories: [north, south], default: north }
`,
);

const one = parseRational("1");
const planOf = async (text: string, options: PlanOptions, under = policy): Promise<Plan> =>
  planQuestion(resolveQuestion(await parseQuestion(text), under), under, options, "hash");
const alternativesOf = async (
  text: string,
  options: PlanOptions,
  under = policy,
): Promise<readonly Alternative[]> =>
  explainQuestion(resolveQuestion(await parseQuestion(text), under), under, options, "hash").alternatives;

const widths = (plan: Plan): number[] => answerErrors(plan, 0.95, 1000).map(({ halfWidth }) => halfWidth!);
const mainOf = (text: PrivacyLossText): number => {
  const loss = lossFromJson(text);
  return toDouble(loss.measure === "zcdp" ? loss.rho : loss.epsilon, "up");
};
const isHarderToFind = (plan: Plan, than: Plan): boolean => {
  const chanceOf = (of: Plan, units: number): number =>
    missingChances(of).find((chance) => chance.units === units)?.chance ?? 0;
  return missingChances(than).some(
    ({ units, chance }) => chance > 0.05 && chance < 0.95 && chanceOf(plan, units) > chance + 0.2,
  );
};

/** Questions written as an alternative tells one to: the intervals are no wider at its price, and wider at a few hundredths less. */
const written: readonly [string, string, string, PlanOptions, Policy?, Policy?][] = [
  [
    "max_groups_contributed = 4",
    "SELECT town, COUNT(*) FROM visits GROUP BY town",
    "SELECT town, COUNT(*) FROM visits GROUP BY town",
    { maxGroupsContributed: 4 },
  ],
  [
    "max_rows_contributed_per_group = 2",
    "SELECT ward, AVG(cost), SUM(cost) FROM visits GROUP BY ward",
    "SELECT ward, AVG(cost), SUM(cost) FROM visits GROUP BY ward",
    { maxRowsPerGroup: 2 },
  ],
  [
    "contribution_bounds_per_row => (0, 30)",
    "SELECT SUM(cost) FROM visits",
    "SELECT SUM(cost, contribution_bounds_per_row => (0, 30)) FROM visits",
    {},
  ],
  [
    "contribution_bounds_per_row => (15, 45)",
    "SELECT VAR_POP(cost) FROM visits",
    "SELECT VAR_POP(cost, contribution_bounds_per_row => (15, 45)) FROM visits",
    {},
  ],
  [
    "delta = 1e-8",
    "SELECT town, COUNT(*) FILTER (WHERE cost > 20), COUNT(*) FILTER (WHERE cost > 30), COUNT(*) FILTER (WHERE cost > 40) FROM visits GROUP BY town",
    "SELECT town, COUNT(*) FILTER (WHERE cost > 20), COUNT(*) FILTER (WHERE cost > 30), COUNT(*) FILTER (WHERE cost > 40) FROM visits GROUP BY town",
    { delta: parseRational("1e-8") },
    listed,
    listed,
  ],
  [
    "categories of town",
    "SELECT town, COUNT(*) FROM visits GROUP BY town",
    "SELECT town, COUNT(*) FROM visits GROUP BY town",
    {},
    policy,
    listed,
  ],
];

it.each(written)("%s saves what it says", async (how, asked, changed, options, at = policy, under = at) => {
  const before = await planOf(asked, { epsilon: one }, at);
  const alternative = (await alternativesOf(asked, { epsilon: one }, at)).find((known) =>
    known.how.includes(how),
  );
  expect(alternative).toBeDefined();
  const epsilon = parseRational(alternative!.epsilon);
  const cheaper = await planOf(changed, { ...options, epsilon }, under);
  expect(cheaper.price).toEqual(alternative!.price);
  for (const [at, width] of widths(cheaper).entries())
    expect(width).toBeLessThanOrEqual(widths(before)[at]! * (1 + 1e-12));
  expect(isHarderToFind(cheaper, before)).toBe(false);
  expect(alternative!.saved).toBeCloseTo(1 - mainOf(cheaper.price) / mainOf(before.price), 9);
  const less = await planOf(changed, { ...options, epsilon: multiply(epsilon, ratio(95n, 100n)) }, under);
  expect(
    widths(less).some((width, at) => width > widths(before)[at]!) || missingChances(before).length > 0,
  ).toBe(true);
  const same = await planOf(changed, { ...options, epsilon: one }, under);
  const widest = Math.max(...widths(same).map((width, at) => width / widths(before)[at]!));
  expect(alternative!.error).toBeGreaterThanOrEqual(widest - 1e-12);
  expect(alternative!.error).toBeLessThanOrEqual(1);
});

it("speaks of all of a unit's rows where those are bounded", async () => {
  const found = await alternativesOf(
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
    { epsilon: one },
    byTable,
  );
  // The wards are two and public: a unit keeps 2·3 rows.
  expect(found.map(({ how, change }) => [how, change])).toEqual(
    expect.arrayContaining([
      ["max_groups_contributed = 1", "at most 3 rows of a unit instead of 6"],
      ["max_rows_contributed_per_group = 1", "at most 2 rows of a unit instead of 6"],
    ]),
  );
  expect(found[0]!.how).toBe("max_rows_contributed_per_group = 1");
});

it("is silent where nobody can say how wide an answer is", async () => {
  expect(await alternativesOf("SELECT AVG(cost) / (AVG(cost) - 30) FROM visits", { epsilon: one })).toEqual(
    [],
  );
});

it("undoes what the question forced, and says so", async () => {
  const text = "SELECT town, COUNT(*) FROM visits GROUP BY town";
  const forced = await alternativesOf(text, { epsilon: one, groupSelection: "private" }, listed);
  expect(forced.map(({ how }) => how)).toContain("group_selection_strategy = public");
  const gaussian = { epsilon: one, delta: parseRational("1e-8"), mechanism: "gaussian" } as const;
  const noise = await alternativesOf("SELECT COUNT(DISTINCT visitor) FROM visits", gaussian);
  expect(noise.map(({ how }) => how)).toContain("leave mechanism out");
});

it("is sorted, is of prices in the account's measure, and is silent where nothing helps", async () => {
  for (const measure of ["pure", "zcdp"] as const) {
    const under = policyOf("{ type: boolean }", measure);
    const found = await alternativesOf(
      "SELECT ward, COUNT(*), SUM(cost) FROM visits GROUP BY ward",
      { epsilon: one },
      under,
    );
    expect(found.length).toBeGreaterThan(0);
    expect(found.map(({ saved }) => saved)).toEqual(found.map(({ saved }) => saved).sort((a, b) => b - a));
    for (const { price } of found) expect(price.measure).toBe(measure);
  }
  const bare = policyOf("{ type: boolean }", "pure");
  expect(await alternativesOf("SELECT COUNT(DISTINCT visitor) FROM visits", { epsilon: one }, bare)).toEqual(
    [],
  );
  // Under replace-one the number of units is public: no noise, no price, nothing to save.
  const replaced = policyOf("{ type: boolean }", "pure", "replace-one");
  expect(
    await alternativesOf("SELECT COUNT(DISTINCT visitor) FROM visits", { epsilon: one }, replaced),
  ).toEqual([]);
});
