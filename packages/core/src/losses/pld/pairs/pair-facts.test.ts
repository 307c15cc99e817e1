import { describe, expect, it } from "vitest";
import { ndtr } from "../../../numeric/special/index.ts";
import { atomsOf, discretePair } from "./discrete-pair.ts";
import type { DominatingPair, LossCells, Tails } from "./dominating-pair.ts";
import { finitePair } from "./finite-pair.ts";
import { binomialMoves, movesOfUnits } from "./gaussian-moves.ts";
import { gaussianPair } from "./gaussian-pair.ts";
import { groupOfBounded } from "./group-of-bounded.ts";
import { integerNoisePair } from "./integer-noise-pair.ts";
import { laplacePair } from "./laplace-pair.ts";
import { mixedPair } from "./mixed-pair.ts";
import { profilePair } from "./profile-pair.ts";
import { quadratureRule } from "./quadrature.ts";
import { sampledApart } from "./sampled-gaussian-pair.ts";
import { sampledPair } from "./sampled-pair.ts";
import { twoPointPair } from "./two-point-pair.ts";

/* What each dominating pair says of itself, and of groups. */

const inf = Number.POSITIVE_INFINITY;
const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });
const atoms: LossCells = { edge: (k) => k, cell: Math.floor, atom: (loss) => loss };
type Row = readonly [loss: number, p: number, q: number];
/** Each atom under its loss. */
function emitted(
  pair: DominatingPair,
  tail = 1e-20,
): { readonly rows: readonly Row[]; readonly tails: Tails } {
  const rows: Row[] = [];
  const tails = pair.emit(atoms, tail, (cell, p, q) => rows.push([cell, p, q]));
  return { rows, tails };
}
const noTails = { pLow: 0, qLow: 0, pHigh: 0, qHigh: 0 };
/** Not below, and above by a few ulp at most. */
function justAbove(found: number, truth: number): void {
  expect(found).toBeGreaterThanOrEqual(truth);
  expect(found).toBeLessThanOrEqual(truth * (1 + 4e-15));
}

describe.each<readonly [string, DominatingPair, Partial<DominatingPair>]>([
  [
    "a Gaussian",
    gaussianPair(2),
    {
      ...{ tight: true, symmetric: true, discrete: false, maxLoss: inf, maxReverseLoss: inf },
      ...{ infiniteP: 0, infiniteQ: 0, anchors: [], gaussian: 2, gaussianAtMost: 2 },
    },
  ],
  [
    "a Gaussian at no distance",
    gaussianPair(0),
    { discrete: true, maxLoss: 0, maxReverseLoss: 0, gaussian: 0 },
  ],
  [
    "Laplace noise",
    laplacePair(2),
    {
      ...{ tight: true, symmetric: true, discrete: false, infiniteP: 0, infiniteQ: 0 },
      ...{ anchors: [-2, 2], gaussian: null },
    },
  ],
  [
    "Laplace noise at no distance",
    laplacePair(0),
    { discrete: true, maxLoss: 0, maxReverseLoss: 0, anchors: [] },
  ],
  [
    "two points",
    twoPointPair(1, 0.125),
    {
      ...{ tight: true, symmetric: true, discrete: true, infiniteP: 0.125, infiniteQ: 0.125 },
      ...{ anchors: [], gaussian: null },
    },
  ],
  ["two points of a black box", twoPointPair(1, 0.125, false), { tight: false, symmetric: true }],
  ["two points told in full", twoPointPair(1, 1), { maxLoss: 0, maxReverseLoss: 0, infiniteP: 1 }],
  [
    "a finite pair",
    finitePair([0.5, 0.25, 0.25, 0], [0.25, 0.5, 0, 0.25]),
    { symmetric: true, discrete: true, infiniteP: 0.25, infiniteQ: 0.25, tight: true },
  ],
  [
    "a finite pair of other masses",
    finitePair([0.5, 0.375, 0.125], [0.25, 0.5, 0.25]),
    { symmetric: false, infiniteP: 0, infiniteQ: 0 },
  ],
  [
    "a finite pair told in full on one side",
    finitePair([0.5, 0.5], [1, 0], false),
    { symmetric: false, infiniteP: 0.5, infiniteQ: 0, tight: false },
  ],
  [
    "a sample",
    sampledPair(laplacePair(1), 0.5),
    { tight: true, symmetric: false, discrete: false, infiniteP: 0, infiniteQ: 0, gaussian: null },
  ],
  ["a sample of a black box", sampledPair(twoPointPair(1, 0, false), 0.5), { tight: false, discrete: true }],
  ["a sample of nobody", sampledPair(gaussianPair(1), 0), { maxLoss: 0, infiniteP: 0, tight: true }],
  [
    "a profile",
    profilePair((epsilon) => Math.exp(-epsilon) / 2, "half", { points: 50 }),
    { tight: false, symmetric: true, discrete: true, gaussian: null },
  ],
  [
    "discrete Laplace noise",
    integerNoisePair({ law: "discrete-laplace", scale: 2 }, 1),
    { tight: true, symmetric: true, discrete: true, infiniteP: 0, infiniteQ: 0 },
  ],
  [
    "discrete Gaussian noise",
    integerNoisePair({ law: "discrete-gaussian", sigma: 2 }, 1),
    { tight: true, discrete: true, maxLoss: inf, maxReverseLoss: inf },
  ],
])("%s", (_name, pair, facts) => {
  it("says what it is", () => {
    expect(pair).toMatchObject(facts);
  });
});

