import { account } from "@lethe/core";
import { noisyIterationRho } from "@lethe/core/accounting";
import { noiseSampler, seal } from "@lethe/core/mechanisms";
import { SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConvexProblem } from "../problem/convex-problem.ts";
import { constantsOf } from "../problem/convex-problem.ts";
import { intoBall } from "../rows/ball.ts";
import { type Pass, passOver } from "../rows/pass-gradients.ts";
import { stepSlack } from "../rows/step-slack.ts";
import { unitRows } from "../rows/unit-rows.ts";
import { distance, smoothProblems, uniforms } from "../testing/samples.ts";
import { batchSizes, mostSteps } from "./batch-sizes.ts";
import { iterationRho } from "./iteration-rho.ts";
import { harmonic, lastIterateExcess } from "./last-iterate-excess.ts";
import { type OnePassPlan, type OnePassRequest, planOnePass } from "./plan-one-pass.ts";
import { lastIterate, runOnePass } from "./run-one-pass.ts";

const problem: ConvexProblem = {
  ...{ loss: { name: "squared" }, dimension: 2, features: { norm: "l2", bound: 1 }, labels: 1, radius: 1 },
};
const request: OnePassRequest = {
  ...{ problem, units: 2000, adjacency: "replace-one", epsilon: 1, delta: 1e-6 },
};

/** x a unit vector, y = ±1 with mean 0.7 or −0.5: the population's excess is Σ (w_j − mean)²/4. */
const means = [0.7, -0.5];
function draw(n: number, seed: number) {
  const next = uniforms(seed);
  const features = new Float64Array(2 * n);
  const labels = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    const j = next() < 0.5 ? 0 : 1;
    features[2 * i + j] = 1;
    labels[i] = next() < (1 + (means[j] ?? 0)) / 2 ? 1 : -1;
  }
  return { features, labels };
}
const populationExcess = (w: Float64Array): number =>
  w.reduce((sum, x, j) => sum + (x - (means[j] ?? 0)) ** 2 / 4, 0);

describe("the price of one pass", () => {
  const pass = { steps: 100, sigma: 4, lipschitz: 1, smoothness: 1, stepSize: 0.5, dimension: 4, slack: 0 };

  it("is core's without slack, a little above it with the slack of doubles, and grows with slack", () => {
    for (const step of [1, 50, 100]) {
      const exact = noisyIterationRho({
        ...{ steps: 100, uses: [step], sigma: 4, gradientSensitivity: 2 / 3, learningRate: 0.5 },
        ...{ smoothness: 1, convex: true },
      });
      expect(iterationRho(pass, step, 3)).toBeGreaterThanOrEqual(exact);
      expect(iterationRho(pass, step, 3)).toBeLessThan(exact * 1.00001);
      const slack = stepSlack({ dimension: 4, radius: 1, lipschitz: 1, stepSize: 0.5, batch: 3 });
      expect(iterationRho({ ...pass, slack }, step, 3)).toBeLessThan(exact * 1.00001);
      // Every step off by the move of a whole unit costs every step's own shift.
      expect(iterationRho({ ...pass, slack: 0.5 }, step, 1)).toBeGreaterThan(100 / (2 * 16));
    }
  });

  it("is at least the exact ρ of the last iterate of a linear loss, and that of its own step's noise alone", () => {
    // x_T = Σ over steps of −η(g_t + N_t): one unit moves it by 2ηL/b under noise of variance T·η²σ².
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), (steps, at) => {
        const step = Math.min(steps, at);
        const rho = iterationRho({ ...pass, steps }, step, 1);
        expect(rho).toBeGreaterThanOrEqual(2 ** 2 / (2 * 16 * steps));
        expect(rho).toBeLessThanOrEqual((2 ** 2 / (2 * 16)) * 1.0001);
      }),
    );
  });

  it("is refused where steps do not contract", () => {
    expect(() => iterationRho({ ...pass, stepSize: 2.1 }, 1, 1)).toThrow("2/smoothness");
  });
});

