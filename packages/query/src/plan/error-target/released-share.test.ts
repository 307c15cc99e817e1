import { lossFromJson, lossToJson, parseRational } from "@lethe/core";
import { composeLosses } from "@lethe/core/accounting";
import { describe, expect, it } from "vitest";
import { explainQuestion } from "../../explain/alternatives/explain-question.ts";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";
import { refusalOf } from "../../testing/refusal-of.ts";
import { type PlanOptions, planQuestion } from "../index.ts";
import { answerErrors, widestError } from "./answer-errors.ts";
import { errorWithin } from "./error-within.ts";
import { pilotOf } from "./pilot.ts";
import { type AskedPlan, planAsked } from "./plan-asked.ts";
import type { ReleasedNumbers } from "./reached-target.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 50 }
tables:
  people:
    file: p.csv
    unit: row
    expected_rows: 1000
    columns:
      wage: { type: number, bounds: [0, 60], default: 0 }
      sector: { type: text, categories: [a, b, c, d], default: a }
      kind: { type: text, categories: [x, y], default: x }
`);

const resolved = async (text: string): Promise<ResolvedQuery> =>
  resolveQuestion(await parseQuestion(text), policy);
const asked = async (
  text: string,
  options: PlanOptions,
  released: ReleasedNumbers | null,
): Promise<AskedPlan> => planAsked(await resolved(text), policy, options, "hash", 0.95, released);

const released = (columns: Readonly<Record<string, readonly number[]>>): ReleasedNumbers => ({
  requestId: "q1",
  columns: new Map(Object.entries(columns)),
});
const share = parseRational("0.05");
const ofRelease = { targetErrorRelative: share, targetRelease: "q1" };
const ofPilot = {
  targetErrorRelative: share,
  pilotEpsilon: parseRational("0.5"),
  maxEpsilon: parseRational("2"),
};
const count = "SELECT COUNT(*) AS n FROM people";

/** The least q with P[|Z| > q] at most 0.05, where Z is discrete Laplace noise of this scale: P[|Z| > q] = 2p^(q+1)/(1 + p). */
function halfWidth(scale: number): number {
  const p = Math.exp(-1 / scale);
  let q = 0;
  while ((2 * p ** (q + 1)) / (1 + p) > 0.05) q += 1;
  return q;
}

describe("a share of released numbers", () => {
  it("is one of the typical size of each column, and says so", async () => {
    const { plan, target } = await asked(count, ofRelease, released({ n: [120, -80, 3], other: [9] }));
    expect(target).toEqual({
      halfWidth: 4,
      relative: null,
      released: {
        share: "1/20",
        requestId: "q1",
        answers: [{ name: "n", values: 3, typical: 80, halfWidth: 4, reached: 4 }],
      },
      rows: null,
      reached: 4,
      epsilon: target!.epsilon,
      capped: false,
    });
    const absolute = await asked(count, { targetError: parseRational("4") }, null);
    expect(plan).toEqual(absolute.plan);
    expect(absolute.target).toMatchObject({ released: null, relative: null });
    expect(halfWidth(1 / Number(plan.price.measure === "pure" ? parseQuotient(plan.price.epsilon) : 0))).toBe(
      4,
    );
  });

  it("is as wide for each answer as its own numbers say, and that which is hardest sets the price", async () => {
    const text = "SELECT COUNT(*) AS n, SUM(wage) AS total FROM people";
    const easy = await asked(text, ofRelease, released({ n: [200], total: [1e9] }));
    expect(easy.target!.halfWidth).toBe(10);
    expect(easy.target!.released!.answers.map(({ name, halfWidth }) => [name, halfWidth])).toEqual([
      ["n", 10],
      ["total", 5e7],
    ]);
    const other = await asked(text, ofRelease, released({ n: [1e9], total: [12_000] }));
    expect(other.target!.halfWidth).toBe(600);
    const [n, total] = other.target!.released!.answers;
    expect(other.target!.reached).toBe(total!.reached);
    expect(total!.reached).toBeLessThanOrEqual(600);
    expect(n!.reached! / n!.halfWidth).toBeLessThan(total!.reached! / total!.halfWidth);
  });

  it("of averages is meant for groups of the rows that are said, else of those that the policy expects", async () => {
    const text = "SELECT sector, AVG(wage) AS mean FROM people GROUP BY sector";
    const numbers = released({ mean: [41, 40, 29, 43] });
    expect((await asked(text, ofRelease, numbers)).target).toMatchObject({ rows: 250, halfWidth: 2 });
    expect((await asked(text, { ...ofRelease, targetRows: 70 }, numbers)).target!.rows).toBe(70);
    expect(
      (await asked(count, { ...ofRelease, targetRows: 70 }, released({ n: [9] }))).target!.rows,
    ).toBeNull();
  });

  it.each<[string, string, ReleasedNumbers, string, string]>([
    [
      "a column that is not there",
      count,
      released({ m: [5] }),
      'the release "q1" has no column "n" of numbers',
      "give the answers the names that they have there (COUNT(*) AS n)",
    ],
    [
      "a column without numbers",
      count,
      released({ n: [] }),
      'the release "q1" holds no number above 0 in "n" to take a share of',
      "state target_error, or ask a pilot first (pilot_epsilon and max_epsilon)",
    ],
    [
      "a column of zeros",
      count,
      released({ n: [0, 0] }),
      'the release "q1" holds no number above 0 in "n" to take a share of',
      "state target_error, or ask a pilot first (pilot_epsilon and max_epsilon)",
    ],
    [
      "totals beside their groups",
      "SELECT sector, COUNT(*) AS n FROM people GROUP BY ROLLUP (sector)",
      released({ n: [5] }),
      "a share of released numbers gives one width per column, but totals and their groups share columns",
      "state target_error, or ask for one grouping",
    ],
  ])("is refused of %s", async (_, text, numbers, message, fix) => {
    const error = await refusalOf(asked(text, ofRelease, numbers));
    expect([error.code, error.message, error.fix]).toEqual(["query.option", message, fix]);
  });

  it("is planned with its numbers alone, and numbers are handed to no other question", async () => {
    for (const [options, numbers] of [
      [ofRelease, null],
      [ofPilot, null],
      [{ targetError: parseRational("4") }, released({ n: [5] })],
      [{ targetErrorRelative: share }, released({ n: [5] })],
    ] as const) {
      const error = await refusalOf(asked(count, options, numbers));
      expect([error.code, error.message]).toEqual([
        "internal.invariant",
        "a share of a release was planned without its numbers",
      ]);
    }
  });
});

describe("a share of expected rows", () => {
  it("is one of a number of rows, and so of counts alone", async () => {
    const { target } = await asked(
      "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector",
      { targetErrorRelative: share },
      null,
    );
    expect(target).toMatchObject({
      halfWidth: 50,
      relative: { share: "1/20", expectedRows: 1000 },
      released: null,
      rows: null,
    });
    const error = await refusalOf(
      asked("SELECT COUNT(*) AS n, SUM(wage) AS total FROM people", { targetErrorRelative: share }, null),
    );
    expect([error.message, error.fix]).toEqual([
      'target_error_relative is a share of a number of rows, and "total" is not a count of rows',
      "state target_error in the units of the answers, or what the share is of: target_release, or pilot_epsilon",
    ]);
  });
});

describe("a question with a pilot", () => {
  it("is planned first at the pilot's price, and is none without one", async () => {
    const question = await resolved(count);
    expect(pilotOf(question, policy, { epsilon: parseRational("1") }, "hash")).toBeNull();
    expect(pilotOf(question, policy, ofRelease, "hash")).toBeNull();
    const pilot = pilotOf(question, policy, ofPilot, "hash")!;
    expect([pilot.epsilon, pilot.maxEpsilon]).toEqual([ofPilot.pilotEpsilon, ofPilot.maxEpsilon]);
    expect(pilot.plan).toEqual(planQuestion(question, policy, { epsilon: ofPilot.pilotEpsilon }, "hash"));
  });

  it("costs at most what its second request is capped at, and says where that misses the target", async () => {
    const suggested = (numbers: readonly number[]): Promise<AskedPlan> =>
      asked(count, ofPilot, released({ n: numbers }));
    const met = (await suggested([1000])).target!;
    expect(met).toMatchObject({ halfWidth: 50, capped: false });
    // A pilot that shows nothing, or 0, says nothing to take a share of: all that may be paid is.
    for (const numbers of [[], [0]]) {
      const { target, plan } = await suggested(numbers);
      expect(target).toMatchObject({ halfWidth: 0, epsilon: "2", capped: true, reached: halfWidth(1 / 2) });
      expect(plan.price).toEqual({ measure: "pure", epsilon: "2" });
    }
    // A half-width of 1 is 0.05 of 20: reached below the cap, and that of 19 at no price below it.
    expect((await suggested([20])).target).toMatchObject({ halfWidth: 1, capped: false, reached: 1 });
    expect((await suggested([19])).target).toMatchObject({ epsilon: "2", capped: true, reached: 1 });
  });

  it("is explained as both stages, at the most that they cost", async () => {
    const question = await resolved("SELECT COUNT(*) AS n, SUM(wage) AS total FROM people");
    const explained = explainQuestion(question, policy, ofPilot, "hash", 0.9);
    const at = (epsilon: string) =>
      planQuestion(question, policy, { epsilon: parseRational(epsilon) }, "hash");
    const [first, second] = [at("1/2").price, at("2").price];
    expect(explained.pilot).toEqual({ epsilon: "1/2", price: first, maxEpsilon: "2", maxPrice: second });
    expect(explained.price).toEqual(
      lossToJson(
        composeLosses(
          "pure",
          [first, second].map((price) => lossFromJson(price)),
        ),
      ),
    );
    expect(explained.price).toEqual({ measure: "pure", epsilon: "5/2" });
    expect(explained.confidence).toBe(0.9);
    expect(explained.answers.map(({ halfWidth }) => halfWidth)).toEqual(
      answerErrors(at("2"), 0.9, null).map(({ halfWidth }) => halfWidth),
    );
  });

  it("is refused before it is paid where its second request could not be asked", async () => {
    for (const [text, options, message] of [
      [count, { ...ofPilot, epsilon: share }, /stated together/],
      [count, { ...ofPilot, maxEpsilon: parseRational("1e7") }, /epsilon must be between/],
      ["SELECT MEDIAN(wage) FROM people", ofPilot, /how far values lie apart/],
      [
        "SELECT sector, COUNT(*) FROM people GROUP BY ROLLUP (sector)",
        ofPilot,
        /totals and their groups share/,
      ],
      ["SELECT SUM(wage, contribution_bounds_per_row => auto) FROM people", ofPilot, /are yet to be learned/],
    ] as const) {
      const question = await resolved(text);
      const error = await refusalOf((async () => pilotOf(question, policy, options, "hash"))());
      expect(error.code).toBe("query.option");
      expect(error.message).toMatch(message);
    }
  });
});

describe("the errors of answers", () => {
  const planned = async (text: string) =>
    planQuestion(await resolved(text), policy, { epsilon: parseRational("1") }, "hash");

  it("are known in advance for counts, of any size, and for averages at a size", async () => {
    const plan = await planned("SELECT COUNT(*) AS n, AVG(wage) AS mean FROM people");
    const [n, mean] = answerErrors(plan, 0.95, null);
    expect(n).toMatchObject({ name: "n", column: "n", kind: "count", bySize: false });
    expect(mean).toEqual({ name: "mean", column: "mean", kind: "avg", halfWidth: null, bySize: true });
    expect(widestError(plan, 0.95, null)).toBe(Number.POSITIVE_INFINITY);
    const [few, many] = [100, 10_000].map((rows) => answerErrors(plan, 0.95, rows)[1]!.halfWidth!);
    expect(few).toBeGreaterThan(many!);
    expect(widestError(plan, 0.95, 100)).toBe(Math.max(n!.halfWidth!, few!));
  });

  it("of totals are those of as many groups as they add up, in rows that are as many", async () => {
    const plan = await planned(
      "SELECT sector, COUNT(*) AS n, AVG(wage) AS mean FROM people GROUP BY ROLLUP (sector)",
    );
    const errors = answerErrors(plan, 0.95, 50);
    expect(errors.map(({ name, column }) => [name, column])).toEqual([
      ["n", "n"],
      ["mean", "mean"],
      ["n, total of 4 groups", "n"],
      ["mean, total of 4 groups", "mean"],
    ]);
    // The noise of four groups is twice as wide as that of one, and the total has four times the rows.
    expect(errors[2]!.halfWidth! / errors[0]!.halfWidth!).toBeGreaterThan(1.5);
    expect(errors[2]!.halfWidth! / errors[0]!.halfWidth!).toBeLessThan(2.5);
    expect(errors[3]!.halfWidth! / errors[1]!.halfWidth!).toBeGreaterThan(0.35);
    expect(errors[3]!.halfWidth! / errors[1]!.halfWidth!).toBeLessThan(0.65);
  });

  it("of what is left beside released groups are known to nobody", async () => {
    const approximate = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 50, delta: 1e-6 }
tables: { people: { file: p.csv, unit: row, columns: { town: { type: text } } } }
`);
    const text = "SELECT town, COUNT(*) AS n FROM people GROUP BY ROLLUP (town)";
    const question = resolveQuestion(await parseQuestion(text), approximate);
    const plan = planQuestion(question, approximate, { epsilon: parseRational("1") }, "hash");
    const errors = answerErrors(plan, 0.95, 50);
    expect(errors.at(-1)).toEqual({
      name: "(other)",
      column: "(other)",
      kind: "computed",
      halfWidth: null,
      bySize: false,
    });
    expect(errors.slice(0, -1).every(({ halfWidth }) => halfWidth! > 0)).toBe(true);
    expect(widestError(plan, 0.95, 50)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the largest price within a budget", () => {
  const within = async (epsilon: string) =>
    errorWithin(
      { measure: "pure", epsilon: parseRational(epsilon) },
      await resolved(count),
      policy,
      { targetError: parseRational("5") },
      "hash",
      { confidence: 0.95, rows: null },
    );

  it.each([
    ["0.3", "3/10", 0.3],
    ["0.30009", "3/10", 0.3],
    ["0.3001", "3001/10000", 0.3001],
    ["0.000001", "1/1000000", 1e-6],
    ["1000000", "1000000", 1e6],
    ["1e9", "1000000", 1e6],
  ])("of %s is of four digits, and its error that of its noise", async (budget, epsilon, value) => {
    const found = await within(budget);
    expect(found!.epsilon).toBe(epsilon);
    if (value > 0.01) expect(found!.halfWidth).toBe(halfWidth(1 / value));
  });

  it("is none where nothing that can be asked is so cheap", async () => {
    expect(await within("9.9e-7")).toBeNull();
    expect(await within("0")).toBeNull();
  });
});

/** The double of "1/20". */
function parseQuotient(text: string): number {
  const [num, den = "1"] = text.split("/");
  return Number(num) / Number(den);
}
