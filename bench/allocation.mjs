// allocation.<workload>: mean error of a question's answers as the planner splits its ε, over that of the best split of the
//   same ε by hand: each answer asked by itself at a fixed share, the best of all shares on a grid (target ≤ 1).
// allocation.<workload>.worst: the same for the answer with the largest error.
// allocation.<workload>.<answer>: error of one answer, over its error in the split by hand whose mean is least.
// allocation.<workload>.optimal: the planner's mean over that of the best split of the same measurements on a grid, priced by
//   the same events: how much is left on the table.
// The error of a count or a sum is its root mean square, exact under the noise that is drawn: a half-width is a whole number of rows or
// steps, so that of all splits on a grid the least half-widths are those whose rounding is lucky. Of averages and the like, which have
// no such figure, it is the half-width for a group of 1,000 rows, half-way between the middle of the bounds and the least
// favourable values. Errors are counted in units of what each answer would have at the whole ε.

import { parseRational, price, ratio, toDouble } from "@lethe/core";
import { noiseVariance } from "@lethe/core/accuracy";
import { gaussianFor, laplaceFor, noiseEvent } from "@lethe/core/mechanisms";
import { multiply } from "@lethe/core/numeric";
import {
  explainPlan,
  measureAlone,
  parseQuestion,
  planQuestion,
  readPolicy,
  resolveQuestion,
} from "@lethe/query";
import { figure } from "./figure.mjs";

const epsilon = parseRational("1");
const policyOf = (budget) =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: ${budget}
tables:
  people:
    file: people.parquet
    unit: id
    max_groups_contributed: 2
    max_rows_contributed_per_group: 2
    expected_rows: 3000
    columns:
      id: { type: text }
      sector: { type: text, categories: [manufacturing, construction, other], default: other }
      wage: { type: number, bounds: [0, 60], default: 0 }
      age: { type: integer, bounds: [16, 90], default: 40 }
      hours: { type: number, bounds: [0, 80], default: 0 }
