// boosting.adult.<figure>: additive boosting at ε 1, δ 1e-5 on two thirds of a table, judged on the rest: means over 5 splits.
//   accuracy, auc: beside them, as the peer, the same boosting at ε 10⁶, which is as good as without privacy.
//   seconds: the slowest of the 5 trainings, with the reading of the records into arrays, on one thread; cpu: its time on a processor, which
//   others on the machine do not lengthen.
// A CSV file of whole numbers (an index a category) with the class in its last column is named by --data FILE or LETHE_ADULT; without one, a table
// of the same shape is invented.

import { parseRational, price, secureEntropy, toDouble } from "@lethe/core";
import { drawing } from "@lethe/core/mechanisms";
import { boostingScore, planBoosting, trainBoosting, trainingRows } from "@lethe/learn/boosting";
import { adultTable, income, named, ordered, splitsOf } from "./adult/records.mjs";
import { figure } from "./figure.mjs";

const splits = 5;
const delta = "1e-5";

export default async function bench(options) {
  const { source, records } = adultTable(options);
  const found = { private: [], free: [] };
  for (const { train, test } of splitsOf(records, splits)) {
    found.private.push(judged(train, test, 1));
    found.free.push(judged(train, test, 1e6));
  }
  const mean = (runs, name) => runs.reduce((sum, run) => sum + run[name], 0) / runs.length;
  for (const name of ["accuracy", "auc"])
    figure(`boosting.${source}.${name}`, mean(found.private, name), "share", mean(found.free, name));
  for (const [name, unit] of [
    ["seconds", "s"],
    ["cpu", "s"],
    ["epsilon", "ε"],
  ])
    figure(`boosting.${source}.${name}`, Math.max(...found.private.map((run) => run[name])), unit);
}

/** Plans, reads and trains on one split, and scores the other. */
function judged(train, test, epsilon) {
  const start = performance.now();
  const used = process.cpuUsage();
  const plan = planBoosting({
    target: { kind: "category", name: income, categories: [0, 1], nullable: false },
    features: Object.keys(train[0])
      .filter((name) => name !== income)
      .map(columnOf),
    adjacency: "add-or-remove-one",
    budget: { epsilon, delta },
  });
  const model = trainBoosting(plan, trainingRows(plan, train), drawing(secureEntropy()));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(used);
  const scored = test.map((row) => ({ score: boostingScore(model, row), positive: row[income] === 1 }));
  const right = scored.filter(({ score, positive }) => score > 0 === positive).length;
  const loss = price(plan.event, { measure: "approximate", delta: parseRational(delta) });
  return {
    seconds,
    cpu: (user + system) / 1e6,
    accuracy: right / test.length,
    auc: areaUnder(scored),
    epsilon: toDouble(loss.epsilon, "up"),
  };
}

function columnOf(name) {
  if (name in ordered) return { kind: "number", name, bounds: [0, ordered[name] - 1], nullable: false };
  const categories = Array.from({ length: named[name] }, (_, place) => place);
  return { kind: "category", name, categories, nullable: false };
}

/** The chance that a positive row scores above a negative one, ties counting half. */
function areaUnder(scored) {
  const sorted = scored.toSorted((a, b) => a.score - b.score);
  let wins = 0;
  let negatives = 0;
  let positives = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    const tied = [0, 0];
    for (; end < sorted.length && sorted[end].score === sorted[start].score; end++)
      tied[sorted[end].positive ? 1 : 0] += 1;
    wins += tied[1] * (negatives + tied[0] / 2);
    negatives += tied[0];
    positives += tied[1];
    start = end;
  }
  return wins / (negatives * positives);
}
