// Convex problems with proven bounds (packages/learn/src/convex). Every excess is the mean over seeded runs.
// convex.slope.units.d<d>: slope of ln excess in ln n on the hard linear instance, noise and steps of C Thm 2 with four times its least T, and at least 100 (peer: −1).
// convex.slope.dimension.n<n>: slope in ln d (peer: ½).
// convex.hard.worst: the largest mean excess over its proven bound, of all n and d (target ≤ 1; peer 1).
// convex.hard.theorem: the largest mean excess over 7.348·LR√(d ln 1/δ)/(εn).      convex.hard.steps: the fewest steps of any.
// convex.logistic.excess: mean excess on logistic data (peer: the proven bound).   convex.logistic.loss: mean loss (peer: of the weights 0).
// convex.localization.excess, convex.one-pass.excess: population excess on fresh draws (peer: the proven bound).
// convex.one-pass.rho: ρ of the pass (peer: what composition alone would charge).
// --runs N: runs of each setting, 10 unless stated.

import { SeededSource } from "@lethe/core/tape";
import {
  planDescent,
  planLocalization,
  planOnePass,
  runDescent,
  runLocalization,
  runOnePass,
} from "@lethe/learn/convex";
import { figure } from "./figure.mjs";

const [epsilon, delta] = [0.9, 1e-5];

export default async function bench(options) {
  const at = options.indexOf("--runs");
  const runs = at < 0 ? 10 : Number(options[at + 1]);
  if (!(runs >= 1)) throw new Error("--runs must be at least 1");
  hardInstance(runs);
  logistic(runs);
  population(runs);
}

function hardInstance(runs) {
  const sizes = [1000, 3000, 10_000, 30_000];
  const dimensions = [10, 30, 100, 300];
  const means = new Map();
  let [worst, overTheorem, fewest] = [0, 0, Number.POSITIVE_INFINITY];
  for (const dimension of dimensions)
    for (const units of sizes) {
      const { problem, rows, excess } = hardLinear(units, dimension);
      const plan = planDescent({
        problem,
        units,
        adjacency: "replace-one",
        epsilon,
        delta,
        noise: "theorem",
        // Four times the theorem's least T: near it the share of 1/T in the excess bends the slope in d.
        steps: Math.max(
          100,
          Math.ceil((4 * (units * epsilon) ** 2) / (32 * dimension * Math.log(1 / delta))),
        ),
      });
      const mean = meanOf(runs, (seed) => excess(runDescent(plan, rows, new SeededSource(seed))));
      means.set(`${units} ${dimension}`, mean);
      worst = Math.max(worst, mean / plan.report.bound.proven);
      overTheorem = Math.max(overTheorem, mean / plan.report.theorem.excess);
      fewest = Math.min(fewest, plan.steps);
    }
  for (const d of dimensions)
    figure(`convex.slope.units.d${d}`, logSlope(sizes.map((n) => [n, means.get(`${n} ${d}`)])), "", -1);
  for (const n of sizes)
    figure(
      `convex.slope.dimension.n${n}`,
      logSlope(dimensions.map((d) => [d, means.get(`${n} ${d}`)])),
      "",
      0.5,
    );
  figure("convex.hard.worst", worst, "of its bound", 1);
  figure("convex.hard.theorem", overTheorem, "of its bound", 1);
  figure("convex.hard.steps", fewest, "steps");
}

/** Linear losses over rows of signs that cancel in pairs, but for a mean of norm about 6·√(d·ln(1/δ))/(εn). */
function hardLinear(units, dimension) {
  const next = uniforms(dimension);
  const sign = () => (next() < 0.5 ? -1 : 1) / Math.sqrt(dimension);
  const direction = Array.from({ length: dimension }, sign);
  const wanted = Math.round((6 * Math.sqrt(dimension * Math.log(1 / delta))) / epsilon);
  const same = Math.min(units, wanted + ((units - wanted) % 2));
  const features = new Float64Array(units * dimension);
  for (let i = 0; i < units; i++)
    for (let j = 0; j < dimension; j++) {
      const at = i * dimension + j;
      if (i < same) features[at] = direction[j];
      else features[at] = (i - same) % 2 === 0 ? sign() : -features[at - dimension];
    }
  const problem = {
    ...{ loss: { name: "linear" }, dimension, features: { norm: "l2", bound: 1 }, labels: 1, radius: 1 },
  };
  const along = (weights) => weights.reduce((sum, w, j) => sum + w * direction[j], 0);
  return {
    problem,
    rows: { features, labels: new Float64Array(units).fill(1) },
    excess: (weights) => (same / units) * (1 - along(weights)),
  };
}

