import { LetheError, lossFromJson, parseRational, type Rational, ratio, toDouble } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { compare, multiply } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { type Policy, readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import { type PlanOptions, planQuestion } from "../index.ts";
import { widestError } from "./answer-errors.ts";
import { errorWithin } from "./error-within.ts";
import { epsilonAt, lastPlace, placeOf } from "./four-digits.ts";
import { leastEpsilon } from "./least-epsilon.ts";
import { type AskedPlan, planAsked } from "./plan-asked.ts";

const policyOf = (budget: string, defaults = ""): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: ${budget}
${defaults}
tables:
  visits:
    file: visits.parquet
    unit: visitor
    max_groups_contributed: 2
    max_rows_contributed_per_group: 3
    expected_rows: 1000
    columns:
      visitor: { type: text }
      cost: { type: number, bounds: [0, 60], default: 0 }
      ward: { type: text, categories: [north, south], default: north }
      town: { type: text }
`);

const approximate = policyOf(
  "{ measure: approximate, epsilon: 10, delta: 1e-6 }",
  "defaults: { epsilon: 3 }",
);
const accounts = {
  approximate,
  pure: policyOf("{ measure: pure, epsilon: 10 }"),
  zcdp: policyOf("{ measure: zcdp, epsilon: 10, delta: 1e-6 }"),
};

const asked = async (text: string, options: PlanOptions = {}, policy = approximate): Promise<AskedPlan> =>
  planAsked(resolveQuestion(await parseQuestion(text), policy), policy, options, "hash");

const refusal = async (
  text: string,
  options: PlanOptions = {},
  policy = approximate,
): Promise<LetheError> => {
  try {
    await asked(text, options, policy);
  } catch (error) {
    if (error instanceof LetheError) return error;
    throw error;
  }
  throw new Error(`was accepted: ${text}`);
};

const target = (of: string, rows?: number): PlanOptions => ({
  targetError: parseRational(of),
  ...(rows === undefined ? {} : { targetRows: rows }),
});

describe("places of four digits", () => {
  it("are in order, hold what they say, and are found again", () => {
    expect([0, 54_000, lastPlace].map((place) => toDouble(epsilonAt(place), "down"))).toEqual([1e-6, 1, 1e6]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: lastPlace - 1 }), (place) => {
        const here = epsilonAt(place);
        expect(compare(here, epsilonAt(place + 1))).toBe(-1);
        expect(Math.abs(placeOf(toDouble(here, "down")) - place)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("the least that meets a target is found under any falling error, smooth or in steps", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        fc.double({ min: 1e-2, max: 1e3, noNaN: true }),
        fc.constantFrom(0.5, 1, 2),
        fc.boolean(),
        (size, most, power, inSteps) => {
          const errorAt = (epsilon: Rational): number => {
            const error = size / toDouble(epsilon, "down") ** power;
            return inSteps ? Math.ceil(error) : error;
          };
          const found = leastEpsilon(errorAt, most);
          if (found === null) {
            expect(errorAt(epsilonAt(lastPlace))).toBeGreaterThan(most);
            return;
          }
          expect(errorAt(found)).toBeLessThanOrEqual(most);
          const place = placeOf(toDouble(found, "down"));
          if (place > 1) expect(errorAt(epsilonAt(place - 2))).toBeGreaterThan(most);
        },
      ),
    );
  });
});

describe("a target error becomes a price", () => {
  const cases: readonly [string, PlanOptions][] = [
    ["SELECT COUNT(*) FROM visits", target("50")],
    ["SELECT SUM(cost), COUNT(*) FROM visits", target("900.5")],
    ["SELECT ward, AVG(cost) FROM visits GROUP BY ward", target("4")],
    ["SELECT town, AVG(cost), COUNT(*) FROM visits GROUP BY town", target("20", 300)],
    ["SELECT SUM(cost) / COUNT(*) FROM visits", target("3")],
    ["SELECT COUNT(*) - COUNT(DISTINCT visitor) FROM visits", target("25")],
  ];
  for (const [measure, policy] of Object.entries(accounts)) {
    for (const [text, options] of cases) {
      if (measure === "pure" && text.includes("town")) continue;
      it(`${measure}: ${text}`, async () => {
        const { plan, target: found } = await asked(text, options, policy);
        const most = toDouble(options.targetError!, "down");
        expect(found!.reached).toBeLessThanOrEqual(most);
        expect(widestError(plan, 0.95, found!.rows)).toBe(found!.reached);
        // One step of the fourth digit less misses it: the price is minimal to a thousandth.
        const epsilon = parseRational(found!.epsilon);
        const question = resolveQuestion(await parseQuestion(text), policy);
        const less = multiply(epsilon, ratio(9989n, 10_000n));
        const short = planQuestion(question, policy, { epsilon: less }, "hash");
        expect(widestError(short, 0.95, found!.rows)).toBeGreaterThan(most);
        // What is planned is what the price alone would have been planned as.
        expect(planQuestion(question, policy, { epsilon }, "hash")).toEqual(plan);
      });
    }
  }

  it("of averages holds at the rows that are said, else at those that the policy expects", async () => {
    const text = "SELECT ward, AVG(cost) FROM visits GROUP BY ward";
    expect((await asked(text, target("4"))).target!.rows).toBe(500);
    expect((await asked(text, target("4", 70))).target!.rows).toBe(70);
    expect((await asked("SELECT COUNT(*) FROM visits", target("4", 70))).target!.rows).toBeNull();
    const [few, many] = [await asked(text, target("4", 70)), await asked(text, target("4", 7000))];
    expect(compare(parseRational(few.target!.epsilon), parseRational(many.target!.epsilon))).toBe(1);
  });

  it("may be a share of the policy's expected rows", async () => {
    const text =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error_relative = 0.05) COUNT(*) FROM visits";
    const { target: found, plan } = await asked(text);
    expect(found).toMatchObject({ halfWidth: 50, relative: { share: "1/20", expectedRows: 1000 } });
    const { plan: absolute } = await asked("SELECT COUNT(*) FROM visits", target("50"));
    expect({ ...plan, text: "" }).toEqual({ ...absolute, text: "" });
  });

  it("costs next to nothing where the answer has no noise anyway", async () => {
    const replaced = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: replace-one }
budget: { measure: pure, epsilon: 1 }
tables: { people: { file: p.parquet, unit: row, columns: { age: { type: integer, bounds: [0, 9] } } } }
`);
    const { plan } = await asked("SELECT COUNT(*) FROM people", target("1"), replaced);
    expect(plan.price).toEqual({ measure: "pure", epsilon: "0" });
  });

  it.each<[string, string, PlanOptions, RegExp]>([
    [
      "a price beside it",
      "SELECT COUNT(*) FROM visits",
      { ...target("5"), epsilon: ratio(1n) },
      /stated together/,
    ],
    [
      "a price in the text",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon = 1, target_error = 5) COUNT(*) FROM visits",
      {},
      /stated together/,
    ],
    [
      "two targets",
      "SELECT COUNT(*) FROM visits",
      { ...target("5"), targetErrorRelative: parseRational("0.1") },
      /two target errors/,
    ],
    [
      "two values of one",
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(target_error = 5) COUNT(*) FROM visits",
      target("6"),
      /target_error is stated twice/,
    ],
    ["rows without a target", "SELECT COUNT(*) FROM visits", { targetRows: 5 }, /no target is stated/],
    [
      "an average of private groups of unknown size",
      "SELECT town, AVG(cost) FROM visits GROUP BY town",
      target("5"),
      /size of its group/,
    ],
    [
      "a quantile, which may lie in a gap",
      "SELECT MEDIAN(cost) FROM visits",
      { ...target("5"), targetRows: 5000 },
      /how far values lie apart/,
    ],
    [
      "what no noise explains",
      "SELECT SQRT(COUNT(*)) FROM visits",
      target("5"),
      /depends on other released values/,
    ],
    [
      "a share of rows where dollars are asked",
      "SELECT SUM(cost) FROM visits",
      { targetErrorRelative: parseRational("0.1") },
      /is not a count of rows/,
    ],
    [
      "out of reach",
      "SELECT AVG(cost) FROM visits",
      target("1e-30"),
      /no epsilon up to 1000000 gives "avg" an error of 1e-30 for the least favourable values in a group of 1000 rows/,
    ],
  ])("%s is refused", async (_, text, options, says) => {
    const error = await refusal(text, options);
    expect(error.code).toBe("query.option");
    expect(error.message).toMatch(says);
    expect(error.fix).toMatch(/leave|write|state|ask/);
  });

  it("is refused in a policy that expects no rows, where it is a share of them", async () => {
    const silent = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 1 }
tables: { people: { file: p.parquet, unit: row, columns: { age: { type: integer, bounds: [0, 9] } } } }
`);
    const share = { targetErrorRelative: parseRational("0.1") };
    expect((await refusal("SELECT COUNT(*) FROM people", share, silent)).fix).toContain("expected_rows");
    expect((await refusal("SELECT AVG(age) FROM people", target("1"), silent)).fix).toContain("target_rows");
  });
});

it("a budget reaches the error of the largest price that fits it", async () => {
  for (const policy of Object.values(accounts)) {
    const question = resolveQuestion(await parseQuestion("SELECT COUNT(*) FROM visits"), policy);
    const full = planQuestion(question, policy, { epsilon: parseRational("0.3") }, "hash");
    const budget = lossFromJson(full.price);
    const within = errorWithin(budget, question, policy, target("1"), "hash", {
      confidence: 0.95,
      rows: null,
    });
    expect(within!.halfWidth).toBe(widestError(full, 0.95, null));
    const plan = planQuestion(question, policy, { epsilon: parseRational(within!.epsilon) }, "hash");
    expect(lossFits(lossFromJson(plan.price), budget)).toBe(true);
  }
  const question = resolveQuestion(await parseQuestion("SELECT COUNT(*) FROM visits"), accounts.pure);
  const none = errorWithin({ measure: "pure", epsilon: ratio(0n) }, question, accounts.pure, {}, "hash", {
    confidence: 0.95,
    rows: null,
  });
  expect(none).toBeNull();
});