describe("batches", () => {
  it("take every unit, and grow as the square root of the steps that are left asks", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.double({ min: 1e-3, max: 1e4, noNaN: true }),
        (units, spread) => {
          const steps = mostSteps(units, spread);
          if (steps < 1) return;
          const sizes = batchSizes(units, steps, spread);
          expect(sizes.reduce((a, b) => a + b, 0)).toBe(units);
          expect(sizes.every((size, t) => size ** 2 * (steps - t) >= spread * (1 - 1e-12))).toBe(true);
        },
      ),
    );
  });

  it("harmonic numbers are never below the true ones", () => {
    let total = 0;
    for (let n = 1; n <= 3000; n += 1) {
      total += 1 / n;
      expect(harmonic(n)).toBeGreaterThanOrEqual(total - 1e-12);
      expect(harmonic(n)).toBeLessThan(total + 1e-3);
    }
    expect(
      lastIterateExcess({ distance: 1, radius: 1, secondMoment: 1, steps: 1, stepSize: 1, slack: 0 }),
    ).toBe(1);
  });
});

/** One pass by its definition: every point gets its noise in the same words, and the last is cut to whole steps before. */
function byHand({ request: { units }, schedule }: OnePassPlan, pass: Pass, bits: SeededSource): Float64Array {
  const sampler = noiseSampler({ mechanism: "rounded-gaussian@1", sigma: String(2 ** 30) });
  const grid = schedule.stepSize * schedule.sigma * 2 ** -30;
  const weights = new Float64Array(2);
  batchSizes(units, schedule.steps, schedule.spread).forEach((batch, at) => {
    pass.descend(weights, schedule.stepSize, batch);
    const drawn = new Float64Array(2);
    sampler.fill(drawn, bits);
    drawn.forEach((noise, j) => {
      const point = weights[j] ?? Number.NaN;
      weights[j] = at < schedule.steps - 1 ? point + grid * noise : (Math.round(point / grid) + noise) * grid;
    });
    intoBall(weights, 1);
  });
  return weights;
}

