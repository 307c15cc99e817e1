import { parseRational } from "@lethe/core";
import {
  answerSetting,
  byName,
  explainPlan,
  familyOf,
  measureAlone,
  measureJointly,
  noisyNumbers,
  type Plan,
  type Policy,
  parseQuestion,
  planQuestion,
  policyHash,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawnNoise, uniforms } from "./drawn-noise.ts";

/*
 * What is measured together: its intervals cover as often as they say, its errors are those that the decision states, and no answer's interval is wider
 * than where each total is measured by itself.
 */

const policyOf = (adjacency: string, unit: string, limit = "groups-after-filter"): Policy =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: { measure: approximate, epsilon: 100, delta: 1e-5 }
tables:
  t:
    file: t.csv
    unit: ${unit}
${unit === "row" ? "" : `    max_groups_contributed: 2\n    max_rows_contributed_per_group: 3\n    limit: ${limit}`}
    columns:
      pid: { type: text }
      x: { type: integer, bounds: [0, 100], default: 0 }
      y: { type: integer, bounds: [0, 100] }
      z: { type: integer, bounds: [-30, 50], default: 0 }
      u: { type: integer, bounds: [20, 30], default: 20 }
      g: { type: text, categories: [a, b, c], default: a }
      h: { type: text }
`);

async function planOf(text: string, policy: Policy, measures = measureJointly): Promise<Plan> {
  const question = resolveQuestion(await parseQuestion(text), policy);
  return planQuestion(
    question,
    policy,
    { epsilon: parseRational("1"), delta: parseRational("1e-7") },
    policyHash(policy),
    measures,
  );
}

// 4,000 draws: a coverage of 0.95 falls below 0.931 with a chance under 1e-6 (binomial tail; 5.5 standard deviations).
const runs = 4000;
const alarm = 0.931;

/** Returns mean errors and coverages of the answers over rows of one value, of which x and y have 70 % of their bounds' width. */
async function drawn(text: string, policy: Policy, rows: number, inflate = 1) {
  const plan = await planOf(text, policy);
  expect(plan.joint).toBeDefined();
  const exact = plan.measurements.map(({ terms }) =>
    terms.reduce((total, { sum: name, coefficient }) => {
      const sum = byName(plan.sums, name);
      const each = sum.kind === "count" ? 1 : sum.kind === "sum" ? 70 : 70 - 50;
      return total + BigInt(coefficient) * BigInt(each * rows);
    }, 0n),
  );
  const setting = answerSetting(plan, 0.95);
  const answers = plan.aggregates.map((aggregate) => ({
    truth: aggregate.kind === "count" ? rows : aggregate.kind === "sum" ? 70 * rows : 70,
    estimate: familyOf(aggregate).estimator(aggregate, setting),
    error: 0,
    covered: 0,
  }));
  const numbers = noisyNumbers(plan);
  const uniform = uniforms(88172645463325252n);
  for (let run = 0; run < runs; run++) {
    const noisy = numbers(
      exact.map((total, at) => total + drawnNoise(plan.measurements[at]!.noise, uniform, inflate)),
    );
    for (const answer of answers) {
      const { value, lower, upper } = answer.estimate(noisy);
      answer.error += Math.abs(value - answer.truth) / runs;
      if (lower <= answer.truth && answer.truth <= upper) answer.covered += 1 / runs;
    }
  }
  return answers;
}

describe("answers that are read from measurements of one noise", () => {
  it.each([
    ["SELECT g, COUNT(*), SUM(x), AVG(x) FROM t GROUP BY g", "row", 20_000],
    ["SELECT g, COUNT(*), SUM(x), AVG(x) FROM t GROUP BY g", "row", 30],
    ["SELECT g, COUNT(*), SUM(y), AVG(y), COUNT(y) FROM t GROUP BY g", "row", 500],
    ["SELECT g, COUNT(*), SUM(x), AVG(x) FROM t GROUP BY g", "pid", 2000],
    ["SELECT COUNT(*), AVG(y), AVG(x) FROM t WHERE z > 0", "pid", 300],
  ] as const)("cover: %s, unit %s, %i rows", async (text, unit, rows) => {
    // Of units that are replaced cells cost twice as much, and are worth it where units are rows.
    for (const adjacency of unit === "row" ? ["add-or-remove-one", "replace-one"] : ["add-or-remove-one"])
      for (const { covered } of await drawn(text, policyOf(adjacency, unit), rows))
        expect(covered, adjacency).toBeGreaterThan(alarm);
  });

  it("would cover less often were the noise a fifth larger", async () => {
    const policy = policyOf("add-or-remove-one", "row");
    const text = "SELECT g, COUNT(*), SUM(x), AVG(x) FROM t GROUP BY g";
    const [, sum, mean] = await drawn(text, policy, 20_000, 1.2);
    expect(sum!.covered).toBeLessThan(alarm);
    expect(mean!.covered).toBeLessThan(alarm);
  });

  it("have about the errors that their noise makes: 1.5, w and 0.79·w/n where the mean is at 70 %", async () => {
    const policy = policyOf("add-or-remove-one", "row");
    const text = "SELECT g, COUNT(*), SUM(x), AVG(x) FROM t GROUP BY g";
    const [count, sum, mean] = await drawn(text, policy, 20_000);
    // E|a·N + b·M| of two Laplace draws of scale w is w·(a² + a·b + b²)/(a + b): 1.5·w, and 0.79·w for 0.3 and 0.7.
    expect(count!.error).toBeCloseTo(1.5, 0);
    expect(sum!.error / 100).toBeCloseTo(1, 1);
    expect(mean!.error / (0.79 * (100 / 20_000))).toBeCloseTo(1, 1);
  });
});

describe("whatever is asked", () => {
  const aggregate = fc.constantFrom(
    ...[
      "COUNT(*)",
      "COUNT(y)",
      "SUM(x)",
      "AVG(x)",
      "SUM(y)",
      "AVG(y)",
      "SUM(z)",
      "AVG(z)",
      "SUM(u)",
      "AVG(u)",
    ],
    ...["AVG(x) FILTER (WHERE z > 0)", "SUM(y) FILTER (WHERE z > 0)", "STDDEV(z)", "MEDIAN(x)"],
  );
  const question = fc.record({
    aggregates: fc.uniqueArray(aggregate, { minLength: 1, maxLength: 5 }),
    where: fc.constantFrom("", " WHERE z > 0"),
    key: fc.constantFrom("", "g", "h"),
    unit: fc.constantFrom("row", "pid"),
    adjacency: fc.constantFrom("add-or-remove-one", "replace-one"),
    limit: fc.constantFrom("groups-after-filter", "rows-before-filter"),
  });

  it("no interval is wider than where totals are measured one by one, and the price is no higher", async () => {
    let together = 0;
    await fc.assert(
      fc.asyncProperty(question, async ({ aggregates, where, key, unit, adjacency, limit }) => {
        const policy = policyOf(adjacency, unit, limit);
        const listed = [...(key ? [key] : []), ...aggregates.map((each, at) => `${each} AS a${at}`)];
        const text = `SELECT ${listed.join(", ")} FROM t${where}${key ? ` GROUP BY ${key}` : ""}`;
        const [now, before] = [await planOf(text, policy), await planOf(text, policy, measureAlone)];
        if (!now.joint) return;
        together += 1;
        const answersOf = (plan: Plan) => explainPlan(plan, policy).answers;
        for (const [at, answer] of answersOf(now).entries()) {
          const other = answersOf(before)[at]!;
          if (answer.halfWidth !== null)
            expect(answer.halfWidth, `${text}: ${answer.name}`).toBeLessThanOrEqual(other.halfWidth!);
          const curve = new Map(other.curve.map((point) => [point.rows, point]));
          for (const { rows, typical, worst } of answer.curve.filter((point) => point.rows >= 10_000)) {
            expect(typical, `${text}: ${answer.name} at ${rows}`).toBeLessThanOrEqual(
              1.001 * curve.get(rows)!.typical,
            );
            expect(worst, `${text}: ${answer.name} at ${rows}`).toBeLessThanOrEqual(
              1.001 * curve.get(rows)!.worst,
            );
          }
        }
      }),
      { numRuns: 120, seed: 5 },
    );
    expect(together).toBeGreaterThan(40);
  });
});
