// odds.calibration.least, .most: over random questions that state an advantage instead of a price, the least and the most of it that is used: what a test
// of membership gains on the plan, over what was stated (targets ≥ 0.98 and ≤ 1). Options: --settings N (200).
import { parseRational } from "@lethe/core";
import { odds } from "@lethe/core/accounting";
import { parseQuestion, planAsked, policyHash, readPolicy, resolveQuestion } from "@lethe/query";
import { figure } from "./figure.mjs";

const policyOf = ({ budget, adjacency, rows }) =>
  readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: ${adjacency} }
budget: ${budget}
tables:
  visits:
    file: visits.parquet
    unit: person
    max_groups_contributed: ${rows}
    max_rows_contributed_per_group: ${rows}
    columns:
      person: { type: text }
      town: { type: text }
      ward: { type: text, categories: [north, south], default: south }
      cost: { type: number, bounds: [0, 10000] }
      stay: { type: integer, bounds: [-4, 9] }
`);

const questions = [
  "SELECT COUNT(*) FROM visits",
  "SELECT SUM(cost) FROM visits WHERE stay > 3",
  "SELECT ward, COUNT(*), AVG(cost) FROM visits GROUP BY ward",
  "SELECT ward, SUM(stay), VARIANCE(cost), COUNT(DISTINCT person) FROM visits GROUP BY ward",
  "SELECT MEDIAN(cost) FROM visits",
  "SELECT town, COUNT(*) FROM visits GROUP BY town",
  "SELECT (SELECT COUNT(*) FROM visits WHERE stay > 3) * 1.0 / (SELECT SUM(cost) FROM visits) AS part",
];

const budgets = [
  { budget: "{ measure: pure, epsilon: 10 }", mechanisms: ["laplace"] },
  { budget: "{ measure: approximate, epsilon: 10, delta: 1e-5 }", mechanisms: ["laplace", "gaussian"] },
  { budget: "{ measure: zcdp, rho: 1, delta: 1e-5 }", mechanisms: ["laplace", "gaussian"] },
];

function randomFrom(state) {
  let next = state;
  return () => {
    next = (Math.imul(next, 1664525) + 1013904223) >>> 0;
    return next / 2 ** 32;
  };
}

/** Plans `count` random questions that state an advantage; returns each with what it uses of it. */
export async function calibrations(count, seed = 15) {
  const random = randomFrom(seed);
  const pick = (all) => all[Math.floor(random() * all.length)];
  const calibrated = [];
  while (calibrated.length < count) {
    const { budget, mechanisms } = pick(budgets);
    const setting = {
      budget,
      adjacency: pick(["add-or-remove-one", "replace-one"]),
      rows: pick([1, 2, 5]),
      text: pick(questions),
      mechanism: pick(mechanisms),
      advantage: (0.01 * 90 ** random()).toPrecision(3),
    };
    // Keys that are data need a delta, and a noise whose tails fit it.
    if (setting.text.includes("town") && setting.budget.includes("pure")) continue;
    const policy = policyOf(setting);
    const question = resolveQuestion(await parseQuestion(setting.text), policy);
    const options = { mechanism: setting.mechanism, advantage: parseRational(setting.advantage) };
    const { plan, advantage } = planAsked(question, policy, options, policyHash(policy));
    const reached = odds(plan.event).advantage;
    // Where units are only replaced, their number is public: to count rows of one each costs nothing.
    if (reached === 0) continue;
    calibrated.push({
      ...setting,
      epsilon: advantage.epsilon,
      told: advantage.reached,
      used: reached / setting.advantage,
    });
  }
  return calibrated;
}

export default async function bench(options) {
  const at = options.indexOf("--settings");
  const calibrated = await calibrations(at < 0 ? 200 : Number(options[at + 1]));
  const used = calibrated.map((each) => each.used);
  figure("odds.calibration.least", Math.min(...used), "of the advantage stated");
  figure("odds.calibration.most", Math.max(...used), "of the advantage stated");
}
