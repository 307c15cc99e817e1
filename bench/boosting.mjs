// boosting.adult.<figure>: additive boosting at ε 1, δ 1e-5 on two thirds of a table, judged on the rest: means over 5 splits.
//   accuracy, auc: beside them, as the peer, the same boosting at ε 10⁶, which is as good as without privacy.
//   seconds: the slowest of the 5 trainings, with the reading of the records into arrays, on one thread; cpu: its time on a processor, which
//   others on the machine do not lengthen.
// A CSV file of whole numbers (an index a category) with the class in its last column is named by --data FILE or LETHE_ADULT; without one, a table
// of the same shape is invented.

import { readFileSync } from "node:fs";
import { parseRational, price, secureEntropy, toDouble } from "@lethe/core";
import { drawing } from "@lethe/core/mechanisms";
import { SeededSource } from "@lethe/core/tape";
import { boostingScore, planBoosting, trainBoosting, trainingRows } from "@lethe/learn/boosting";
import { figure } from "./figure.mjs";

const splits = 5;
const delta = "1e-5";

/** The columns of Adult whose numbers are in order; those of the others are names. */
const ordered = {
  age: 85,
  fnlwgt: 100,
  "education-num": 16,
  "capital-gain": 100,
  "capital-loss": 100,
  "hours-per-week": 99,
};
const named = {
  workclass: 9,
  "marital-status": 7,
  occupation: 15,
  relationship: 6,
  race: 5,
  sex: 2,
  "native-country": 42,
};
const income = "income>50K";

export default async function bench(options) {
  const path = options.includes("--data") ? options[options.indexOf("--data") + 1] : process.env.LETHE_ADULT;
  const uniform = uniforms(1);
  const records = path ? readRecords(path) : invented(48_842, uniform);
  const [firstRecord] = records;
  if (!firstRecord || !(income in firstRecord)) throw new Error(`the table has no column ${income}`);
  const found = { private: [], free: [] };
  for (let split = 0; split < splits; split++) {
    const shuffled = shuffle(records, uniform);
    const cut = Math.floor((2 * shuffled.length) / 3);
    const [train, test] = [shuffled.slice(0, cut), shuffled.slice(cut)];
    found.private.push(judged(train, test, 1));
    found.free.push(judged(train, test, 1e6));
  }
  const mean = (runs, name) => runs.reduce((sum, run) => sum + run[name], 0) / runs.length;
  const source = path ? "adult" : "invented";
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

function readRecords(path) {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n");
  const names = head.split(",");
  return lines.map((line) => {
    const values = line.split(",").map(Number);
    return Object.fromEntries(names.map((name, at) => [name, values[at]]));
  });
}

/** Rows whose class hangs on some of the columns, by a law with a bend and a heavy value. */
function invented(count, uniform) {
  return Array.from({ length: count }, () => {
    const whole = (size) => Math.floor(size * uniform());
    const numbers = Object.entries(ordered).map(([name, size]) => [name, whole(size)]);
    const names = Object.entries(named).map(([name, size]) => [name, whole(size)]);
    const row = Object.fromEntries([...numbers, ...names]);
    row["capital-gain"] = uniform() < 0.9 ? 0 : whole(100);
    const score =
      -3 +
      2 * Math.sin(row.age / 27) +
      row["education-num"] / 5 +
      (row["capital-gain"] > 40 ? 3 : 0) +
      (row["marital-status"] < 2 ? 1.5 : -1);
    row[income] = uniform() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
    return row;
  });
}

/** Seeded: which rows are held out is public, and is no noise. */
function uniforms(seed) {
  const source = new SeededSource(seed);
  return () => source.word() / 2 ** 32;
}

function shuffle(list, uniform) {
  const shuffled = [...list];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor((i + 1) * uniform());
    [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
  }
  return shuffled;
}
