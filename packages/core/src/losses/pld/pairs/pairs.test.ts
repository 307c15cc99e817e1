import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalTailBracket } from "../../../numeric/bracket.ts";
import { fromDouble, parseRational, subtract, toDouble } from "../../../numeric/rational.ts";
import {
  type DominatingPair,
  exactFinitePair,
  finitePair,
  gaussianMixturePair,
  gaussianPair,
  integerNoisePair,
  type LossCells,
  laplacePair,
  mixedPair,
  profilePair,
  sampledApart,
  sampledPair,
  twoPointPair,
} from "./index.ts";

interface Row {
  readonly cell: number;
  readonly p: number;
  readonly q: number;
}

/** Cells of width h from multiples of it. */
function cellsOf(h: number): LossCells {
  const cell = (loss: number): number => Math.floor(loss / h);
  return { edge: (k) => k * h, cell, atom: cell };
}

function emitted(pair: DominatingPair, h: number, tail = 1e-250): { rows: Row[]; p: number; q: number } {
  const rows: Row[] = [];
  pair.emit(cellsOf(h), tail, (cell, p, q) => rows.push({ cell, p, q }));
  return {
    rows,
    p: rows.reduce((sum, row) => sum + row.p, 0),
    q: rows.reduce((sum, row) => sum + row.q, 0),
  };
}

/** δ(ε) of one step, straight from the atoms: exact for a discrete pair. */
function stepDelta(pair: DominatingPair, epsilon: number): number {
  let delta = pair.infiniteP;
  pair.emit(cellsOf(1e-3), 1e-250, (_cell, p, q) => {
    delta += Math.max(0, p - Math.exp(epsilon) * q);
  });
  return delta;
}

const pairs: [string, DominatingPair][] = [
  ["gaussian 0.3", gaussianPair(0.3)],
  ["gaussian 3", gaussianPair(3)],
  ["gaussian 30", gaussianPair(30)],
  ["laplace 0.1", laplacePair(0.1)],
  ["laplace 7", laplacePair(7)],
  ["two-point", twoPointPair(1, 0.01)],
  ["discrete laplace", integerNoisePair({ law: "discrete-laplace", scale: 2.5 }, 4)],
  ["discrete gaussian", integerNoisePair({ law: "discrete-gaussian", sigma: 3.7306 }, 1)],
  ["discrete gaussian, narrow", integerNoisePair({ law: "discrete-gaussian", sigma: 0.4 }, 2)],
  ["rounded gaussian", integerNoisePair({ law: "rounded-gaussian", sigma: 2 }, 3)],
  ["rounded gaussian, narrow", integerNoisePair({ law: "rounded-gaussian", sigma: 0.3 }, 1)],
  ["finite", finitePair([0.5, 0.25, 0.25, 0], [0.25, 0.5, 0, 0.25])],
  ["sampled gaussian", sampledPair(gaussianPair(1), 0.01)],
  ["sampled two-point", sampledPair(twoPointPair(2, 0.1), 0.3)],
  [
    "mixture of Gaussians, far apart",
    gaussianMixturePair(
      [
        { weight: 0.5, move: 0 },
        { weight: 0.5, move: 45 },
      ],
      [{ weight: 1, move: 3 }],
    ),
  ],
  [
    "replaced in a sample, at little noise",
    sampledApart(gaussianPair(24), { rate: 0.25, added: 1, removed: 1 })!,
  ],
  [
    "mixed",
    mixedPair([
      { weight: 0.25, pair: gaussianPair(1) },
      { weight: 0.75, pair: sampledPair(laplacePair(1), 0.5) },
    ]),
  ],
];