describe("the largest loss", () => {
  it("of Laplace noise, two points and lists is exact or a few ulp above", () => {
    justAbove(laplacePair(1).maxLoss, 1);
    justAbove(laplacePair(1).maxReverseLoss, 1);
    const finite = finitePair([0.5, 0.375, 0.125], [0.25, 0.25, 0.5]);
    justAbove(finite.maxLoss, Math.LN2);
    justAbove(finite.maxReverseLoss, Math.log(4));
    justAbove(twoPointPair(2, 0.1).maxLoss, 2);
    justAbove(twoPointPair(2, 0.1).maxReverseLoss, 2);
    expect(finitePair([1], [1])).toMatchObject({ maxLoss: 0, maxReverseLoss: 0 });
    // Both losses on one side: what the other direction loses at most is negative.
    const gain = finitePair([0.25, 0.5, 0.25], [0.5, 0.5, 0]);
    expect(gain.maxLoss).toBe(0);
    justAbove(gain.maxReverseLoss, Math.LN2);
  });

  it("of a sample is ln(1 + s(e^L − 1)), and −ln(1 − s) at most the other way", () => {
    const bounded = sampledPair(laplacePair(2), 0.25);
    justAbove(bounded.maxLoss, Math.log1p(0.25 * Math.expm1(2)));
    justAbove(bounded.maxReverseLoss, -Math.log1p(0.25 * Math.expm1(-2)));
    expect(sampledPair(gaussianPair(1), 0.25).maxLoss).toBe(inf);
    justAbove(sampledPair(gaussianPair(1), 0.25).maxReverseLoss, -Math.log(0.75));
    // What Q alone has is seen as the sample's floor.
    const told = sampledPair(twoPointPair(1, 0.5), 0.25);
    justAbove(told.maxReverseLoss, -Math.log(0.75));
    justAbove(told.infiniteP, 0.125);
    expect(told.infiniteQ).toBe(0);
    // Nearly all are sampled: the floor hangs on what is kept.
    justAbove(sampledPair(twoPointPair(1, 0.5), 1 - 2 ** -30, 2 ** -30).maxReverseLoss, 30 * Math.LN2);
    // Losses beyond the doubles' exponentials.
    const far = sampledPair({ ...laplacePair(1), maxLoss: 800 }, 0.5).maxLoss;
    expect(far).toBeGreaterThanOrEqual(800 - Math.LN2);
    expect(far).toBeLessThan(800 - Math.LN2 + 1e-11);
  });

  it("of a mixture is the greatest of its parts, either way", () => {
    const [one, other] = [laplacePair(1), sampledPair(laplacePair(3), 0.5)];
    const mixed = mixedPair([
      { weight: 0.5, pair: one },
      { weight: 0.5, pair: other },
    ]);
    expect(mixed.maxLoss).toBe(other.maxLoss);
    expect(mixed.maxReverseLoss).toBe(one.maxReverseLoss);
    expect(mixed.maxReverseLoss).not.toBe(other.maxReverseLoss);
  });
});

