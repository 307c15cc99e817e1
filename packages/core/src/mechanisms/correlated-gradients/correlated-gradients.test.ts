import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seal } from "../../exact/exact.ts";
import { ratio } from "../../numeric/rational.ts";
import { SeededSource } from "../../tape.ts";
import { gaussianOf } from "../noisy-gradients/gradient-sensitivity.ts";
import { trainingDrawsFrom } from "../noisy-gradients/training-draws.ts";
import { noiseSampler } from "../registry.ts";
import { bltFor } from "./blt-for.ts";
import { correlatedSensitivity } from "./correlated-sensitivity.ts";
import { bandedCoefficients, bltCoefficientsUp, type Correlation } from "./correlation.ts";
import { correlatedReleaser } from "./release-correlated.ts";
import { stepNoise } from "./step-noise.ts";

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const shape = { parameters: 2, layers: 1, countWeight: 0 };
const blt: Correlation = { kind: "blt", decays: [0.25, 0.9, 0.99], outputs: [0.1, 0.25, 0.2] };
const radius = 2 ** 20;

/** The matrix C, its unit that of the measurements. */
function matrix(correlation: Correlation, steps: number): number[][] {
  const row = (t: number): number[] =>
    Array.from({ length: steps }, (_, s) => {
      if (s > t) return 0;
      if (correlation.kind === "tree") return s + 1 > t + 1 - ((t + 1) & -(t + 1)) ? 1 : 0;
      if (correlation.kind === "banded") return Number(bandedCoefficients(correlation.bands)[t - s] ?? 0n);
      if (s === t) return 4096;
      return (
        4096 *
        correlation.outputs.reduce((sum, out, k) => sum + out * correlation.decays[k]! ** (t - s - 1), 0)
      );
    });
  return Array.from({ length: steps }, (_, t) => row(t));
}

/** All sets of at most k steps at least b apart. */
function patterns(steps: number, k: number, b: number, from = 0): number[][] {
  if (k === 0) return [[]];
  const found: number[][] = [[]];
  for (let t = from; t < steps; t++)
    for (const rest of patterns(steps, k - 1, b, t + b)) found.push([t, ...rest]);
  return found;
}

const norm = (rows: readonly (readonly number[])[], moves: readonly (readonly number[])[]): number =>
  rows.reduce((sum, row) => {
    const at = [0, 1].map((axis) => row.reduce((total, c, s) => total + c * (moves[s]?.[axis] ?? 0), 0));
    return sum + at[0]! ** 2 + at[1]! ** 2;
  }, 0);

const correlations: readonly (readonly [string, Correlation])[] = [
  ["tree", { kind: "tree" }],
  ["one band", { kind: "banded", bands: 1 }],
  ["three bands", { kind: "banded", bands: 3 }],
  ["twenty bands", { kind: "banded", bands: 20 }],
  ["buffers", blt],
];

describe.each(correlations)("the sensitivity of %s", (_name, correlation) => {
  it.each([
    [1, 1, 1],
    [7, 1, 1],
    [7, 3, 2],
    [8, 2, 4],
    [9, 3, 3],
  ])("over %i steps, %i of them %i apart, is never below any pattern and direction", (steps, k, b) => {
    const run = { steps, correlation, participations: k, separation: b };
    const claimed = Number(correlatedSensitivity(run, shape, "came-or-went").l2Squared) / radius ** 2;
    const rows = matrix(correlation, steps);
    let most = 0;
    const bits = new SeededSource(steps);
    for (const pattern of patterns(steps, k, b)) {
      const straight = Array.from({ length: steps }, (_, s) => (pattern.includes(s) ? [1, 0] : [0, 0]));
      most = Math.max(most, norm(rows, straight));
      const turned = straight.map(([x]) => {
        const angle = bits.word() / 2 ** 30;
        return [x! * Math.cos(angle), x! * Math.sin(angle)];
      });
      expect(norm(rows, turned)).toBeLessThanOrEqual(claimed * (1 + 1e-12));
    }
    expect(most).toBeLessThanOrEqual(claimed * (1 + 1e-12));
    if (correlation.kind === "banded") expect(claimed / most).toBeCloseTo(1, 9);
    // Rounded buffers cost a ten-thousandth at these sizes.
    if (correlation.kind === "blt") expect(claimed / most).toBeLessThan(1.0005);
    const replaced = Number(correlatedSensitivity(run, shape, "replaced").l2Squared) / radius ** 2;
    expect(replaced / claimed).toBeGreaterThan(3.9);
    expect(replaced).toBeGreaterThanOrEqual(4 * most * (1 - 1e-12));
  });
});