describe("every pair", () => {
  it.each(pairs)("%s: P and Q sum to 1, E[e^{−L}] ≤ 1, losses stay in their bounds", (_name, pair) => {
    const { rows, p, q } = emitted(pair, 0.01);
    expect(Math.abs(p + pair.infiniteP - 1)).toBeLessThan(2e-12);
    expect(Math.abs(q + pair.infiniteQ - 1)).toBeLessThan(2e-12);
    let worst = 0;
    for (const row of rows) {
      if (!(row.p > 1e-280 && row.q > 1e-280)) continue;
      const loss = Math.log(row.p / row.q);
      const outside = Math.max(0.01 * row.cell - loss, loss - 0.01 * (row.cell + 1));
      worst = Math.max(
        worst,
        (outside - 1e-15) / (1 + Math.abs(loss)),
        loss - pair.maxLoss,
        -loss - pair.maxReverseLoss,
      );
    }
    expect(worst).toBeLessThan(1e-13);
  });

  it.each(pairs)("%s: reports tails no larger than asked, and stops there", (_name, pair) => {
    const rows: Row[] = [];
    const tails = pair.emit(cellsOf(0.01), 1e-6, (cell, p, q) => rows.push({ cell, p, q }));
    for (const tail of Object.values(tails)) expect(tail).toBeLessThanOrEqual(1.1e-6);
    const p = rows.reduce((sum, row) => sum + row.p, 0) + pair.infiniteP;
    expect(p).toBeLessThanOrEqual(1 + 2e-12);
    expect(p + tails.pLow + tails.pHigh).toBeGreaterThanOrEqual(1 - 2e-12);
  });
});

describe("masses", () => {
  it("of Gaussian cells are differences of exact Φ, to 1e-12, into the far tail", () => {
    const mu = 0.5;
    const h = 0.25;
    const { rows } = emitted(gaussianPair(mu), h);
    for (const cell of [-20, -3, 0, 1, 2, 9, 20]) {
      const own = rows.filter((row) => row.cell === cell);
      const exactOf = (shift: number): number => {
        // Cell edges in x: (L + μ²/2)/μ, all dyadic here.
        const tail = (k: number) =>
          normalTailBracket(fromDouble((k * h + (mu * mu) / 2) / mu - shift), 700).lo;
        return toDouble(subtract(tail(cell), tail(cell + 1)), "up");
      };
      const p = own.reduce((sum, row) => sum + row.p, 0);
      const q = own.reduce((sum, row) => sum + row.q, 0);
      expect(Math.abs(p / exactOf(mu) - 1)).toBeLessThan(1e-12);
      expect(Math.abs(q / exactOf(0) - 1)).toBeLessThan(1e-12);
    }
  });

  it("of rounded Gaussians are differences of exact Φ", () => {
    const pair = integerNoisePair({ law: "rounded-gaussian", sigma: 2 }, 1);
    const qs: number[] = [];
    pair.emit(cellsOf(1), 0.1, (_cell, _p, q) => qs.push(q));
    const reach = 72;
    for (const z of [-10, -1, 0, 1, 2, 25]) {
      const tail = (x: number) => normalTailBracket(fromDouble(x), 900).lo;
      const exact = toDouble(subtract(tail((z - 0.5) / 2), tail((z + 0.5) / 2)), "up");
      expect(Math.abs(qs[z - (1 - reach)]! / exact - 1)).toBeLessThan(1e-13);
    }
  });

  it("of integer noise that is left out are below the tail that is told of them", () => {
    for (const sigma of [0.05, 0.052, 0.0555, 0.056, 0.07, 0.1, 0.3, 1, 7]) {
      for (const shift of [1, Math.floor(20 * sigma)].filter((each) => each >= 1 && each <= 20 * sigma)) {
        for (const law of ["rounded-gaussian", "discrete-gaussian"] as const) {
          const pair = integerNoisePair({ law, sigma }, shift);
          let atoms = 0;
          const tails = pair.emit(cellsOf(1), 0.1, () => {
            atoms += 1;
          });
          // Atoms from shift − reach to reach: P has what is above reach.
          const reach = (atoms + shift - 1) / 2;
          const least = reach + 1 - shift;
          const left =
            law === "rounded-gaussian"
              ? toDouble(normalTailBracket(fromDouble((least - 0.5) / sigma), 900).lo, "down")
              : Math.exp(-0.5 * (least / sigma) ** 2) / (1 + 2 * Math.exp(-0.5 / sigma ** 2) + 3 * sigma);
          for (const tail of [tails.pHigh, tails.qLow]) expect(tail).toBeGreaterThanOrEqual(left);
          // It is far out: nobody pays for it.
          expect(tails.pHigh).toBeLessThan(1e-20);
        }
      }
    }
  });

  it("of discrete laws are their mass functions", () => {
    // Oracle dlap-p0: P(0) at scale 1 is tanh(1/2); shift 2 has the middle atom P(Z = 1) twice.
    const { rows } = emitted(integerNoisePair({ law: "discrete-laplace", scale: 1 }, 2), 1e-3);
    expect(rows[1]!.p).toBeCloseTo(0.46211715726 * Math.exp(-1), 10);
    expect(stepDelta(integerNoisePair({ law: "discrete-gaussian", sigma: 3.7306 }, 1), 1)).toBeCloseTo(
      0.000010346716521506,
      17,
    );
    expect(stepDelta(integerNoisePair({ law: "discrete-gaussian", sigma: 1 }, 1), 1)).toBeCloseTo(
      0.1413513394056,
      12,
    );
  });
});