describe("an emission", () => {
  it("of nothing lost is one atom at 0", () => {
    for (const pair of [gaussianPair(0), laplacePair(0), twoPointPair(0, 0)]) {
      expect(emitted(pair)).toEqual({ rows: [[0, 1, 1]], tails: noTails });
    }
  });

  it("of two points is randomized response, of δ = 1 nothing", () => {
    const { rows, tails } = emitted(twoPointPair(Math.log(3), 0.5));
    expect(rows.map(([loss]) => loss)).toEqual([-Math.log(3), Math.log(3)]);
    for (const [i, due] of [
      [0, [1 / 8, 3 / 8]],
      [1, [3 / 8, 1 / 8]],
    ] as const) {
      expect(rows[i]![1]).toBeCloseTo(due[0], 15);
      expect(rows[i]![2]).toBeCloseTo(due[1], 15);
    }
    expect(tails).toEqual(noTails);
    expect(emitted(twoPointPair(0, 0.25)).rows).toEqual([[0, 0.75, 0.75]]);
    expect(emitted(twoPointPair(3, 1)).rows).toEqual([]);
  });

  it("of a Gaussian far off is left out whole, and counted as such", () => {
    expect(emitted(gaussianPair(50.1))).toEqual({
      ...{ rows: [], tails: { pLow: 0, qLow: 1, pHigh: 1, qHigh: 0 } },
    });
    expect(emitted(gaussianPair(50)).rows.length).toBeGreaterThan(0);
  });

  it("of a Gaussian leaves out no more than it says, and what was asked", () => {
    for (const tail of [1e-3, 1e-12]) {
      const { rows, tails } = emitted(gaussianPair(1), tail);
      const p = rows.reduce((sum, [, mass]) => sum + mass, 0);
      expect(tails.pLow + tails.pHigh).toBeGreaterThanOrEqual(1 - p - 1e-13);
      expect(new Set(Object.values(tails)).size).toBe(1);
      expect(tails.pLow).toBeLessThan((tail / 2) * (1 + 1e-8));
      expect(tails.pLow).toBeGreaterThanOrEqual(tail / 2);
    }
  });

  it("of a list has its atoms in increasing loss, and the tails that it states", () => {
    const law = {
      ...{ id: "list", tight: true, infiniteP: 0, infiniteQ: 0, group: () => null },
      atoms: atomsOf([
        { loss: 1, p: 0.5, q: 0.2 },
        { loss: -1, p: 0.25, q: 0.7 },
      ]),
    };
    const pair = discretePair(law);
    expect(emitted(pair)).toEqual({
      rows: [
        [-1, 0.25, 0.7],
        [1, 0.5, 0.2],
      ],
      tails: noTails,
    });
    const tails = { pLow: 1e-9, qLow: 2e-9, pHigh: 3e-9, qHigh: 4e-9 };
    const open = discretePair({ ...law, tails });
    expect(emitted(open).tails).toEqual(tails);
    expect(open).toMatchObject({ maxLoss: inf, maxReverseLoss: inf });
  });

  it("of a mixture has the weighted atoms of its parts, and their tails from above", () => {
    const part = (loss: number, tail: number) =>
      discretePair({
        ...{ id: `${loss}`, tight: true, infiniteP: 0.5, infiniteQ: 0.25, group: () => null },
        atoms: atomsOf([{ loss, p: 0.5, q: 0.75 }]),
        tails: { pLow: tail, qLow: 2 * tail, pHigh: 3 * tail, qHigh: 4 * tail },
      });
    const mixed = mixedPair([
      { weight: 0.25, pair: part(1, 1e-6) },
      { weight: 0.75, pair: part(-1, 2e-6) },
    ]);
    const { rows, tails } = emitted(mixed);
    expect(rows).toEqual([
      [1, 0.125, 0.1875],
      [-1, 0.375, 0.5625],
    ]);
    const one = 0.25e-6 + 1.5e-6;
    for (const [name, times] of [
      ["pLow", 1],
      ["qLow", 2],
      ["pHigh", 3],
      ["qHigh", 4],
    ] as const) {
      expect(tails[name]).toBeGreaterThanOrEqual(times * one);
      expect(tails[name]).toBeLessThanOrEqual(times * one * (1 + 1e-13));
    }
    expect(mixed.infiniteP).toBeGreaterThanOrEqual(0.5);
    expect(mixed.infiniteP).toBeLessThan(0.5 + 1e-13);
    expect(mixed.infiniteQ).toBeCloseTo(0.25, 12);
    expect(mixed).toMatchObject({ tight: true, symmetric: false, discrete: true, gaussian: null });
  });

  it("of a mixture leaves out nothing where no part does", () => {
    const mixed = mixedPair([
      { weight: 0.5, pair: laplacePair(1) },
      { weight: 0.5, pair: laplacePair(2) },
    ]);
    expect(emitted(mixed).tails).toEqual(noTails);
    expect(mixed).toMatchObject({ infiniteP: 0, infiniteQ: 0, symmetric: true, discrete: false });
    // Grids are laid through the atoms of both, in their order.
    expect(mixed.anchors).toEqual([-2, -1, 1, 2]);
    const three = [3, 1, 2].map((epsilon, i) => ({
      weight: [0.5, 0.25, 0.25][i]!,
      pair: laplacePair(epsilon),
    }));
    expect(mixedPair(three).anchors).toEqual([-3, -2, -1, 1, 2, 3]);
  });

  it("of a sample leaves out nothing where the mechanism's does not", () => {
    expect(emitted(sampledPair(laplacePair(1), 0.5)).tails).toEqual(noTails);
    const { tails } = emitted(sampledPair(gaussianPair(1), 0.25), 1e-6);
    const whole = emitted(gaussianPair(1), 1e-6).tails;
    expect(tails.qLow).toBe(whole.qLow);
    expect(tails.qHigh).toBe(whole.qHigh);
    expect(tails.pLow).toBeGreaterThanOrEqual(0.25 * whole.pLow + 0.75 * whole.qLow);
    expect(tails.pHigh).toBeLessThan((0.25 * whole.pHigh + 0.75 * whole.qHigh) * (1 + 1e-14));
  });

  it("of a sample of nearly all keeps its digits next to the floor", () => {
    // L′ = ln(keep + rate·e^L): cut where L is −22, −21, …, of losses 5x − 12.5.
    const keep = 2 ** -30;
    const at = (k: number): number => Math.log(keep + (1 - keep) * Math.exp(k));
    const found = new Map<number, number>();
    const cells: LossCells = {
      edge: (k) => (k < -30 ? Number.NEGATIVE_INFINITY : k > 60 ? Number.POSITIVE_INFINITY : at(k)),
      cell: (loss) => {
        let k = -31;
        while (k < 60 && at(k + 1) <= loss) k++;
        return k;
      },
      atom: (loss) => loss,
    };
    sampledPair(gaussianPair(5), 1 - keep, keep).emit(cells, 1e-30, (cell, _p, q) => {
      found.set(cell, (found.get(cell) ?? 0) + q);
    });
    for (const k of [-22, -21, -20, -15, -1, 3]) {
      const due = ndtr((k + 1 + 12.5) / 5) - ndtr((k + 12.5) / 5);
      expect(found.get(k)! / due, `${k}`).toBeCloseTo(1, 10);
    }
  });

  it("of a sample puts what Q alone has at the sample's floor", () => {
    const { rows } = emitted(sampledPair(twoPointPair(0, 0.5), 0.25));
    const floor = rows.find(([loss]) => loss < -0.1)!;
    expect(floor[0]).toBeCloseTo(Math.log(0.75), 14);
    expect(floor[1]).toBeCloseTo(0.375, 14);
    expect(floor[2]).toBe(0.5);
    const still = rows.find(([loss]) => Math.abs(loss) < 1e-15)!;
    expect(still[1]).toBeCloseTo(0.5, 14);
    expect(rows).toHaveLength(2);
  });
});