function logistic(runs) {
  const [units, dimension] = [10_000, 10];
  const next = uniforms(1);
  const features = new Float64Array(units * dimension);
  const labels = new Float64Array(units);
  for (let i = 0; i < units; i++) {
    let z = 0;
    for (let j = 0; j < dimension; j++) {
      const x = (2 * next() - 1) / Math.sqrt(dimension);
      features[i * dimension + j] = x;
      z += (j % 2 ? 6 : -6) * x;
    }
    labels[i] = next() < 1 / (1 + Math.exp(-z)) ? 1 : -1;
  }
  const rows = { features, labels };
  const loss = (weights) => {
    let total = 0;
    for (let i = 0; i < units; i++) {
      let z = 0;
      for (let j = 0; j < dimension; j++) z += weights[j] * features[i * dimension + j];
      total += Math.log1p(Math.exp(-labels[i] * z));
    }
    return total / units;
  };
  const problem = { loss: { name: "logistic" }, dimension, features: { norm: "l2", bound: 1 }, radius: 3 };
  const request = { problem, units, adjacency: "replace-one", delta, noise: "tight" };
  const best = loss(
    runDescent(planDescent({ ...request, epsilon: 500, steps: 500 }), rows, new SeededSource(1)),
  );
  const plan = planDescent({ ...request, epsilon: 1, steps: 300 });
  const mean = meanOf(Math.min(runs, 5), (seed) => loss(runDescent(plan, rows, new SeededSource(seed))));
  figure("convex.logistic.excess", mean - best, "nats", plan.report.bound.proven);
  figure("convex.logistic.loss", mean, "nats", Math.LN2);
}

/** Fresh draws whose population risk is a sum: x a unit vector, y = ±1 with a mean for each, squared loss. */
function population(runs) {
  const means = [0.6, -0.6, 0.3, 0];
  const units = 20_000;
  const draw = (seed) => {
    const next = uniforms(seed);
    const features = new Float64Array(4 * units);
    const labels = new Float64Array(units);
    for (let i = 0; i < units; i++) {
      const j = Math.floor(4 * next());
      features[4 * i + j] = 1;
      labels[i] = next() < (1 + means[j]) / 2 ? 1 : -1;
    }
    return { features, labels };
  };
  const excess = (weights) => weights.reduce((sum, w, j) => sum + (w - means[j]) ** 2 / 8, 0);
  const problem = {
    ...{ loss: { name: "squared" }, dimension: 4, features: { norm: "l2", bound: 1 }, labels: 1, radius: 1 },
  };
  const request = { problem, units, adjacency: "replace-one", epsilon: 1, delta: 1e-6 };
  const [phased, pass] = [planLocalization(request), planOnePass(request)];
  const localized = meanOf(runs, (seed) =>
    excess(runLocalization(phased, draw(seed), new SeededSource(1000 + seed))),
  );
  figure("convex.localization.excess", localized, "", phased.report.bound.proven);
  const last = meanOf(runs, (seed) => excess(runOnePass(pass, draw(seed), new SeededSource(2000 + seed))));
  figure("convex.one-pass.excess", last, "", pass.report.bound.proven);
  figure("convex.one-pass.rho", pass.schedule.rho, "zCDP", pass.report.rhoWithoutIteration);
}

function uniforms(seed) {
  const source = new SeededSource(seed);
  return () => source.word() / 2 ** 32;
}

function meanOf(runs, of) {
  let total = 0;
  for (let seed = 1; seed <= runs; seed++) total += of(seed);
  return total / runs;
}

/** The slope of a least-squares line through points (ln x, ln y). */
function logSlope(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (of) => logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const [x, y] = [mean(([a]) => a), mean(([, b]) => b)];
  return mean(([a, b]) => (a - x) * (b - y)) / mean(([a]) => (a - x) ** 2);
}