describe("one pass", () => {
  it("meets its population bound on fresh draws, and uses them", () => {
    const plan = planOnePass(request);
    const runs = 12;
    let total = 0;
    for (let seed = 1; seed <= runs; seed += 1)
      total += populationExcess(runOnePass(plan, draw(2000, seed), new SeededSource(500 + seed)));
    expect(total / runs).toBeLessThanOrEqual(plan.report.bound.proven);
    expect(total / runs).toBeLessThan(populationExcess(new Float64Array(2)) / 2);
  });

  it("reads each unit exactly once", () => {
    const plan = planOnePass(request);
    const order = Uint32Array.from({ length: 2000 }, (_, i) => i);
    const pass = passOver(problem, unitRows(problem, draw(2000, 1)), order);
    lastIterate(plan, seal(pass), new SeededSource(1));
    expect(pass.reads.every((count) => count === 1)).toBe(true);
  });

  it("leaves what adding the last noise by hand would leave, coin for coin", () => {
    for (const seed of [1, 2, 3]) {
      const plan = planOnePass(request);
      const order = Uint32Array.from({ length: 2000 }, (_, i) => i);
      const pass = (): Pass => passOver(problem, unitRows(problem, draw(2000, seed)), order);
      expect(lastIterate(plan, seal(pass()), new SeededSource(seed))).toEqual(
        byHand(plan, pass(), new SeededSource(seed)),
      );
    }
  });

  it("leaves whole steps of a public grid, whatever the rows hold: nothing of a point shows between two steps", () => {
    // One unit of a linear loss: its gradient is no whole number of steps, and nobody else moves the point.
    const linear: ConvexProblem = { ...problem, loss: { name: "linear" }, dimension: 1 };
    const plan = planOnePass({ ...request, problem: linear, units: 200 });
    const grid = plan.schedule.stepSize * plan.schedule.sigma * 2 ** -30;
    for (const own of [0, 0.5, 0.9, -1]) {
      const features = Float64Array.from({ length: 200 }, (_, i) => (i === 7 ? own : 0));
      const inside = Array.from({ length: 60 }, (_, seed) => {
        const [w = 0] = runOnePass(
          plan,
          { features, labels: new Float64Array(200).fill(1) },
          new SeededSource(seed),
        );
        return w;
      }).filter((w) => Math.abs(w) < 1 - 1e-9);
      expect(inside.length).toBeGreaterThan(10);
      for (const w of inside) expect(Math.round(w / grid) * grid).toBe(w);
    }
  });

  it("costs what its ρ costs, within the budget, far below what releasing every iterate would", () => {
    const { event, report, schedule } = planOnePass(request);
    expect(report.price.epsilon).toBe(account(event).epsilon(1e-6).upper);
    expect(report.price.epsilon).toBeLessThanOrEqual(1);
    expect(report.price.epsilon).toBeGreaterThan(0.98);
    expect(report.rhoWithoutIteration).toBeGreaterThan(10 * schedule.rho);
  });

  /** How far two runs with the same noise part that differ in the first unit, how much they part after it, and how far its use may part them. */
  const parted = (each: ConvexProblem, stepSize: number, seed: number) => {
    const { lipschitz, radius } = constantsOf(each);
    const next = uniforms(seed);
    const noise = Array.from({ length: 30 }, () =>
      Float64Array.from({ length: 3 }, () => (next() - 0.5) / 2),
    );
    const rows = {
      features: Float64Array.from({ length: 90 }, () => (2 * next() - 1) * each.features.bound),
      labels: Float64Array.from({ length: 30 }, () => 2 * next() - 1),
    };
    const other = { ...rows, features: rows.features.map((x, i) => (i < 3 ? -x : x)) };
    const path = (of: typeof rows): Float64Array[] => {
      const pass = passOver(
        each,
        unitRows(each, of),
        Uint32Array.from({ length: 30 }, (_, i) => i),
      );
      const w = new Float64Array(3);
      return noise.map((z) => {
        pass.descend(w, stepSize, 1);
        for (let j = 0; j < 3; j += 1) w[j] = (w[j] ?? 0) + stepSize * (z[j] ?? 0);
        intoBall(w, radius);
        return w.slice();
      });
    };
    const [a, b] = [path(rows), path(other)];
    const slack = stepSlack({ dimension: 3, radius, lipschitz, stepSize, batch: 1 });
    const apart = a.map((w, t) => distance(w, b[t] ?? new Float64Array(3)));
    return {
      furthest: Math.max(...apart),
      growth: Math.max(...apart.slice(1).map((now, t) => now - (apart[t] ?? 0))),
      allowed: 2 * stepSize * lipschitz + 2 * 30 * slack,
    };
  };

  it.each(smoothProblems)(
    "replayed on neighbours with the same noise, iterates never part further: $loss.name",
    (each) => {
      const smoothness = constantsOf(each).smoothness ?? Number.NaN;
      for (let seed = 1; seed <= 40; seed += 1) {
        const { furthest, allowed } = parted(each, smoothness > 0 ? 2 / smoothness : 1, seed);
        expect(furthest).toBeLessThanOrEqual(allowed);
        if (smoothness === 0) continue;
        const small = parted(each, 0.05 / smoothness, seed);
        expect(small.furthest).toBeLessThanOrEqual(small.allowed);
      }
    },
  );

  it("and with steps beyond 2/β they do: the replay would see it", () => {
    const hinge: ConvexProblem = {
      ...{
        loss: { name: "smooth-hinge", width: 0.5 },
        dimension: 3,
        features: { norm: "l2", bound: 1 },
        radius: 10,
      },
    };
    const smoothness = constantsOf(hinge).smoothness ?? Number.NaN;
    const most = (stepSize: number): number =>
      Math.max(...Array.from({ length: 40 }, (_, seed) => parted(hinge, stepSize, seed).growth));
    expect(most(2 / smoothness)).toBeLessThanOrEqual(1e-9);
    expect(most(8 / smoothness)).toBeGreaterThan(0.01);
  });

  it("is refused by name", () => {
    const refused = (change: object, words: string): void =>
      expect(() => planOnePass({ ...request, ...change } as OnePassRequest)).toThrow(words);
    refused({ problem: { ...problem, loss: { name: "hinge" } } }, "a smooth loss");
    refused({ problem: { ...problem, clip: 1 } }, "no gradients of a convex function");
    refused({ stepSize: 2.5 }, "0 < η ≤ 2/β");
    refused({ adjacency: "add-or-remove-one" }, "a public number of units");
    refused({ units: 1, epsilon: 1e-5 }, "batches that the units reach for");
  });

  it("never fails for what stands in rows, nor for fewer or more of them than declared", () => {
    const plan = planOnePass({ ...request, units: 2000 });
    for (const rows of [
      { features: [], labels: [] },
      { features: [Number.NaN, 1e308], labels: [Number.NaN] },
      draw(2100, 1),
    ])
      expect([...runOnePass(plan, rows, new SeededSource(2))].every(Number.isFinite)).toBe(true);
    const cheaper = { ...plan, event: { ...plan.event, rho: "0" } as typeof plan.event };
    expect(() => runOnePass(cheaper, draw(10, 1), new SeededSource(1))).toThrow("plan");
  });
});