describe("a list of atoms", () => {
  it("is its own mirror where every loss and every mass is", () => {
    const of = (rows: readonly Row[], infiniteQ = 0): boolean =>
      discretePair({
        ...{ id: "list", tight: true, infiniteP: 0, infiniteQ, group: () => null },
        atoms: atomsOf(rows.map(([loss, p, q]) => ({ loss, p, q }))),
      }).symmetric;
    const low: Row = [-1, 0.25, 0.75];
    expect(of([low, [1, 0.75, 0.25]])).toBe(true);
    expect(of([low, [0, 0.5, 0.5], [1, 0.75, 0.25]])).toBe(true);
    expect(of([low, [2, 0.75, 0.25]])).toBe(false);
    expect(of([low, [1, 0.5, 0.25]])).toBe(false);
    expect(of([low, [1, 0.75, 0.5]])).toBe(false);
    expect(of([low, [1, 0.75, 0.25]], 0.1)).toBe(false);
    expect(of([low])).toBe(false);
    expect(of([])).toBe(true);
  });
});

describe("a mixture of pairs", () => {
  const [tight, loose] = [twoPointPair(1, 0), twoPointPair(1, 0, false)];
  it("of one part that has any weight is that part", () => {
    expect(
      mixedPair([
        { weight: 1, pair: tight },
        { weight: 0, pair: loose },
      ]),
    ).toBe(tight);
  });
  it("is reached where all its parts are, and symmetric or a list where all are", () => {
    const both = (pair: DominatingPair): DominatingPair =>
      mixedPair([
        { weight: 0.5, pair: tight },
        { weight: 0.5, pair },
      ]);
    expect(both(twoPointPair(2, 0))).toMatchObject({ tight: true, symmetric: true, discrete: true });
    expect(both(loose).tight).toBe(false);
    expect(both(sampledPair(tight, 0.5)).symmetric).toBe(false);
    expect(both(laplacePair(1)).discrete).toBe(false);
  });
});