`);
const pure = policyOf("{ measure: pure, epsilon: 10 }");
const zcdp = policyOf("{ measure: zcdp, epsilon: 10, delta: 1e-6 }");

/** Name → account, answers. */
const workloads = {
  "count-avg": [pure, ["COUNT(*)", "AVG(wage)"]],
  "count-sum-avg": [pure, ["COUNT(*)", "SUM(wage)", "AVG(wage)"]],
  "count-avg-stddev": [pure, ["COUNT(*)", "AVG(wage)", "STDDEV_POP(wage)"]],
  "three-averages": [pure, ["AVG(wage)", "AVG(age)", "AVG(hours)"]],
  "three-totals-zcdp": [zcdp, ["COUNT(*)", "SUM(wage)", "SUM(age)"]],
};

export default async function bench() {
  for (const { name, mean, worst, answers, optimal } of await comparedSplits(30)) {
    figure(`allocation.${name}`, mean.planned, "error", mean.byHand);
    for (const { answer, planned, byHand } of answers)
      figure(`allocation.${name}.${answer}`, planned, "error", byHand);
    figure(`allocation.${name}.worst`, worst.planned, "error", worst.byHand);
    figure(`allocation.${name}.optimal`, optimal.planned, "error", optimal.best());
  }
}

/** The figures of every workload, as data; shares are multiples of 1/steps. */
export async function comparedSplits(steps) {
  const compared = [];
  for (const [name, [policy, answers]] of Object.entries(workloads)) {
    const whole = await planned(answers, policy);
    const alone = [];
    // Errors of each answer asked by itself at 1/steps, 2/steps … of the price.
    const byShare = [];
    for (const answer of answers) {
      alone.push(errors(await planned([answer], policy), policy)[0]);
      const row = [];
      for (let part = 1; part < steps; part += 1) row.push(await byHand(answer, policy, part, steps));
      byShare.push(row);
    }
    const relative = (list) => list.map((error, at) => error / alone[at]);
    const own = relative(errors(whole, policy));
    const hands = splits(answers.length, steps).map((parts) =>
      relative(parts.map((part, at) => byShare[at][part - 1])),
    );
    const fairest = hands.reduce((best, list) => (average(list) < average(best) ? list : best));
    const split = (parts) => average(relative(errors(withSplit(whole, parts, steps, policy), policy)));
    compared.push({
      name,
      mean: { planned: average(own), byHand: average(fairest) },
      answers: answers.map((answer, at) => ({ answer, planned: own[at], byHand: fairest[at] })),
      worst: { planned: Math.max(...own), byHand: Math.min(...hands.map((list) => Math.max(...list))) },
      optimal: {
        planned: average(own),
        best: () => Math.min(...splits(whole.measurements.length, steps).map(split)),
      },
    });
  }
  return compared;
}

/** An answer asked by itself at a share of what the whole question costs: of ε, and in a zCDP account of ρ, which adds up there. */
async function byHand(answer, policy, part, steps) {
  if (policy.budget.measure !== "zcdp") {
    const share = multiply(epsilon, ratio(BigInt(part), BigInt(steps)));
    return errors(await planned([answer], policy, share), policy)[0];
  }
  return errors(withSplit(await planned([answer], policy), [part], steps, policy), policy)[0];
}

async function planned(answers, policy, price = epsilon) {
  const text = `SELECT sector, ${answers.join(", ")} FROM people GROUP BY sector`;
  return planQuestion(
    resolveQuestion(await parseQuestion(text), policy),
    policy,
    { epsilon: price },
    "0".repeat(64),
    // A split is of totals that are measured one by one.
    measureAlone,
  );
}

/** In the order of the select list. */
function errors(plan, policy) {
  const asked = plan.outputs.flatMap(({ kind, aggregate }) =>
    kind === "aggregate" ? [plan.aggregates.find(({ name }) => name === aggregate)] : [],
  );
  return explainPlan(plan, policy).answers.map(({ expected }, at) => {
    const { kind, [kind]: measured, exponent = 0 } = asked[at];
    return kind === "count" || kind === "sum"
      ? Math.sqrt(noiseVariance(plan.measurements.find(({ name }) => name === measured).noise)) *
          2 ** exponent
      : (expected.typical + expected.worst) / 2;
  });
}

const average = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;

/** Every way to cut `left` into so many parts, each at least 1. */
function splits(count, left) {
  if (count === 1) return [[left]];
  const all = [];
  for (let part = 1; part <= left - count + 1; part += 1)
    for (const rest of splits(count - 1, left - part)) all.push([part, ...rest]);
  return all;
}

/** The same measurements with another split of the same price. */
function withSplit(plan, parts, steps, { budget }) {
  const isZcdp = budget.measure === "zcdp";
  const rho = isZcdp ? parseRational(plan.price.rho) : null;
  const measurements = plan.measurements.map((measurement, at) => {
    const share = ratio(BigInt(parts[at]), BigInt(steps));
    const noise = isZcdp
      ? gaussianFor({ l2Squared: BigInt(measurement.l2Squared), rho: multiply(rho, share) })
      : laplaceFor({ l1: BigInt(measurement.l1), epsilon: multiply(epsilon, share) });
    return { ...measurement, noise };
  });
  const events = measurements.map(({ noise, l1, l2Squared }) =>
    noiseEvent(noise, { l1: BigInt(l1), l2Squared: BigInt(l2Squared) }),
  );
  const event = { kind: "compose", version: 1, events };
  const paid = price(event, { measure: budget.measure });
  const [spent, most] = isZcdp ? [paid.rho, rho] : [paid.epsilon, epsilon];
  if (toDouble(spent, "up") > toDouble(most, "up")) throw new Error("a split that costs more than the plan");
  return { ...plan, measurements, event };
}
