import { describe, expect, it } from "vitest";
import {
  finitePair,
  gaussianPair,
  integerNoisePair,
  laplacePair,
  sampledPair,
  twoPointPair,
} from "./pairs/index.ts";
import { type PldLoss, pldAlgebra, pldLoss } from "./pld-algebra.ts";

const gauss = pldLoss(gaussianPair(0.5));
const poisson = (rate: number) => ({ kind: "poisson", rate }) as const;
const drawn = (population: number, sample: number) =>
  ({ kind: "without-replacement", population, sample }) as const;
const epsilonOf = (loss: PldLoss | null, delta: number): number =>
  pldAlgebra.curve(loss!).epsilon(delta).upper;
const deltaOf = (loss: PldLoss | null, epsilon: number): number =>
  pldAlgebra.curve(loss!, 1e-6).delta(epsilon).upper;

describe("the algebra", () => {
  it("counts equal pairs, and power is repeated composition", () => {
    const twice = pldAlgebra.compose([gauss, pldLoss(laplacePair(1)), gauss]);
    expect(twice.cases[0]!.map(({ count }) => count)).toEqual([2n, 1n]);
    expect(pldAlgebra.power(gauss, 3n)).toEqual(pldAlgebra.compose([gauss, gauss, gauss]));
    expect(pldAlgebra.power(gauss, 0n)).toEqual(pldAlgebra.none);
    expect(() => pldAlgebra.power(gauss, -1n)).toThrow(/n must be/);
  });

  it("groups scale every step, or refuse", () => {
    expect(epsilonOf(pldAlgebra.group(gauss, 2n), 1e-6)).toBe(epsilonOf(pldLoss(gaussianPair(1)), 1e-6));
    expect(pldAlgebra.group(gauss, 1n)).toBe(gauss);
    const step = pldAlgebra.sample(pldLoss(twoPointPair(1, 0.1)), poisson(0.1), "add-or-remove-one")!;
    expect(pldAlgebra.group(pldAlgebra.compose([gauss, step]), 2n)).toBeNull();
    expect(() => pldAlgebra.group(gauss, 0n)).toThrow(/k must be/);
  });

  it("a group on samples is the worst of who came and who went, every one composed by itself", () => {
    const step = pldAlgebra.sample(gauss, poisson(0.1), "add-or-remove-one")!;
    const run = pldAlgebra.compose([pldLoss(laplacePair(0.1)), pldAlgebra.power(step, 10n)]);
    const grouped = pldAlgebra.group(run, 3n)!;
    expect(grouped.cases.map((pairs) => pairs.map(({ count }) => count))).toEqual([
      [1n, 10n],
      [1n, 10n],
    ]);
    const alone = grouped.cases.map((pairs) => pldAlgebra.curve({ cases: [pairs] }));
    const worst = pldAlgebra.curve(grouped);
    for (const delta of [1e-3, 1e-6]) {
      expect(worst.epsilon(delta).upper).toBe(Math.max(...alone.map((curve) => curve.epsilon(delta).upper)));
    }
    for (const epsilon of [0, 0.5, 2]) {
      const each = alone.map((curve) => curve.delta(epsilon));
      expect(worst.delta(epsilon).upper).toBe(Math.max(...each.map(({ upper }) => upper)));
      expect(worst.delta(epsilon).lower).toBe(Math.max(...each.map(({ lower }) => lower)));
    }
    expect(worst.tradeoff(0.1).lower).toBe(Math.min(...alone.map((curve) => curve.tradeoff(0.1).lower)));
  });

  it("runs of which each may see other members come are not repeated, sampled or grouped again", () => {
    const step = pldAlgebra.sample(gauss, poisson(0.1), "add-or-remove-one")!;
    const grouped = pldAlgebra.group(step, 2n)!;
    expect(grouped.cases.length).toBe(2);
    expect(pldAlgebra.power(grouped, 1n)).toEqual(grouped);
    expect(() => pldAlgebra.power(grouped, 2n)).toThrow(/n must be/);
    expect(pldAlgebra.group(grouped, 2n)).toBeNull();
    expect(pldAlgebra.sample(grouped, poisson(0.5), "add-or-remove-one")).toBeNull();
    expect(pldAlgebra.mix([{ weight: 1, loss: grouped }])).toBeNull();
    // A part outside the group may see the one come where the group goes: only a symmetric one does not care.
    expect(pldAlgebra.compose([grouped, gauss]).cases.length).toBe(2);
    expect(() => pldAlgebra.compose([grouped, step])).toThrow(/losses must be/);
    expect(() => pldAlgebra.compose([grouped, grouped])).toThrow(/losses must be/);
  });

  it("a discrete Laplace seen by two is the pair of the double shift, not twice the loss spread evenly", () => {
    const one = pldLoss(integerNoisePair({ law: "discrete-laplace", scale: 2 }, 1));
    const two = pldLoss(integerNoisePair({ law: "discrete-laplace", scale: 2 }, 2));
    expect(pldAlgebra.group(one, 2n)).toEqual({
      cases: [[{ ...two.cases[0]![0], pair: expect.objectContaining({ id: two.cases[0]![0]!.pair.id }) }]],
    });
  });

  it("a coin between nothing and a mechanism loses its share", () => {
    const mixed = pldAlgebra.mix([
      { weight: 0.5, loss: pldAlgebra.none },
      { weight: 0.5, loss: pldLoss(twoPointPair(1, 0.1)) },
    ]);
    expect(deltaOf(mixed, 0)).toBeCloseTo(0.5 * (0.1 + 0.9 * Math.tanh(0.5)), 9);
    expect(() => pldAlgebra.mix([])).toThrow(/parts/);
  });

  it("a coin over compositions is no less than the mean of their δ", () => {
    const composed = pldAlgebra.compose([pldLoss(laplacePair(0.3)), pldLoss(laplacePair(0.4))]);
    const mixed = pldAlgebra.mix([
      { weight: 0.25, loss: composed },
      { weight: 0.75, loss: gauss },
    ]);
    const mean = 0.25 * deltaOf(composed, 0.2) + 0.75 * deltaOf(gauss, 0.2);
    expect(deltaOf(mixed, 0.2)).toBeGreaterThanOrEqual(mean - 1e-6);
    expect(deltaOf(mixed, 0.2)).toBeLessThan(mean + 5e-4);
  });
});