describe("names", () => {
  it("tell all that makes a pair", () => {
    const profile = (epsilon: number): number => Math.exp(-epsilon) / 2;
    const pairs = [
      ...[gaussianPair(1), gaussianPair(2), laplacePair(1), laplacePair(2)],
      ...[twoPointPair(1, 0), twoPointPair(2, 0), twoPointPair(1, 0.1), twoPointPair(1, 0, false)],
      ...[finitePair([0.5, 0.5], [0.25, 0.75]), finitePair([0.25, 0.75], [0.5, 0.5])],
      ...[finitePair([0.5, 0.5], [0.25, 0.75], false), sampledPair(laplacePair(1), 0.5)],
      ...[sampledPair(laplacePair(1), 0.25), sampledPair(laplacePair(2), 0.5)],
      sampledPair(laplacePair(1), 0.5, 0.5 + 2 ** -53),
      ...[profilePair(profile, "a", { points: 10 }), profilePair(profile, "b", { points: 10 })],
      profilePair(profile, "a", { points: 11 }),
      ...[
        [0.5, 1],
        [0.25, 1],
        [0.5, 2],
      ].map(([weight, epsilon]) =>
        mixedPair([
          { weight: weight!, pair: laplacePair(epsilon!) },
          { weight: 1 - weight!, pair: gaussianPair(1) },
        ]),
      ),
      integerNoisePair({ law: "discrete-laplace", scale: 2 }, 1),
      integerNoisePair({ law: "discrete-laplace", scale: 2 }, 2),
      integerNoisePair({ law: "discrete-laplace", scale: 3 }, 1),
      integerNoisePair({ law: "discrete-gaussian", sigma: 2 }, 1),
      integerNoisePair({ law: "rounded-gaussian", sigma: 2 }, 1),
    ];
    expect(new Set(pairs.map(({ id }) => id)).size).toBe(pairs.length);
  });
});