const vectors = (count: number) =>
  fc.array(fc.array(fc.integer({ min: -(2 ** 22), max: 2 ** 22 }), { minLength: 2, maxLength: 2 }), {
    minLength: count,
    maxLength: count,
  });
const draws = (count: number) =>
  fc.array(fc.array(fc.integer({ min: -(2 ** 36), max: 2 ** 36 }), { minLength: 2, maxLength: 2 }), {
    minLength: count,
    maxLength: count,
  });
const turned = (correlation: Correlation, z: readonly (readonly number[])[]): number[][] => {
  const noise = stepNoise(correlation, 2);
  return z.map((draw) => {
    const out = Float64Array.from(draw);
    noise.turn(out);
    return [...out].map((x) => x + 0);
  });
};
const roundUp = (x: bigint, bits: bigint): bigint => (x + (1n << (bits - 1n))) >> bits;

describe("what is released is a function of the measurements", () => {
  const steps = 13;
  it.each([1, 2, 5, 13])("%i bands: recomputed from y = C·x + z alone, in big integers", (bands) => {
    const correlation: Correlation = { kind: "banded", bands };
    const [c, rows] = [bandedCoefficients(bands), matrix(correlation, steps)];
    fc.assert(
      fc.property(vectors(steps), draws(steps), (x, z) => {
        const released = turned(correlation, z).map((e, t) => e[0]! + x[t]![0]!);
        const r: bigint[] = [];
        for (const [t, row] of rows.entries()) {
          let y = BigInt(z[t]![0]!);
          for (const [s, weight] of row.entries()) y += BigInt(weight) * BigInt(x[s]![0]!);
          for (let i = 1; i < bands && i <= t; i++) y -= c[i]! * r[t - i]!;
          r.push(roundUp(y, 12n));
        }
        expect(released).toEqual(r.map(Number));
      }),
      { seed: 5, numRuns: 60 },
    );
  });
  it("a tree: running sums recomputed from the sums over intervals", () => {
    const rows = matrix({ kind: "tree" }, steps);
    fc.assert(
      fc.property(vectors(steps), draws(steps), (x, z) => {
        const released = turned({ kind: "tree" }, z).map((e, t) => e[0]! + x[t]![0]!);
        const y = rows.map((row, t) => row.reduce((sum, c, s) => sum + c * x[s]![0]!, z[t]![0]!));
        let running = 0;
        for (const [t, each] of released.entries()) {
          running += each;
          let due = 0;
          for (let at = t + 1; at > 0; at -= at & -at) due += y[at - 1]!;
          expect(running).toBe(due);
        }
      }),
      { seed: 6, numRuns: 60 },
    );
  });
});

/** V of the proof, from the noise of the steps before, for one coordinate: written out step by step. */
function bltMeans(
  { decays, outputs }: Extract<Correlation, { kind: "blt" }>,
  e: readonly number[],
): number[] {
  const buffers = decays.map(() => 0);
  return e.map((now) => {
    const mean = Math.round(outputs.reduce((sum, out, k) => sum + out * buffers[k]!, 0));
    for (const [k, decay] of decays.entries()) buffers[k] = Math.round(decay * buffers[k]!) + 4096 * now;
    return mean;
  });
}