describe("finite pairs", () => {
  const response = ["3/4", "1/4"].map((text) => parseRational(text));
  it("read rationals exactly", () => {
    const pair = exactFinitePair(response, [...response].reverse());
    expect(pair.maxLoss).toBeGreaterThanOrEqual(Math.log(3));
    expect(pair.maxLoss).toBeLessThan(Math.log(3) + 1e-15);
    expect(pair.symmetric).toBe(true);
    expect(stepDelta(pair, 0)).toBeCloseTo(0.5, 15);
  });
  it("of near-equal probabilities keep the relative size of the loss", () => {
    const [a, b] = ["0.50000000000000000001", "0.49999999999999999999"].map((text) => parseRational(text));
    expect(exactFinitePair([a!, b!], [b!, a!]).maxLoss).toBeCloseTo(4e-20, 33);
  });
  it("are their δ by the definition", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
          minLength: 2,
          maxLength: 6,
        }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        (rows, epsilon) => {
          const [sp, sq] = [rows.reduce((s, r) => s + r[0], 0), rows.reduce((s, r) => s + r[1], 0)];
          fc.pre(sp > 0 && sq > 0);
          const pair = finitePair(
            rows.map((r) => r[0] / sp),
            rows.map((r) => r[1] / sq),
          );
          const direct = rows.reduce(
            (s, r) => s + Math.max(0, r[0] / sp - (Math.exp(epsilon) * r[1]) / sq),
            0,
          );
          expect(Math.abs(stepDelta(pair, epsilon) - direct)).toBeLessThan(1e-14 * (1 + Math.exp(epsilon)));
        },
      ),
    );
  });
});

describe("sampled pairs", () => {
  it("are (1 − s)Q + sP against Q, and the mirror", () => {
    const base = finitePair([0.6, 0.3, 0.1, 0], [0.2, 0.2, 0.5, 0.1]);
    const direct = finitePair(
      [0.25 * 0.6 + 0.75 * 0.2, 0.25 * 0.3 + 0.75 * 0.2, 0.25 * 0.1 + 0.75 * 0.5, 0.75 * 0.1],
      [0.2, 0.2, 0.5, 0.1],
    );
    for (const epsilon of [-1, 0, 0.1, 0.3, 1]) {
      expect(stepDelta(sampledPair(base, 0.25), epsilon)).toBeCloseTo(stepDelta(direct, epsilon), 14);
    }
  });
  it("at rate 0 tell nothing and at rate 1 are the pair", () => {
    expect(sampledPair(gaussianPair(1), 0).maxLoss).toBe(0);
    const pair = gaussianPair(1);
    expect(sampledPair(pair, 1)).toBe(pair);
  });
});