describe("groups", () => {
  it("of Gaussians are Gaussians as far as a pair holds them", () => {
    expect(gaussianPair(2).group(500)!.gaussian).toBe(1000);
    expect(gaussianPair(2).group(501)).toBeNull();
    expect(gaussianPair(0).group(9)!.gaussian).toBe(0);
  });

  it("of Laplace noise are Laplace noise as far as a pair holds it, to the end itself", () => {
    justAbove(laplacePair(0.25).group(4)!.maxLoss, 1);
    expect(laplacePair(0.25).group(4)!.anchors).toHaveLength(2);
    expect(laplacePair(0).group(7)!.maxLoss).toBe(0);
    expect(laplacePair(2).group(299)!.maxLoss).toBeGreaterThanOrEqual(598);
    expect(laplacePair(2).group(301)).toBeNull();
    // Rounded up, the end is beyond what a pair holds: none is known, and nothing is refused.
    expect(laplacePair(2).group(300)).toBeNull();
    expect(laplacePair(600).group(1)).toBeNull();
  });

  it("of two points are (kε, δ·(e^{kε} − 1)/(e^ε − 1)), and never tight", () => {
    const [ln2, delta] = [Math.LN2, 1e-3];
    const three = twoPointPair(ln2, delta).group(3)!;
    justAbove(three.maxLoss, 3 * ln2);
    expect(three.infiniteP).toBeGreaterThanOrEqual(7 * delta);
    expect(three.infiniteP).toBeLessThan(7 * delta * (1 + 1e-13));
    expect(three.tight).toBe(false);
    // One unit alone loses what it loses; without a loss δ adds up.
    expect(twoPointPair(ln2, delta).group(1)).toMatchObject({ tight: false, infiniteP: delta });
    justAbove(twoPointPair(ln2, delta).group(1)!.maxLoss, ln2);
    const four = twoPointPair(0, delta).group(4)!;
    expect(four.maxLoss).toBe(0);
    expect(four.infiniteP).toBeGreaterThanOrEqual(4 * delta);
    expect(four.infiniteP).toBeLessThan(4 * delta * (1 + 1e-13));
    // A pure loss stays pure, to the end of what a pair holds.
    expect(twoPointPair(2, 0).group(299)).toMatchObject({ infiniteP: 0, infiniteQ: 0 });
    expect(twoPointPair(2, 0).group(301)).toBeNull();
    expect(twoPointPair(2, 0.1).group(301)).toBeNull();
    expect(twoPointPair(2, 0.1).group(100)!.infiniteP).toBe(1);
  });

  it("of bounded losses are pure, and of no others", () => {
    const bounded = finitePair([0.75, 0.25], [0.25, 0.75]);
    justAbove(bounded.group(3)!.maxLoss, 3 * Math.log(3));
    expect(bounded.group(3)).toMatchObject({ tight: false, infiniteP: 0, infiniteQ: 0 });
    justAbove(finitePair([0.5, 0.5], [0.25, 0.75]).group(2)!.maxLoss, 2 * Math.LN2);
    // The greater of both directions.
    justAbove(finitePair([0.25, 0.75], [0.5, 0.5]).group(2)!.maxLoss, 2 * Math.LN2);
    expect(groupOfBounded({ ...bounded, maxLoss: 6, maxReverseLoss: 6 }, 99)).not.toBeNull();
    expect(groupOfBounded({ ...bounded, maxLoss: 6, maxReverseLoss: 6 }, 101)).toBeNull();
    expect(groupOfBounded({ ...bounded, infiniteP: 1e-9 }, 2)).toBeNull();
    expect(groupOfBounded({ ...bounded, infiniteQ: 1e-9 }, 2)).toBeNull();
    expect(groupOfBounded(gaussianPair(1), 2)).toBeNull();
    expect(groupOfBounded({ ...bounded, maxLoss: -1, maxReverseLoss: -2 }, 2)!.maxLoss).toBe(0);
  });

  it("of a sample are pure where its losses are bounded", () => {
    const pure = sampledPair(laplacePair(2), 0.25);
    justAbove(pure.group(3)!.maxLoss, 3 * Math.log1p(0.25 * Math.expm1(2)));
    expect(pure.group(3)!.tight).toBe(false);
    expect(pure.group(1000)).toBeNull();
    expect(sampledPair(gaussianPair(1), 0.25).group(1)).toBeNull();
    expect(sampledPair(twoPointPair(1, 0.1), 0.25).group(2)).toBeNull();
  });

  it("of a mixture are mixtures of groups, where every part has one", () => {
    const mixed = mixedPair([
      { weight: 0.5, pair: laplacePair(1) },
      { weight: 0.5, pair: gaussianPair(1) },
    ]);
    expect(mixed.group(2)!.id).toBe(
      mixedPair([
        { weight: 0.5, pair: laplacePair(1).group(2)! },
        { weight: 0.5, pair: gaussianPair(2) },
      ]).id,
    );
    expect(mixed.group(1001)).toBeNull();
    expect(mixed.group(700)).toBeNull();
  });

  it("of integer noise are shifts by as much more", () => {
    const noise = { law: "discrete-laplace", scale: 4 } as const;
    expect(integerNoisePair(noise, 2).group(3)!.id).toBe(integerNoisePair(noise, 6).id);
    expect(integerNoisePair(noise, 1).group(2 ** 20 + 1)).toBeNull();
  });

  it("of a profile are not known", () => {
    expect(profilePair(() => 0.1, "flat", { points: 10 }).group(1)).toBeNull();
  });
});

