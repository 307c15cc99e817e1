// synthesis.<method>.distance: mean total-variation distance, over all pairs of columns with at most 10,000 cells, of synthetic rows from the real
//   ones at ε 1, δ 1e-9, add-or-remove-one; the mean over seeds. Peer: MST's .060 as published figures go; for AIM, MST's own.
// synthesis.<method>.seconds: from the plan to the fitted model, the median; synthesis.<method>.expected: what the plan says beforehand. Target: 5 s for MST, 120 s for
//   AIM with a model of at most 1 MB.
// synthesis.<method>.accuracy: of a logistic regression trained on synthetic rows (of two thirds of the real ones), on the last third; peer: the same
//   trained on the real rows. Target: 3 points.
// --data DIR reads adult.csv and adult-domain.json there; without it the bench makes a table of its own. --seeds 5, --only mst.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRational } from "@lethe/core";
import { openTableSession } from "@lethe/core/mechanisms";
import { SeededSource } from "@lethe/core/tape";
import {
  countedTables,
  expectedSeconds,
  planSynthesis,
  sessionSource,
  sizesOf,
  synthesize,
  syntheticCodes,
  syntheticRowCount,
} from "@lethe/learn/synthesis";
import { figure, median } from "./figure.mjs";

const budget = { measure: "approximate", epsilon: parseRational("1"), delta: parseRational("1e-9") };
const caps = { mst: 80e6, aim: 1e6, residuals: 80e6 };

export default async function bench(options) {
  const option = (name, otherwise) => {
    const at = options.indexOf(`--${name}`);
    return at < 0 ? otherwise : options[at + 1];
  };
  const folder = option("data", null);
  const seeds = Array.from({ length: Number(option("seeds", 5)) }, (_, at) => at + 1);
  const only = option("only", null);
  const { domain, columns } = folder ? adult(folder) : ownTable();
  const sizes = sizesOf(domain);
  const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
  let best = 0.06;
  for (const method of ["mst", "aim", "residuals"]) {
    if (only !== null && only !== method) continue;
    const plan = planSynthesis({
      ...{ method, domain, adjacency: "add-or-remove-one", budget, modelBytes: caps[method] },
    });
    const [distances, seconds, accuracies] = [[], [], []];
    for (const seed of seeds) {
      const made = await synthetic(plan, columns, sizes, seed);
      distances.push(pairDistance(sizes, columns, made.columns));
      seconds.push(made.seconds);
      const [train, test] = split(columns, seed);
      const part = await synthetic(plan, train, sizes, seed + 100);
      const real = accuracy(logistic(sizes, train, seed), test);
      accuracies.push({ real, made: accuracy(logistic(sizes, part.columns, seed), test) });
    }
    figure(`synthesis.${method}.distance`, mean(distances), "TV", best);
    figure(`synthesis.${method}.distance.worst`, Math.max(...distances), "TV");
    figure(`synthesis.${method}.seconds`, median(seconds), "s", { mst: 5, aim: 120 }[method] ?? null);
    figure(`synthesis.${method}.seconds.expected`, expectedSeconds(plan), "s");
    const [made, real] = [accuracies.map((each) => each.made), accuracies.map((each) => each.real)].map(mean);
    figure(`synthesis.${method}.accuracy`, 100 * made, "%", 100 * real);
    figure(`synthesis.${method}.accuracy.lost`, 100 * (real - made), "points", 3);
    if (method === "mst") best = mean(distances);
  }
}

async function synthetic(plan, columns, sizes, seed) {
  const started = performance.now();
  const session = openTableSession(plan.session, new SeededSource(seed));
  const learned = await synthesize(plan, sessionSource(session, countedTables(columns), sizes));
  const seconds = (performance.now() - started) / 1e3;
  return {
    columns: syntheticCodes(learned, syntheticRowCount(learned), new SeededSource(seed + 1000)),
    seconds,
  };
}

function categories(name, size) {
  return {
    kind: "categories",
    name,
    categories: Array.from({ length: size }, (_, at) => at),
    nullable: false,
  };
}