describe("profile pairs", () => {
  const truth = laplacePair(1);
  const profile = (epsilon: number): number => Math.max(0, -Math.expm1((epsilon - 1) / 2));
  const pair = profilePair(profile, "laplace-1", { points: 400 });
  it("dominate on both sides of 0, and come close", () => {
    for (let epsilon = -1.5; epsilon <= 1.5; epsilon += 0.0371) {
      const exact =
        epsilon >= 0 ? profile(epsilon) : -Math.expm1(epsilon) + Math.exp(epsilon) * profile(-epsilon);
      expect(stepDelta(pair, epsilon)).toBeGreaterThanOrEqual(exact * (1 - 1e-15));
      expect(stepDelta(pair, epsilon)).toBeLessThan(exact + 1e-5);
      expect(Math.abs(stepDelta(truth, epsilon) - exact)).toBeLessThan(1e-6);
    }
  });
  it("take the convex hull of a bound that is not convex, and stay below the bound at its points", () => {
    const bumpy = (epsilon: number): number =>
      Math.min(1, profile(epsilon) * (1.2 + 0.2 * Math.sin(40 * epsilon)));
    const hull = profilePair(bumpy, "bumpy", { points: 400 });
    for (let epsilon = 0; epsilon <= 1.2; epsilon += 0.0113) {
      expect(stepDelta(hull, epsilon)).toBeGreaterThanOrEqual(profile(epsilon));
    }
    const { p, q } = emitted(hull, 0.01);
    expect(p + hull.infiniteP).toBeCloseTo(1, 12);
    expect(q + hull.infiniteQ).toBeCloseTo(1, 12);
  });
  it("of a useless bound tell everything", () => {
    expect(profilePair(() => 1, "1").infiniteP).toBe(1);
    expect(profilePair(() => 0, "0").maxLoss).toBe(0);
    expect(() => profilePair(() => Number.NaN, "NaN")).toThrow(/deltaUpper/);
  });
});

describe("groups", () => {
  it("scale what is known to scale, and are null elsewhere", () => {
    expect(gaussianPair(0.5).group(3)?.gaussian).toBe(1.5);
    expect(laplacePair(0.5).group(4)?.maxLoss).toBeCloseTo(2, 12);
    expect(integerNoisePair({ law: "discrete-laplace", scale: 2 }, 1).group(3)?.maxLoss).toBeCloseTo(1.5, 12);
    expect(sampledPair(gaussianPair(1), 0.1).group(2)).toBeNull();
    expect(sampledPair(laplacePair(1), 0.1).group(2)?.maxLoss).toBeCloseTo(
      2 * Math.log1p(0.1 * Math.expm1(1)),
      12,
    );
    expect(twoPointPair(0.1, 0.5).group(100)?.infiniteP).toBe(1);
  });
  it("of (0.1, 1e-6) five units are oracle group-1", () => {
    expect(twoPointPair(0.1, 1e-6).group(5)?.infiniteP).toBeCloseTo(0.00000616825718145, 14);
  });
});

describe("refusals", () => {
  it.each([
    ["mu", () => gaussianPair(Number.NaN)],
    ["mu", () => gaussianPair(-1)],
    ["epsilon", () => laplacePair(Number.POSITIVE_INFINITY)],
    ["epsilon", () => twoPointPair(-0.1, 0)],
    ["delta", () => twoPointPair(1, 1.1)],
    ["rate", () => sampledPair(gaussianPair(1), 1.5)],
    ["rate", () => sampledPair(gaussianPair(1), Number.NaN)],
    ["weights", () => mixedPair([{ weight: 0.5, pair: gaussianPair(1) }])],
    ["weight", () => mixedPair([{ weight: Number.NaN, pair: gaussianPair(1) }])],
    ["sigma", () => integerNoisePair({ law: "discrete-gaussian", sigma: 0 }, 1)],
    ["sigma", () => integerNoisePair({ law: "discrete-gaussian", sigma: 1e9 }, 1)],
    ["shift", () => integerNoisePair({ law: "discrete-laplace", scale: 1 }, 0)],
    ["shift", () => integerNoisePair({ law: "discrete-laplace", scale: 1e-3 }, 1)],
    ["p", () => finitePair([0.5, 0.4], [0.5, 0.5])],
    ["q", () => finitePair([], [])],
  ])("name %s", (name, make) => {
    expect(make).toThrow(
      expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) }),
    );
  });
});