describe("integer noise", () => {
  it("is bounded by a Gaussian where it is one rounded, and by none where it is drawn on integers", () => {
    justAbove(integerNoisePair({ law: "rounded-gaussian", sigma: 3 }, 2).gaussianAtMost!, 2 / 3);
    expect(integerNoisePair({ law: "discrete-gaussian", sigma: 3 }, 2).gaussianAtMost).toBeUndefined();
    expect(integerNoisePair({ law: "discrete-laplace", scale: 3 }, 2).gaussianAtMost).toBeUndefined();
  });

  it("of Laplace has the losses (2z − shift)/scale, and the mass of all z beyond at both ends", () => {
    const { rows, tails } = emitted(integerNoisePair({ law: "discrete-laplace", scale: 2 }, 3));
    expect(tails).toEqual(noTails);
    expect(rows.map(([loss]) => loss)).toEqual([-1.5, -0.5, 0.5, 1.5]);
    const mass = (z: number): number => Math.tanh(0.25) * Math.exp(-Math.abs(z) / 2);
    const beyond = (from: number): number =>
      Array.from({ length: 200 }, (_, i) => mass(from + i)).reduce((a, b) => a + b, 0);
    // Shifted by 3: P has its mode at 3. All z ≤ 0 are one atom, and all z ≥ 3.
    const due = [beyond(3), mass(2), mass(1), beyond(0)];
    for (const [i, p] of due.entries()) {
      expect(rows[i]![1]).toBeCloseTo(p, 14);
      expect(rows[i]![2]).toBeCloseTo(due[3 - i]!, 14);
    }
  });

  it("of unbounded losses says what it leaves out at each end, which is next to nothing", () => {
    const { tails } = emitted(integerNoisePair({ law: "discrete-gaussian", sigma: 2 }, 1));
    expect(new Set(Object.values(tails)).size).toBe(1);
    // P[Z ≥ 72], which e^{−(72/2)²/2} bounds and a tenth of it does not.
    expect(tails.pLow).toBeGreaterThanOrEqual(Math.exp(-648) * 0.2);
    expect(tails.pLow).toBeLessThan(1e-260);
  });
});