describe("noise with buffers", () => {
  it("is round((z − V)/2¹²), V of the noise before", () => {
    fc.assert(
      fc.property(draws(30), (z) => {
        const e = turned(blt, z).map(([x]) => x!);
        const means = bltMeans(blt, e);
        expect(e).toEqual(z.map(([x], t) => Math.round((x! - means[t]!) / 4096) + 0));
      }),
      { seed: 7, numRuns: 40 },
    );
  });
  it("moves the means of neighbours who release the same by no more than the sensitivity, rounding and all", () => {
    const [steps, b, parameters] = [40, 8, 3];
    const run = { steps, correlation: blt, participations: 5, separation: b };
    const most = Number(correlatedSensitivity(run, { ...shape, parameters }, "came-or-went").l2Squared);
    const bits = new SeededSource(12);
    const normal = noiseSampler(gaussianOf(ratio(4n), 1n << 40n));
    let largest = 0;
    for (let trial = 0; trial < 60; trial++) {
      const first = trial % b;
      const along =
        trial < 32 ? [1, 0, 0] : Array.from({ length: parameters }, () => bits.word() / 2 ** 31 - 1);
      const length = Math.hypot(...along);
      let moved = 0;
      for (let axis = 0; axis < parameters; axis++) {
        const e = Array.from({ length: steps }, () => Number(normal.sample(bits)));
        const d = e.map((_, t) => (t % b === first ? Math.trunc((radius * along[axis]!) / length) : 0));
        const [here, there] = [
          bltMeans(blt, e),
          bltMeans(
            blt,
            e.map((x, t) => x + d[t]!),
          ),
        ];
        for (const [t, step] of d.entries()) moved += (4096 * step + there[t]! - here[t]!) ** 2;
      }
      expect(moved).toBeLessThanOrEqual(most);
      largest = Math.max(largest, moved);
    }
    expect(largest / most).toBeGreaterThan(0.999);
    // Without rounding the largest move would be this: the slack is needed.
    const straight = Array.from({ length: steps }, (_, t) => (t % b === 0 ? [1, 0] : [0, 0]));
    expect(largest).toBeGreaterThan(norm(matrix(blt, steps), straight) * radius ** 2);
  });
  it("prices coefficients from above", () => {
    const up = bltCoefficientsUp(blt, 60).map((c) => Number(c) / 2 ** 30);
    const rows = matrix(blt, 60);
    for (const [t, c] of up.entries()) {
      expect(c).toBeGreaterThanOrEqual((rows[t]![0]! / 4096) * (1 - 1e-14));
      expect(c).toBeLessThan(rows[t]![0]! / 4096 + 3 * 2 ** -30);
      if (t > 0) expect(c).toBeLessThanOrEqual(up[t - 1]!);
    }
  });
});

/** The largest deviation of a running sum's noise, times the sensitivity of one participation: what correlation is for. */
function runningError(correlation: Correlation, steps: number): number {
  const impulse = Array.from({ length: steps }, (_, t) => [t === 0 ? 2 ** 38 : 0, 0]);
  const e = turned(correlation, impulse).map(([x]) => x! / 2 ** 26);
  let [running, variance] = [0, 0];
  for (const x of e) {
    running += x;
    variance += running * running;
  }
  const run = { steps, correlation, participations: 1, separation: 1 };
  return Math.sqrt(
    (variance * Number(correlatedSensitivity(run, shape, "came-or-went").l2Squared)) / 2 ** 64,
  );
}

describe("buffers for so many steps", () => {
  it.each([
    [4, 100, 1.02],
    [6, 512, 1.01],
    [8, 1000, 1.01],
  ])(
    "%i for %i: running sums have the error of the square root's, but for a hundredth or two",
    (buffers, steps, factor) => {
      const best = runningError({ kind: "banded", bands: steps }, steps);
      const found = runningError(bltFor(buffers, steps), steps);
      expect(found / best).toBeLessThan(factor);
      // Noise of its own in every step has error √steps.
      expect(found).toBeLessThan(Math.sqrt(steps) / 2);
    },
  );
});