function adult(folder) {
  const sizes = JSON.parse(readFileSync(join(folder, "adult-domain.json"), "utf8"));
  const [header, ...lines] = readFileSync(join(folder, "adult.csv"), "utf8").trim().split("\n");
  const rows = lines.map((line) => line.split(",").map(Number));
  const names = header.trim().split(",");
  return {
    domain: names.map((name) => categories(name, sizes[name])),
    columns: names.map((_, at) => Int32Array.from(rows, (row) => row[at])),
  };
}

/** 40,000 rows of ten columns: each follows one before it most of the time, the last says which of two classes. */
function ownTable() {
  const sizes = [40, 9, 16, 7, 15, 6, 5, 30, 60, 2];
  const before = [-1, 0, 0, 1, 2, 3, 3, 4, 0, 3];
  const bits = new SeededSource(77);
  const columns = sizes.map(() => new Int32Array(40_000));
  for (let row = 0; row < 40_000; row++) {
    for (const [at, size] of sizes.entries()) {
      // Low values are likelier than high ones.
      const own = Math.floor(size * (bits.word() / 2 ** 32) ** 2);
      const parent = before[at];
      const follows = parent >= 0 && bits.word() % 4 > 0;
      columns[at][row] = follows ? Math.floor((columns[parent][row] * size) / sizes[parent]) : own;
    }
  }
  return { domain: sizes.map((size, at) => categories(`c${at}`, size)), columns };
}

function pairDistance(sizes, real, made) {
  const shares = (columns, a, b) => {
    const table = new Float64Array(sizes[a] * sizes[b]);
    const [x, y] = [columns[a], columns[b]];
    for (let row = 0; row < x.length; row++) table[x[row] * sizes[b] + y[row]] += 1 / x.length;
    return table;
  };
  const distances = [];
  for (let b = 0; b < sizes.length; b++) {
    for (let a = 0; a < b; a++) {
      if (sizes[a] * sizes[b] > 1e4) continue;
      const [p, q] = [shares(real, a, b), shares(made, a, b)];
      distances.push(p.reduce((sum, x, cell) => sum + Math.abs(x - q[cell]), 0) / 2);
    }
  }
  return distances.reduce((a, b) => a + b, 0) / distances.length;
}

/** Two thirds of the rows, and the rest. */
function split(columns, seed) {
  const bits = new SeededSource(seed + 500);
  const trains = Array.from({ length: columns[0].length }, () => bits.word() % 3 > 0);
  const part = (wanted) => columns.map((column) => column.filter((_, row) => trains[row] === wanted));
  return [part(true), part(false)];
}

/** Logistic regression of the last column on one-hot codes of the others: 8 passes of stochastic gradients, the mean of the last 4. */
function logistic(sizes, columns, seed) {
  const features = columns.slice(0, -1);
  const labels = columns.at(-1);
  const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((a, b) => a + b, 1));
  const weights = new Float64Array(sizes.reduce((a, b) => a + b, 1));
  const averaged = new Float64Array(weights.length);
  const bits = new SeededSource(seed + 900);
  const rows = labels.length;
  for (let pass = 0; pass < 8; pass++) {
    const rate = 0.1 / (1 + pass);
    for (let step = 0; step < rows; step++) {
      const row = Math.floor((bits.word() / 2 ** 32) * rows);
      const score = features.reduce((sum, column, at) => sum + weights[starts[at] + column[row]], weights[0]);
      const slope = rate * (labels[row] - 1 / (1 + Math.exp(-score)));
      weights[0] += slope;
      for (const [at, column] of features.entries()) weights[starts[at] + column[row]] += slope;
    }
    if (pass >= 4) for (const [at, weight] of weights.entries()) averaged[at] += weight / 4;
  }
  return (table, row) =>
    table.slice(0, -1).reduce((sum, column, at) => sum + averaged[starts[at] + column[row]], averaged[0]) > 0
      ? 1
      : 0;
}

function accuracy(classify, table) {
  const labels = table.at(-1);
  return (
    labels.reduce((right, label, row) => right + (classify(table, row) === label ? 1 : 0), 0) / labels.length
  );
}