describe("moves of a Gaussian", () => {
  it("of units taken by chance are binomial", () => {
    expect(binomialMoves(3, 0.5, 0.5, 2)).toEqual(
      [1, 3, 3, 1].map((ways, taken) => ({ weight: ways / 8, move: 2 * taken })),
    );
    const keep = 2 ** -40;
    expect(binomialMoves(2, 1, keep, 1)[0]!.weight).toBe(keep ** 2);
    expect(binomialMoves(0, 0.3, 0.7, 5)).toEqual([{ weight: 1, move: 0 }]);
    // What cannot happen is no move.
    expect(binomialMoves(3, 1, 0, 2)).toEqual([{ weight: 1, move: 6 }]);
    expect(binomialMoves(3, 0, 1, 2)).toEqual([{ weight: 1, move: 0 }]);
    for (const units of [-1, 1.5, Number.NaN])
      expect(() => binomialMoves(units, 0.5, 0.5, 1)).toThrow(invalid("units"));
  });

  it("of several units add up, each unit's own by chance, as long as they are few", () => {
    const coin = [
      { weight: 0.5, move: 0 },
      { weight: 0.5, move: 1 },
    ];
    expect(movesOfUnits(coin, 3, 4)).toEqual([1, 3, 3, 1].map((ways, move) => ({ weight: ways / 8, move })));
    expect(movesOfUnits(coin, 3, 3)).toBeNull();
    expect(movesOfUnits(coin, 0, 1)).toEqual([{ weight: 1, move: 0 }]);
  });

  it("of a sample are known for Gaussians, of at most 64 units", () => {
    const of = (added: number, removed: number, pair = gaussianPair(1)): DominatingPair | null =>
      sampledApart(pair, { rate: 0.5, added, removed });
    expect(of(64, 0)).not.toBeNull();
    expect(of(40, 25)).toBeNull();
    expect(of(1, 1, laplacePair(1))).toBeNull();
    expect(of(1, 1)).toMatchObject({ tight: true, symmetric: true });
    expect(of(1, 1, integerNoisePair({ law: "rounded-gaussian", sigma: 1 }, 1))!.tight).toBe(false);
    expect(of(1, 1, { ...gaussianPair(1), tight: false })!.tight).toBe(false);
    // A group of replaced units is replaced as a whole; of units that come no group is known so.
    expect(of(1, 1)!.group(2)!.id).toBe(of(2, 2)!.id);
    expect(of(1, 0)!.group(2)).toBeNull();
    for (const rate of [-0.1, 1.1, Number.NaN]) {
      expect(() => sampledApart(gaussianPair(1), { rate, added: 1, removed: 1 })).toThrow(invalid("rate"));
    }
    expect(of(1, 0)!.id).toBe(sampledPair(gaussianPair(1), 0.5).apart!(1, 0)!.id);
    expect(of(2, 1)!.id).toBe(sampledPair(gaussianPair(1), 0.5).apart!(2, 1)!.id);
  });
});

describe("a profile's pair", () => {
  it("has at most so many points, 4000 unless stated", () => {
    const profile = (epsilon: number): number => Math.exp(-epsilon * epsilon) / 2;
    const [few, many] = [profilePair(profile, "p", { points: 20 }), profilePair(profile, "p")];
    expect(emitted(few).rows.length).toBeLessThanOrEqual(2 * 21);
    expect(emitted(many).rows.length).toBeGreaterThan(1000);
    expect(emitted(many).rows.length).toBeLessThanOrEqual(2 * 4002);
  });

  it("counts masses that it cannot tell from 0 as told in full, from above", () => {
    const pair = profilePair((epsilon) => 1e-293 * Math.exp(-epsilon), "next to nothing", { points: 50 });
    expect(pair.infiniteP).toBeGreaterThanOrEqual(1e-293 * Math.exp(-300));
    expect(pair.infiniteP).toBeLessThan(1e-285);
    expect(pair.infiniteQ).toBe(pair.infiniteP);
    const { rows } = emitted(pair);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toEqual([0, expect.closeTo(1, 12), expect.closeTo(1, 12)]);
  });

  it("of a δ that no ε takes away tells it in full", () => {
    const pair = profilePair((epsilon) => 0.25 + Math.max(0, 0.25 * (1 - epsilon)), "floor", { points: 200 });
    expect(pair.infiniteP).toBeGreaterThanOrEqual(0.25);
    expect(pair.infiniteP).toBeLessThan(0.25 + 1e-9);
    expect(pair.maxLoss).toBeLessThan(1.1);
  });
});

describe("the quadrature rules", () => {
  it.each([1e-6, 2.9e-4, 3.1e-4, 0.029, 0.031, 0.19, 0.21, 0.7, 1.4])(
    "integrate e^(growth·x) on [0, 1] to 1e-12 of it a unit of width: growth %d",
    (growth) => {
      const rule = quadratureRule(growth);
      let sum = 0;
      for (let i = 0; i < rule.length; i += 2) sum += rule[i]! * Math.exp(growth * rule[i + 1]!);
      const truth = Math.expm1(growth) / growth;
      expect(Math.abs(sum / truth - 1)).toBeLessThan(1e-12 * Math.max(growth, 1e-3));
    },
  );
});