describe("releases", () => {
  const noise = gaussianOf(ratio(1n), 1n << 64n);
  it.each(correlations)(
    "of %s are exact sums plus turned noise, and go on after a pause as if there had been none",
    (_name, correlation) => {
      const program = { parameters: 2, correlation, noise, steps: 11 };
      const run = (stops: readonly number[]): number[][] => {
        const bits = new SeededSource(4);
        const coins = trainingDrawsFrom(bits);
        let releases = correlatedReleaser(program, coins);
        return Array.from({ length: 11 }, (_, t) => {
          if (stops.includes(t))
            releases = correlatedReleaser(program, coins, structuredClone(releases.state()));
          return [...releases.release(seal({ sums: Float64Array.of(1000 * t, -t), unclipped: 0 }))];
        });
      };
      const coins = new SeededSource(4);
      const sampler = noiseSampler(noise);
      const z = Array.from({ length: 11 }, () => [0, 1].map(() => Number(sampler.sample(coins))));
      const due = turned(correlation, z).map((e, t) => [1000 * t + e[0]!, -t + e[1]!]);
      expect(run([])).toEqual(due);
      expect(run([1, 2, 4, 7, 8])).toEqual(due);
    },
  );
  it("are no more than were paid for, and keep to the shape", () => {
    const program = { parameters: 2, correlation: blt, noise, steps: 1 };
    const coins = trainingDrawsFrom(new SeededSource(1));
    const releases = correlatedReleaser(program, coins);
    const exact = seal({ sums: new Float64Array(2), unclipped: 0 });
    releases.release(exact);
    expect(() => releases.release(exact)).toThrow(expect.objectContaining({ code: "mechanism.spent" }));
    expect(() => correlatedReleaser(program, coins, { step: 1, vectors: [] })).toThrow(invalid);
    expect(() => correlatedReleaser(program, coins, { step: 1, vectors: [new Float64Array(3)] })).toThrow(
      invalid,
    );
    expect(() => correlatedReleaser({ ...program, noise: { mechanism: "constant@1" } }, coins)).toThrow(
      invalid,
    );
    expect(() => correlatedReleaser({ ...program, noise: gaussianOf(ratio(1n), 1n << 82n) }, coins)).toThrow(
      invalid,
    );
  });
  it.each(correlations)("of %s go on from a state that is whole, and from no other", (_name, correlation) => {
    const program = { parameters: 2, correlation, noise, steps: 40 };
    const coins = trainingDrawsFrom(new SeededSource(3));
    const releases = correlatedReleaser(program, coins);
    for (let t = 0; t < 40; t++) {
      if (t > 0) releases.release(seal({ sums: new Float64Array(2), unclipped: 0 }));
      const { step, vectors } = releases.state();
      expect(() => correlatedReleaser(program, coins, { step, vectors })).not.toThrow();
      const others = [[...vectors, new Float64Array(2)], ...(vectors.length > 0 ? [vectors.slice(1)] : [])];
      for (const wrong of others)
        expect(() => correlatedReleaser(program, coins, { step, vectors: wrong })).toThrow(invalid);
    }
  });
  it("have the noise that was drawn: 40,000 coordinates, a variance to 0.7 % (false alarm < 1e-7)", () => {
    const parameters = 40_000;
    const program = { parameters, correlation: { kind: "banded", bands: 2 } as const, noise, steps: 2 };
    const releases = correlatedReleaser(program, trainingDrawsFrom(new SeededSource(6)));
    const zeros = (): ReturnType<typeof seal<{ sums: Float64Array; unclipped: number }>> =>
      seal({ sums: new Float64Array(parameters), unclipped: 0 });
    for (const due of [1, 1.25]) {
      const square = releases.release(zeros()).reduce((sum, x) => sum + (x / radius) ** 2, 0) / parameters;
      // A scale off by a tenth is a fifth of the variance.
      expect(Math.abs(square / due - 1)).toBeLessThan(5.5 * 0.0071);
    }
  });
});

it.each([
  { kind: "banded", bands: 0 },
  { kind: "banded", bands: 1025 },
  { kind: "blt", decays: [], outputs: [] },
  { kind: "blt", decays: [0.5], outputs: [0.1, 0.1] },
  { kind: "blt", decays: [1], outputs: [0.1] },
  { kind: "blt", decays: [0.5], outputs: [-0.1] },
  { kind: "blt", decays: [0.5], outputs: [0.6] },
  { kind: "blt", decays: [Number.NaN], outputs: [0.1] },
  { kind: "other" },
] as Correlation[])("refuses %o, whose sensitivity has no proof", (correlation) => {
  const run = { steps: 5, correlation, participations: 1, separation: 1 };
  expect(() => correlatedSensitivity(run, shape, "came-or-went")).toThrow(invalid);
});
