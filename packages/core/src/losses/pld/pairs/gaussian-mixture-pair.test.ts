import { describe, expect, it } from "vitest";
import { ndtr } from "../../../numeric/special/ndtr.ts";
import { pldCurve } from "../curves/index.ts";
import type { DominatingPair, LossCells } from "./dominating-pair.ts";
import { gaussianMixturePair } from "./gaussian-mixture-pair.ts";
import { binomialMoves, movesOfUnits } from "./gaussian-moves.ts";
import { gaussianPair } from "./gaussian-pair.ts";
import { sampledApart } from "./sampled-gaussian-pair.ts";
import { sampledPair } from "./sampled-pair.ts";
import { twoPointPair } from "./two-point-pair.ts";

function apart(added: number, removed: number, rate: number, sigma: number): DominatingPair {
  return sampledApart(gaussianPair(1 / sigma), { rate, added, removed })!;
}

/** δ of the forward direction alone: the pair with its mirror told nothing of. */
const forwardDelta = (pair: DominatingPair, epsilon: number, accuracy = 1e-5) => {
  const { lower, upper } = pldCurve([{ pair: { ...pair, symmetric: true }, count: 1n }], accuracy).delta(
    epsilon,
  );
  return { lower, upper };
};

/** [added, removed, rate, σ, ε, δ] of one step, by mpmath in 40 digits: Σ w·Φ(m − t) − e^ε·Σ z·Φ(−n − t) where ln(P/Q) = ε. */
const oneStep = [
  [2, 0, 0.01, 1.1, 0, 0.007000087092705884],
  [2, 0, 0.01, 1.1, 0.1, 0.0003543974489151622],
  [2, 0, 0.01, 1.1, 0.5, 1.8715909022107596e-6],
  [2, 0, 0.01, 1.1, 2, 1.2934538423705786e-10],
  [0, 2, 0.01, 1.1, 0, 0.007000087092705884],
  [0, 2, 0.01, 1.1, 0.1, 0],
  [1, 1, 0.01, 1.1, 0, 0.0063669785911310214],
  [1, 1, 0.01, 1.1, 0.1, 4.189011056150488e-5],
  [1, 1, 0.01, 1.1, 0.5, 3.1169253492781306e-8],
  [1, 1, 0.01, 1.1, 2, 1.8222410225997487e-14],
  [3, 2, 0.2, 2, 0, 0.18528897772150996],
  [3, 2, 0.2, 2, 0.1, 0.14848221012510057],
  [3, 2, 0.2, 2, 0.5, 0.05135212570657679],
  [3, 2, 0.2, 2, 2, 0.00024432180709026884],
  [1, 1, 0.3, 1, 0, 0.20480684764112578],
  [1, 1, 0.3, 1, 0.5, 0.06761798516314883],
  [1, 1, 0.3, 1, 2, 0.0010693708460449336],
] as const;

