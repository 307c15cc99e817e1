import { lossFromJson, parseRational, price, type Rational, ratio, toDouble } from "@lethe/core";
import { lossFits } from "@lethe/core/accounting";
import { compare, divide } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "../../parse/index.ts";
import { readPolicy } from "../../policy/index.ts";
import { resolveQuestion } from "../../resolve/index.ts";
import type { PlanOptions } from "../merge-options.ts";
import type { Measurement, Plan } from "../plan.ts";
import { questionBudget } from "../question-budget.ts";
import { releaseProgram } from "../release-program.ts";
import { planQuestion } from "./plan-question.ts";

const budgets = {
  pure: "{ measure: pure, epsilon: 10 }",
  approximate: "{ measure: approximate, epsilon: 10, delta: 1e-5 }",
  zcdp: "{ measure: zcdp, epsilon: 10, delta: 1e-5 }",
} as const;

function policyOf(
  measure: keyof typeof budgets,
  { adjacency = "add-or-remove-one", unit = "row", k = 1 } = {},
) {
  return readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: ${budgets[measure]}
tables:
  t:
    file: t.parquet
    unit: ${unit}
${unit === "row" ? "" : `    max_groups_contributed: ${k}\n    max_rows_contributed_per_group: 2`}
    columns:
      id: { type: text }
      x: { type: number, bounds: [-5, 5], default: 0 }
      age: { type: integer, bounds: [1, 90] }
      g: { type: text, categories: [a, b, c] }
      h: { type: text }
`);
}

async function plan(text: string, policy: ReturnType<typeof policyOf>, options: PlanOptions): Promise<Plan> {
  return planQuestion(resolveQuestion(await parseQuestion(text), policy), policy, options, "hash");
}

const questions = [
  "SELECT COUNT(*) FROM t",
  "SELECT g, AVG(x), COUNT(*) FROM t GROUP BY g",
  "SELECT VARIANCE(x), SUM(age), AVG(age) FROM t WHERE age > 5",
];

describe("what a plan costs", () => {
  for (const measure of ["pure", "approximate", "zcdp"] as const) {
    for (const adjacency of ["add-or-remove-one", "replace-one"]) {
      it(`is never above what was asked, and hardly below: ${measure}, ${adjacency}`, async () => {
        for (const unit of ["row", "id"]) {
          const policy = policyOf(measure, { adjacency, unit, k: 3 });
          for (const text of [
            ...questions,
            ...(measure === "pure" ? [] : ["SELECT h, SUM(x) FROM t GROUP BY h"]),
          ]) {
            for (const epsilon of ["0.01", "1/3", "2.5"]) {
              for (const mechanism of measure === "pure"
                ? (["laplace"] as const)
                : (["laplace", "gaussian"] as const)) {
                const options = { epsilon: parseRational(epsilon), mechanism };
                const planned = await plan(text, policy, options);
                const asked = questionBudget(policy, { ...nothing, ...options });
                const loss = lossFromJson(planned.price);
                expect(lossFits(loss, asked), `${text} ${epsilon} ${mechanism}`).toBe(true);
                // Constants alone cost nothing; all else uses what it is given.
                if (planned.measurements.every(({ l1 }) => l1 === "0")) continue;
                expect(toDouble(share(loss, asked), "up")).toBeGreaterThan(0.9);
              }
            }
          }
        }
      });
    }
  }

  const nothing = {
    epsilon: null,
    delta: null,
    maxGroupsContributed: null,
    maxRowsContributed: null,
    maxRowsPerGroup: null,
    groupSelection: null,
    mechanism: null,
    privacyUnitColumn: null,
    minPrivacyUnitsPerGroup: null,
    targetError: null,
    targetErrorRelative: null,
    targetRelease: null,
    pilotEpsilon: null,
    maxEpsilon: null,
    targetRows: null,
    advantage: null,
    acceptUninformative: null,
  };

  function share(loss: ReturnType<typeof lossFromJson>, asked: ReturnType<typeof lossFromJson>): Rational {
    const main = (x: typeof loss): Rational => (x.measure === "zcdp" ? x.rho : x.epsilon);
    return divide(main(loss), main(asked));
  }

  it("is the sum of its measurements' under Laplace noise, exactly", async () => {
    const planned = await plan(questions[2]!, policyOf("pure"), { epsilon: parseRational("1/3") });
    expect(planned.price).toEqual({ measure: "pure", epsilon: "1/3" });
  });

  it("is what core says of its event", async () => {
    const planned = await plan("SELECT h, AVG(x) FROM t GROUP BY h", policyOf("approximate"), {
      epsilon: ratio(1n),
      mechanism: "gaussian",
    });
    const again = price(planned.event, { measure: "approximate", delta: parseRational("1e-7") });
    expect(again.measure === "approximate" && compare(again.epsilon, ratio(1n)) <= 0).toBe(true);
  });
});

describe("how a budget is split", () => {
  const epsilonOf = ({ l1, noise }: Measurement): number =>
    noise.mechanism === "discrete-laplace@1"
      ? toDouble(divide(parseRational(l1), parseRational(noise.scale)), "up")
      : 0;

  it("gives an average's sum and count the whole of it, as one vector", async () => {
    const { measurements, joint } = await plan("SELECT AVG(x) FROM t", policyOf("pure"), {
      epsilon: ratio(1n),
    });
    expect(joint).toEqual([measurements.map(({ name }) => name)]);
    expect(measurements.map(epsilonOf)).toEqual([1, 1]);
  });

  it("measures what aggregates share once, and gives it more", async () => {
    const options = { epsilon: ratio(1n) };
    const alone = await plan("SELECT AVG(x) FROM t", policyOf("pure"), options);
    const shared = await plan(
      "SELECT AVG(x), COUNT(*), COUNT(x), STDDEV(x) FROM t",
      policyOf("pure"),
      options,
    );
    expect(shared.measurements.map(({ name }) => name)).toEqual([
      "SUM(x − middle)",
      "COUNT(*)",
      "SUM((x − middle)² − offset)",
    ]);
    const weight = ({ measurements }: Plan): number =>
      epsilonOf(measurements[1]!) / epsilonOf(measurements[0]!);
    expect(weight(shared)).toBeGreaterThan(weight(alone));
  });

  it("takes Gaussian noise where a unit is in many groups, Laplace where in one", async () => {
    const options = { epsilon: ratio(1n), groupSelection: "private" } as const;
    const mechanisms = async (k: number): Promise<string[]> => {
      const { measurements } = await plan(
        "SELECT h, COUNT(*) FROM t GROUP BY h",
        policyOf("approximate", { unit: "id", k }),
        options,
      );
      return measurements.map(({ noise }) => noise.mechanism);
    };
    expect(await mechanisms(1)).toEqual(["discrete-laplace@1"]);
    expect(await mechanisms(100)).toEqual(["rounded-gaussian@1"]);
  });

  it("spends no δ on public keys that nobody offered", async () => {
    const policy = policyOf("approximate", { unit: "id", k: 100 });
    const mechanism = async (delta: string | null): Promise<string> => {
      const options = { epsilon: ratio(1n), delta: delta === null ? null : parseRational(delta) };
      const { measurements, price } = await plan("SELECT g, COUNT(*) FROM t GROUP BY g", policy, options);
      expect(price.measure === "approximate" && price.delta === "0").toBe(delta === null);
      return measurements[0]!.noise.mechanism;
    };
    expect(await mechanism(null)).toBe("discrete-laplace@1");
    expect(await mechanism("1e-3")).toBe("rounded-gaussian@1");
  });

  it("spends nothing on constants", async () => {
    const policy = policyOf("approximate", { adjacency: "replace-one" });
    const { measurements } = await plan("SELECT COUNT(*), SUM(x) FROM t", policy, { epsilon: ratio(1n) });
    expect(measurements.map(({ noise }) => noise.mechanism)).toEqual(["constant@1", "discrete-laplace@1"]);
    expect(epsilonOf(measurements[1]!)).toBe(1);
  });
});

describe("keys", () => {
  it("leave as engines return them: integers as bigint, NULL last", async () => {
    const policy = policyOf("pure");
    const planned = await plan("SELECT g, age > 30, COUNT(*) FROM t GROUP BY 1, 2", policy, {
      epsilon: ratio(1n),
    });
    const { keys } = releaseProgram(planned);
    expect(keys).toEqual({
      kind: "public",
      groups: ["a", "b", "c", null].flatMap((g) => [false, true, null].map((old) => [g, old])),
    });
    const byAge = releaseProgram(
      await plan("SELECT age, COUNT(*) FROM t GROUP BY age", policy, { epsilon: ratio(1n) }),
    );
    expect(byAge.keys.kind === "public" && byAge.keys.groups.slice(0, 2)).toEqual([[1n], [2n]]);
  });

  it("are selected privately where there are too many", async () => {
    const text = "SELECT age, age + 1, age + 2, COUNT(*) FROM t GROUP BY 1, 2, 3";
    const planned = await plan(text, policyOf("approximate"), { epsilon: ratio(1n) });
    expect(planned.keys.program.kind).toBe("private");
    await expect(
      plan(text, policyOf("approximate"), { epsilon: ratio(1n), groupSelection: "public" }),
    ).rejects.toMatchObject({
      code: "query.option",
    });
  });
});

describe("totals of groups whose keys are data", () => {
  it.each([
    ["SUM(x)", -5, 5],
    ["SUM(ABS(x))", 0, 5],
    ["SUM(-ABS(x))", -5, 0],
  ])("are moved as far as all groups of a unit are: %s", async (sum, lo, hi) => {
    for (const adjacency of ["add-or-remove-one", "replace-one"]) {
      const policy = policyOf("approximate", { adjacency, unit: "id", k: 3 });
      const text = `SELECT h, ${sum} FROM t GROUP BY ROLLUP (h)`;
      const { totals, sums } = await plan(text, policy, { epsilon: ratio(1n) });
      const step = sums.flatMap((column) => (column.kind === "sum" ? [2 ** column.grid.exponent] : []))[0]!;
      const [[measured]] = totals!.map(({ measurements }) => measurements) as [[Measurement]];
      // Two rows in each of three groups; all in one total.
      const [least, most] = [6 * lo, 6 * hi];
      const moved = adjacency === "replace-one" ? most - least : Math.max(-least, most);
      expect(Number(measured.l1) * step).toBeCloseTo(moved, 2);
    }
  });
});

describe("contribution bounds", () => {
  it.each([
    ["max_groups_contributed", "2"],
    ["max_rows_contributed_per_group", "3"],
  ])("are not raised above the policy's: %s = %s", async (name, asked) => {
    const text = `SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(${name} = ${asked}) COUNT(*) FROM t`;
    await expect(
      plan(text, policyOf("pure", { unit: "{ column: id }" }), { epsilon: ratio(1n) }),
    ).rejects.toMatchObject({ code: "query.option", message: expect.stringContaining("above the policy's") });
  });
});

describe("the noise of trees", () => {
  const medians = (count: number): string =>
    Array.from({ length: count }, (_, at) => `MEDIAN(x + ${at})`).join(", ");
  const one = { epsilon: parseRational("1") };

  it.each([
    ["g, age, x > 0", 60, /60 different values in 728 groups/],
    ["h", 60, /60 different values in unknown groups/],
  ])("by %s, %i medians draw too much of it", async (keys, count, message) => {
    const text = `SELECT ${keys}, ${medians(count)} FROM t GROUP BY ${keys}`;
    await expect(plan(text, policyOf("approximate"), one)).rejects.toMatchObject({
      code: "query.too-large",
      message: expect.stringMatching(message),
    });
  });

  it("is drawn once for all quantiles of a value", async () => {
    const cuts = Array.from({ length: 60 }, (_, at) => `PERCENTILE_CONT(x, ${at / 60})`).join(", ");
    const asked = await plan(`SELECT h, ${cuts} FROM t GROUP BY h`, policyOf("approximate"), one);
    expect(asked.trees).toHaveLength(1);
    await expect(
      plan(`SELECT g, ${medians(60)} FROM t GROUP BY g`, policyOf("approximate"), one),
    ).resolves.toBeDefined();
  });
});