describe("samples", () => {
  it("Poisson, add or remove one, of one step is its sampled pair", () => {
    expect(pldAlgebra.sample(gauss, poisson(0.1), "add-or-remove-one")!.cases[0]![0]!.pair.id).toBe(
      sampledPair(gaussianPair(0.5), 0.1).id,
    );
    expect(pldAlgebra.sample(gauss, poisson(0), "replace-one")).toEqual(pldAlgebra.none);
    expect(pldAlgebra.sample(gauss, poisson(1), "add-or-remove-one")!.cases[0]![0]!.pair.id).toBe(
      "gaussian(0.5)",
    );
  });

  it("Poisson of a composition: the sample is of the whole, so it costs more than sampling each step", () => {
    const ten = pldAlgebra.power(gauss, 10n);
    const whole = epsilonOf(pldAlgebra.sample(ten, poisson(0.1), "add-or-remove-one"), 1e-3);
    const each = epsilonOf(
      pldAlgebra.power(pldAlgebra.sample(gauss, poisson(0.1), "add-or-remove-one")!, 10n),
      1e-3,
    );
    expect(whole).toBeGreaterThan(each);
    // Ten Gaussians are one, so this one is exact too.
    expect(whole).toBeCloseTo(
      epsilonOf(pldLoss(sampledPair(gaussianPair(0.5 * Math.sqrt(10)), 0.1)), 1e-3),
      4,
    );
  });

  it("are never below an exact enumeration under replace-one", () => {
    // Two units, binary randomized response on the parity of those sampled; neighbours replace one unit's bit.
    const keep = 0.75;
    const pure = pldLoss(finitePair([keep, 1 - keep], [1 - keep, keep]));
    const response = (bit: number): [number, number] => (bit === 0 ? [keep, 1 - keep] : [1 - keep, keep]);
    const poissonLaw = (bits: readonly number[], rate: number): [number, number] => {
      const law: [number, number] = [0, 0];
      for (let subset = 0; subset < 1 << bits.length; subset++) {
        let [weight, parity] = [1, 0];
        for (const [i, bit] of bits.entries()) {
          const taken = (subset >> i) & 1;
          weight *= taken ? rate : 1 - rate;
          parity ^= taken & bit;
        }
        const [a, b] = response(parity);
        law[0] += weight * a;
        law[1] += weight * b;
      }
      return law;
    };
    const hockey = (p: readonly number[], q: readonly number[], epsilon: number): number =>
      p.reduce((sum, x, i) => sum + Math.max(0, x - Math.exp(epsilon) * q[i]!), 0);
    for (const rate of [0.1, 0.5, 0.9]) {
      const replaced = pldAlgebra.sample(pure, poisson(rate), "replace-one");
      for (const other of [0, 1]) {
        const [p, q] = [poissonLaw([0, other], rate), poissonLaw([1, other], rate)];
        for (const epsilon of [0, 0.1, 0.4]) {
          expect(deltaOf(replaced, epsilon)).toBeGreaterThanOrEqual(
            Math.max(hockey(p, q, epsilon), hockey(q, p, epsilon)) - 1e-12,
          );
        }
      }
    }
    // One of two, under replace-one.
    const half = pldAlgebra.sample(pure, drawn(2, 1), "replace-one");
    const mix = (a: number, b: number): number[] =>
      response(a).map((x, i) => 0.5 * x + 0.5 * response(b)[i]!);
    for (const epsilon of [0, 0.1, 0.4]) {
      expect(deltaOf(half, epsilon)).toBeGreaterThanOrEqual(hockey(mix(0, 0), mix(1, 0), epsilon) - 1e-12);
      expect(deltaOf(half, epsilon)).toBeLessThan(
        0.5 * deltaOf(pure, Math.log1p(2 * Math.expm1(epsilon))) + 1e-6,
      );
    }
  });

  it("of steps whose groups are unknown go through the middle", () => {
    const sampled = pldAlgebra.sample(gauss, poisson(0.5), "add-or-remove-one")!;
    const replaced = pldAlgebra.sample(sampled, poisson(0.5), "replace-one")!;
    // Never below the same under add-or-remove-one, of which a replacement is two.
    expect(epsilonOf(replaced, 1e-4)).toBeGreaterThan(
      epsilonOf(pldAlgebra.sample(sampled, poisson(0.5), "add-or-remove-one"), 1e-4),
    );
    expect(epsilonOf(replaced, 1e-4)).toBeLessThan(3);
  });

  it("of the whole population are the loss, of nobody nothing; other pairings are refused", () => {
    expect(pldAlgebra.sample(gauss, drawn(10, 10), "replace-one")).toBe(gauss);
    expect(pldAlgebra.sample(gauss, drawn(10, 0), "replace-one")).toEqual(pldAlgebra.none);
    expect(pldAlgebra.sample(gauss, drawn(10, 5), "add-or-remove-one")).toBeNull();
    expect(() => pldAlgebra.sample(gauss, drawn(10, 11), "replace-one")).toThrow(/sample/);
    expect(() => pldAlgebra.sample(gauss, poisson(Number.NaN), "replace-one")).toThrow(/rate/);
  });
});