describe("the pair of two mixtures", () => {
  it.each(oneStep)("(%d, %d) at rate %d, σ %d: δ(%d) = %d", (added, removed, rate, sigma, epsilon, delta) => {
    const { lower, upper } = forwardDelta(apart(added, removed, rate, sigma), epsilon);
    expect(lower).toBeLessThanOrEqual(delta * (1 + 1e-13));
    expect(upper).toBeGreaterThanOrEqual(delta * (1 - 1e-13));
    expect(upper - lower).toBeLessThan(1e-3 * delta + 2e-9);
  });

  /** Two steps, the quadrature over the first by mpmath. */
  it.each([
    [2, 0, 0.01, 1.1, 0.1, 0.000769681312906],
    [1, 1, 0.01, 1.1, 0.1, 0.0001017517160085],
    [3, 2, 0.2, 2, 0.1, 0.2274548358195],
  ] as const)(
    "(%d, %d) at rate %d, σ %d, twice: δ(%d) = %d",
    (added, removed, rate, sigma, epsilon, delta) => {
      const pair = { ...apart(added, removed, rate, sigma), symmetric: true };
      const { lower, upper } = pldCurve([{ pair, count: 2n }], 1e-5).delta(epsilon);
      expect(lower).toBeLessThanOrEqual(delta * (1 + 1e-11));
      expect(upper).toBeGreaterThanOrEqual(delta * (1 - 1e-11));
      expect(upper - lower).toBeLessThan(1e-3 * delta + 2e-9);
    },
  );

  it("puts into every cell what both laws have there, and leaves out what it tells", () => {
    const forward = binomialMoves(3, 0.2, 0.8, 0.7);
    const backward = binomialMoves(2, 0.2, 0.8, 0.7);
    const pair = gaussianMixturePair(forward, backward);
    const lossAt = (x: number): number =>
      Math.log(forward.reduce((sum, { weight, move }) => sum + weight * Math.exp(move * (x - move / 2)), 0)) -
      Math.log(
        backward.reduce((sum, { weight, move }) => sum + weight * Math.exp(-move * (x + move / 2)), 0),
      );
    const where = (loss: number): number => {
      let [low, high] = [-40, 40];
      for (let i = 0; i < 200; i++) {
        const middle = (low + high) / 2;
        if (lossAt(middle) < loss) low = middle;
        else high = middle;
      }
      return low;
    };
    // From the nearer tail, where a difference keeps its digits.
    const between = (from: number, to: number): number =>
      from > 0 ? ndtr(-from) - ndtr(-to) : ndtr(to) - ndtr(from);
    const pitch = 0.25;
    const cells: LossCells = {
      edge: (k) => k * pitch,
      cell: (loss) => Math.floor(loss / pitch),
      atom: (loss) => Math.floor(loss / pitch),
    };
    const found = new Map<number, { p: number; q: number }>();
    const tails = pair.emit(cells, 1e-12, (cell, p, q) => {
      const before = found.get(cell) ?? { p: 0, q: 0 };
      found.set(cell, { p: before.p + p, q: before.q + q });
    });
    expect(found.size).toBeGreaterThan(20);
    for (const [cell, { p, q }] of found) {
      const [from, to] = [where(cell * pitch), where((cell + 1) * pitch)];
      // The ends of an emission are cut off in the tails.
      if (from < -6 || to > 6) continue;
      const massOf = (moves: typeof forward, sign: number): number =>
        moves.reduce(
          (sum, { weight, move }) => sum + weight * between(from - sign * move, to - sign * move),
          0,
        );
      expect(p / massOf(forward, 1)).toBeCloseTo(1, 9);
      expect(q / massOf(backward, -1)).toBeCloseTo(1, 9);
    }
    const [p, q] = [...found.values()].reduce(([a, b], each) => [a + each.p, b + each.q], [0, 0]);
    expect(p! + tails.pLow + tails.pHigh).toBeGreaterThanOrEqual(1 - 1e-12);
    expect(q! + tails.qLow + tails.qHigh).toBeGreaterThanOrEqual(1 - 1e-12);
    for (const tail of Object.values(tails)) expect(tail).toBeLessThanOrEqual(1e-12 * (1 + 1e-6));
  });

  it("is the sampled pair where one unit comes, and one Gaussian where nothing is sampled", () => {
    const one = sampledPair(gaussianPair(0.8), 0.05);
    const same = one.apart!(1, 0)!;
    for (const delta of [1e-3, 1e-7]) {
      const [a, b] = [one, same].map((pair) => pldCurve([{ pair, count: 50n }], 1e-6).epsilon(delta));
      expect(Math.abs(a!.upper - b!.upper)).toBeLessThan(2e-6);
      expect(Math.abs(a!.lower - b!.lower)).toBeLessThan(2e-6);
    }
    expect(gaussianMixturePair([{ weight: 1, move: 0.5 }], [{ weight: 1, move: 0.75 }]).gaussian).toBe(1.25);
    expect(sampledApart(gaussianPair(0.5), { rate: 1, keep: 0, added: 2, removed: 1 })!.gaussian).toBe(1.5);
    expect(gaussianMixturePair([{ weight: 1, move: 0 }], [{ weight: 1, move: 0 }]).maxLoss).toBe(0);
  });

  it("knows where losses end", () => {
    const came = apart(3, 0, 0.1, 1);
    expect(came.maxLoss).toBe(Number.POSITIVE_INFINITY);
    expect(came.maxReverseLoss).toBeGreaterThanOrEqual(-3 * Math.log(0.9));
    expect(came.maxReverseLoss).toBeLessThan(-3 * Math.log(0.9) + 1e-14);
    const went = apart(0, 3, 0.1, 1);
    expect([went.maxLoss, went.maxReverseLoss]).toEqual([came.maxReverseLoss, came.maxLoss]);
    const both = apart(1, 1, 0.1, 1);
    expect([both.maxLoss, both.maxReverseLoss]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect([came.symmetric, went.symmetric, both.symmetric]).toEqual([false, false, true]);
    // A move that is certain leaves no place to stay.
    const moved = gaussianMixturePair(
      [
        { weight: 0.5, move: 1 },
        { weight: 0.5, move: 2 },
      ],
      [{ weight: 1, move: 0 }],
    );
    expect(moved.maxReverseLoss).toBe(Number.POSITIVE_INFINITY);
  });

  it("counts a move beyond 50 deviations, and what is all but impossible, as told in full", () => {
    const pair = gaussianMixturePair(
      [
        { weight: 0.5, move: 0 },
        { weight: 0.375, move: 1 },
        { weight: 0.125, move: 60 },
      ],
      [{ weight: 1, move: 0 }],
    );
    expect(pair.tight).toBe(false);
    const { lower, upper } = pldCurve([{ pair, count: 1n }]).delta(3);
    expect(lower).toBe(0);
    expect(upper).toBeGreaterThanOrEqual(0.125);
    expect(upper).toBeLessThan(0.126);
    const rare = binomialMoves(2, 1e-200, 1, 1);
    expect(gaussianMixturePair(rare, [{ weight: 1, move: 0 }]).maxLoss).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([20, 30, 36, 38, 40, 45, 49.9])(
    "loses nothing of one law where the other is no double: moves of %d",
    (move) => {
      const half = gaussianMixturePair(
        [
          { weight: 0.5, move: 0 },
          { weight: 0.5, move },
        ],
        [{ weight: 1, move: 0 }],
      );
      for (const epsilon of [1, 50, 100]) {
        const x = Math.log(2 * Math.exp(epsilon) - 1) / move + move / 2;
        const truth = 0.5 * ndtr(move - x) + (0.5 - Math.exp(epsilon)) * ndtr(-x);
        expect(Math.abs(forwardDelta(half, epsilon).upper - truth)).toBeLessThan(1e-9);
      }
      expect(pldCurve([{ pair: half, count: 2n }], 1e-4).delta(1).upper).toBeGreaterThan(0.75 - 1e-6);
      // A unit replaced in a sample, either side as far: its own law is told in full.
      const replaced = apart(1, 1, 0.1, 2 / move);
      const truth = 0.1 * ndtr(move / 2 - 12) - 0.1 * Math.exp(30) * ndtr(-move / 2 - 12);
      expect(pldCurve([{ pair: replaced, count: 1n }]).delta(30).upper).toBeGreaterThan(truth * (1 - 1e-9));
      // And as a law against which another is told: all the mass of a mixture far from it.
      const far = gaussianMixturePair(
        [{ weight: 1, move: move / 2 }],
        [
          { weight: 1e-270, move: 0 },
          { weight: 1, move: move / 2 },
        ],
      );
      expect(forwardDelta(far, 1).upper).toBeGreaterThan(2 * ndtr(move / 2 - 0.1) - 1 - 1e-9);
    },
  );

  it("refuses what is no law, and knows of no other mechanism", () => {
    const still = [{ weight: 1, move: 0 }];
    expect(() => gaussianMixturePair([{ weight: 1, move: -1 }], still)).toThrow(/move must be/);
    expect(() => gaussianMixturePair([{ weight: 1, move: Number.NaN }], still)).toThrow(/move must be/);
    expect(() => gaussianMixturePair([{ weight: Number.NaN, move: 1 }], still)).toThrow(/weight must be/);
    expect(() => gaussianMixturePair([{ weight: 0.5, move: 1 }], still)).toThrow(/weights must be/);
    expect(() => binomialMoves(-1, 0.5, 0.5, 1)).toThrow(/units must be/);
    expect(() => sampledApart(gaussianPair(1), { rate: 2, added: 1, removed: 1 })).toThrow(/rate must be/);
    expect(sampledApart(twoPointPair(1, 0), { rate: 0.1, added: 1, removed: 1 })).toBeNull();
    expect(sampledApart(gaussianPair(1), { rate: 0.1, added: 64, removed: 1 })).toBeNull();
    expect(apart(2, 1, 0.1, 1).group(2)).toBeNull();
    expect(apart(1, 1, 0.1, 1).group(3)!.id).toBe(apart(3, 3, 0.1, 1).id);
  });

  it("adds up the moves of units that draw for themselves", () => {
    const one = [
      { weight: 0.5, move: 0 },
      { weight: 0.25, move: 1 },
      { weight: 0.25, move: 3 },
    ];
    expect(movesOfUnits(one, 0, 10)).toEqual([{ weight: 1, move: 0 }]);
    const two = movesOfUnits(one, 2, 10)!;
    expect(two.find(({ move }) => move === 4)!.weight).toBe(0.125);
    expect(two.reduce((sum, { weight }) => sum + weight, 0)).toBe(1);
    expect(movesOfUnits(one, 9, 10)).toBeNull();
  });
});

/* ---- The theorem, against all that vectors can do ------------------------------------------------------------- */

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

type Vector = readonly [number, number];

/** Every set of own units that may be sampled: its chance, and where it moves the sum to. */
function sumsOf(units: readonly Vector[], rate: number): { weight: number; at: Vector }[] {
  return Array.from({ length: 1 << units.length }, (_, set) => {
    let [weight, x, y] = [1, 0, 0];
    for (const [i, unit] of units.entries()) {
      const taken = ((set >> i) & 1) === 1;
      weight *= taken ? rate : 1 - rate;
      if (taken) [x, y] = [x + unit[0], y + unit[1]];
    }
    return { weight, at: [x, y] };
  });
}

/** max(0, P − γ·Q) over a grid of the plane: a sum that is exact to far below 1e-9 for integrands as smooth, but for the kink. */
function hockeyStick(
  p: ReturnType<typeof sumsOf>,
  q: ReturnType<typeof sumsOf>,
  gamma: number,
  mu: number,
): number {
  const step = 0.1;
  let total = 0;
  const density = (terms: ReturnType<typeof sumsOf>, x: number, y: number): number =>
    terms.reduce(
      (sum, { weight, at }) =>
        sum + weight * Math.exp(-0.5 * ((x - mu * at[0]) ** 2 + (y - mu * at[1]) ** 2)),
      0,
    );
  for (let x = -8; x <= 8; x += step) {
    for (let y = -8; y <= 8; y += step) total += Math.max(0, density(p, x, y) - gamma * density(q, x, y));
  }
  return (total * step * step) / (2 * Math.PI);
}

describe("vectors in the plane", () => {
  const random = seeded(20261122);
  const inDisc = (): Vector => {
    const [angle, norm] = [2 * Math.PI * random(), random() < 0.5 ? 1 : Math.sqrt(random())];
    return [norm * Math.cos(angle), norm * Math.sin(angle)];
  };
  const settings = Array.from({ length: 14 }, (_, i) => ({
    added: Array.from({ length: 1 + (i % 3) }, inDisc),
    removed: Array.from({ length: i % 4 === 3 ? 0 : 1 + (i % 2) }, inDisc),
    rate: 0.02 + 0.9 * random(),
    mu: 0.3 + 1.2 * random(),
    epsilon: -0.5 + 1.5 * random(),
  }));
  it.each(settings)(
    "never tell more than the line: $added against $removed",
    ({ added, removed, rate, mu, epsilon }) => {
      const pair = sampledApart(gaussianPair(mu), { rate, added: added.length, removed: removed.length })!;
      const found = hockeyStick(sumsOf(added, rate), sumsOf(removed, rate), Math.exp(epsilon), mu);
      // Below ε = 0 by symmetry: H_γ(P‖Q) = 1 − γ + γ·H_{1/γ}(Q‖P).
      const mirror = sampledApart(gaussianPair(mu), { rate, added: removed.length, removed: added.length })!;
      const bound =
        epsilon >= 0
          ? forwardDelta(pair, epsilon, 1e-4).upper
          : -Math.expm1(epsilon) + Math.exp(epsilon) * forwardDelta(mirror, -epsilon, 1e-4).upper;
      expect(found).toBeLessThanOrEqual(bound * (1 + 1e-4) + 2e-5);
    },
  );

  it("reach it on one line, one side opposite to the other; not where both move the same way", () => {
    for (const [rate, mu, gamma] of [
      [0.3, 1, 1.2],
      [0.7, 0.6, 1],
    ] as const) {
      const right: Vector = [Math.SQRT1_2, Math.SQRT1_2];
      const left: Vector = [-Math.SQRT1_2, -Math.SQRT1_2];
      const bound = forwardDelta(
        sampledApart(gaussianPair(mu), { rate, added: 2, removed: 1 })!,
        Math.log(gamma),
      ).upper;
      const opposite = hockeyStick(sumsOf([right, right], rate), sumsOf([left], rate), gamma, mu);
      expect(Math.abs(opposite - bound)).toBeLessThan(5e-4 * bound);
      expect(hockeyStick(sumsOf([right, right], rate), sumsOf([right], rate), gamma, mu)).toBeLessThan(
        0.8 * bound,
      );
    }
  });
});
