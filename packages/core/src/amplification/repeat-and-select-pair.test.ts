import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { account } from "../account.ts";
import { pureFromRepeatAndSelect } from "../conversions/composition/repeat-and-select.ts";
import type { Event, TrialCount } from "../events/event.ts";
import { pldCurve } from "../losses/pld/curves/index.ts";
import {
  finitePair,
  gaussianPair,
  laplacePair,
  sampledPair,
  twoPointPair,
} from "../losses/pld/pairs/index.ts";
import { fromDouble, parseRational, toDouble } from "../numeric/rational.ts";
import { ndtr, ndtri } from "../numeric/special/index.ts";
import { selectedPair } from "./repeat-and-select-pair.ts";
import { bestOfRuns, type RunLaw } from "./run-law.ts";

const geometric = (stop: number): RunLaw => ({ law: "negative-binomial", shape: 1, stop });
const laws: readonly RunLaw[] = [
  geometric(0.1),
  { law: "negative-binomial", shape: 0, stop: 0.05 },
  { law: "negative-binomial", shape: -0.5, stop: 0.2 },
  { law: "poisson", mean: 3 },
];
/** f(x) = E[x^K], by its definition. */
function generating(runs: RunLaw): (x: number) => number {
  if (runs.law === "poisson") return (x) => Math.exp(runs.mean * (x - 1));
  const { shape, stop } = runs;
  const a = (x: number): number => 1 - (1 - stop) * x;
  return shape === 0
    ? (x) => Math.log(a(x)) / Math.log(stop)
    : (x) => (a(x) ** -shape - 1) / (stop ** -shape - 1);
}

/** δ(ε) of the best, outcomes from the worst to the best. */
function deltaOfOrder(
  p: readonly number[],
  q: readonly number[],
  f: (x: number) => number,
  epsilon: number,
): number {
  let [toP, toQ, delta] = [0, 0, 0];
  for (const [i, mass] of p.entries()) {
    const [bestP, bestQ] = [f(toP + mass) - f(toP), f(toQ + q[i]!) - f(toQ)];
    delta += Math.max(0, bestP - Math.exp(epsilon) * bestQ);
    toP += mass;
    toQ += q[i]!;
  }
  return delta;
}

function orders<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

describe("the law of the best", () => {
  it.each(laws)("%j is the derivative and the differences of the generating function", (runs) => {
    const [best, f] = [bestOfRuns(runs), generating(runs)];
    for (const above of [0, 0.01, 0.3, 0.9]) {
      for (const mass of [0.05, 0.1]) {
        expect(best.mass(above, mass)).toBeCloseTo(f(1 - above) - f(1 - above - mass), 12);
      }
      expect(best.mass(above, 1e-9) / 1e-9 / best.factor(above)).toBeCloseTo(1, 6);
    }
    expect(best.mass(0, 1) + best.none).toBeCloseTo(1, 12);
    expect(best.none).toBeCloseTo(f(0), 15);
  });

  it("refuses what doubles do not hold", () => {
    const refusal = expect.objectContaining({ code: "parameter.invalid" });
    for (const runs of [
      { law: "negative-binomial", shape: -1, stop: 0.5 },
      { law: "negative-binomial", shape: 1, stop: 1 },
      { law: "negative-binomial", shape: 1, stop: 1e-12 },
      { law: "poisson", mean: Number.NaN },
    ] as const) {
      expect(() => bestOfRuns(runs)).toThrow(refusal);
    }
  });
});

describe("the pair of repeat-and-select", () => {
  it("covers every order of finite mechanisms, both ways", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(weights, weights, fc.constantFrom(...laws), (a, b, runs) => {
        const normed = (w: readonly number[]): number[] => w.map((x) => x / w.reduce((s, y) => s + y, 0));
        const [p, q, f] = [normed(a), normed(b), generating(runs)];
        const curve = pldCurve([{ pair: selectedPair(finitePair(p, q), runs), count: 1n }]);
        for (const epsilon of [0, 0.3, 1, 2]) {
          const bounds = curve.delta(epsilon);
          for (const order of orders([0, 1, 2, 3])) {
            const [pOf, qOf] = [order.map((i) => p[i]!), order.map((i) => q[i]!)];
            expect(deltaOfOrder(pOf, qOf, f, epsilon)).toBeLessThanOrEqual(bounds.upper + 1e-12);
            expect(deltaOfOrder(qOf, pOf, f, epsilon)).toBeLessThanOrEqual(bounds.upper + 1e-12);
          }
          expect(bounds.lower).toBeLessThanOrEqual(bounds.upper);
        }
      }),
      { seed: 7, numRuns: 12 },
    );
  });

  it.each(laws)(
    "%j: an order by marks of two outcomes lies below the upper end, and the best near the lower",
    (runs) => {
      const [f, epsilon0] = [generating(runs), 0.7];
      const [more, less] = [1 / (1 + Math.exp(-epsilon0)), 1 / (1 + Math.exp(epsilon0))];
      const curve = pldCurve([{ pair: selectedPair(twoPointPair(epsilon0, 0), runs), count: 1n }]);
      for (const delta of [1e-3, 1e-5]) {
        const { lower, upper } = curve.epsilon(delta);
        // The likelier outcome first, in slivers: a concrete score.
        const slivers = 20_000;
        const p = [...new Array<number>(slivers).fill(more / slivers), less];
        const q = [...new Array<number>(slivers).fill(less / slivers), more];
        expect(deltaOfOrder(p, q, f, upper)).toBeLessThanOrEqual(delta);
        expect(deltaOfOrder(p, q, f, lower * (1 - 1e-3))).toBeGreaterThan(delta);
      }
    },
  );

  it.each([
    [2, geometric(0.1), 3.0096, 3.01],
    [2, geometric(0.01), 3.984, 3.9846],
    [10, geometric(0.1), 0.5401, 0.5406],
    [2, { law: "poisson", mean: 10 } as const, 3.8429, 3.8441],
  ])(
    "Gaussian noise of σ %s under %j at δ 1e-5: pinned, and an order of its own by quadrature",
    (sigma, runs, low, high) => {
      const pair = selectedPair(gaussianPair(1 / sigma), runs);
      const curve = pldCurve([{ pair, count: 1n }]);
      const { lower, upper } = curve.epsilon(1e-5);
      expect(lower).toBeGreaterThan(low);
      expect(upper).toBeLessThan(high);
      expect(lower).toBeGreaterThan(0.998 * upper);
      // Small x is good, but x > tail stands where P has mass s above: f′ by differences, no shared code.
      const [f, mu] = [generating(runs), 1 / sigma];
      let most = 0;
      for (let s = 0.02; s < 1; s += 0.02) {
        for (let beyond = 1e-6; beyond < 1e-2; beyond *= 2) {
          const tail = mu - ndtri(beyond);
          const place = ndtri(s) + mu;
          if (!(place < tail)) continue;
          const edges = Array.from({ length: 41 }, (_, i) => tail + (i * 12) / 40 / (1 + tail));
          let [toP, toQ, delta] = [1 - s - beyond, ndtr(tail) - ndtr(place), 0];
          toQ = ndtr(-place) - ndtr(-tail);
          // Greater losses count as better among those that moved.
          for (let i = 0; i + 1 < edges.length; i++) {
            const p = ndtr(mu - edges[i]!) - ndtr(mu - edges[i + 1]!);
            const q = ndtr(-edges[i]!) - ndtr(-edges[i + 1]!);
            const bestP = f(toP + p) - f(toP);
            const bestQ = f(toQ + q) - f(toQ);
            delta += Math.max(0, bestP - Math.exp(0.98 * lower) * bestQ);
            [toP, toQ] = [toP + p, toQ + q];
          }
          most = Math.max(most, delta);
        }
      }
      // What a search that knows nothing of the proof finds lies between the ends.
      expect(most).toBeGreaterThan(0.97e-5);
      expect(most).toBeLessThanOrEqual(curve.delta(0.98 * lower).upper * (1 + 1e-6));
    },
  );

  it("is a hundredth tight at δ ≤ 1e-5 on other noise and on samples", () => {
    for (const base of [laplacePair(1), sampledPair(gaussianPair(1), 0.1), twoPointPair(0.5, 0)]) {
      const curve = pldCurve([{ pair: selectedPair(base, geometric(0.1)), count: 1n }]);
      for (const delta of [1e-5, 1e-8]) {
        const { lower, upper } = curve.epsilon(delta);
        expect(lower).toBeGreaterThan(0.985 * upper);
        expect(curve.delta(upper).upper).toBeLessThanOrEqual(delta * (1 + 1e-9));
        expect(curve.delta(lower * (1 - 1e-6)).upper).toBeGreaterThan(delta);
      }
    }
  });

  it("stays within the pure theorem, and reaches it", () => {
    const trials = {
      law: "negative-binomial",
      shape: parseRational("1"),
      stop: parseRational("1/10"),
    } as const;
    const pure = toDouble(pureFromRepeatAndSelect(trials, fromDouble(0.5)), "up");
    const curve = pldCurve([{ pair: selectedPair(twoPointPair(0.5, 0), geometric(0.1)), count: 1n }]);
    expect(curve.delta(pure * (1 + 1e-3)).upper).toBeLessThan(1e-12);
    expect(curve.epsilon(1e-12).lower).toBeGreaterThan(0.999 * pure);
    expect(curve.epsilon(1e-12).lower).toBeLessThanOrEqual(pure);
  });

  it("has no lower end where the base is a bound alone, and none for groups", () => {
    const base = twoPointPair(0.5, 1e-6, false);
    const pair = selectedPair(base, geometric(0.1));
    expect(pldCurve([{ pair, count: 1n }]).epsilon(1e-4).lower).toBe(0);
    expect(pair.tight).toBe(false);
    expect(pair.group(2)).toBeNull();
  });

  it("is what an account of a best outcome says, narrower than the Rényi bound", () => {
    const trials: TrialCount = { law: "negative-binomial", shape: "1", stop: "1/10" };
    const inner: Event = { kind: "gaussian", version: 1, sigma: "2", sensitivity: "1" };
    const whole = account({ kind: "repeat-and-select", version: 1, trials, event: inner });
    const { lower, upper } = whole.epsilon(1e-5);
    expect([lower, upper].map((x) => x.toFixed(3))).toEqual(["3.010", "3.010"]);
    expect(whole.by("renyi")!.epsilon(1e-5).upper).toBeGreaterThan(4.3);
    // Twice loses more than once, and no more than twice as much at half the δ.
    const twice = whole.power(2).epsilon(1e-5);
    expect(twice.lower).toBeGreaterThan(lower);
    expect(twice.upper).toBeLessThan(2 * whole.epsilon(5e-6).upper);
  });

  it("says of itself and of the orders that reach it what holds", () => {
    const [base, runs] = [twoPointPair(0.5, 0.01), { law: "poisson", mean: 3 } as const];
    const [pair, best] = [selectedPair(base, runs), bestOfRuns(runs)];
    expect(pair).toMatchObject({ tight: false, discrete: true });
    expect(pair.id).toContain(base.id);
    expect(pair.id).toContain(best.name);
    // What tells all of one run tells all of the best of three runs on average, if it stands where that is likeliest.
    expect(pair.infiniteP).toBeGreaterThanOrEqual(0.01 * best.factor(0));
    expect(pair.infiniteP).toBeLessThan(0.011 * best.factor(0));
    // One direction and two δs; the seven shares at one ε.
    expect(pair.reached).toHaveLength(2);
    const shares = pair.reachedAt!(1);
    expect(shares).toHaveLength(7);
    const all = [...pair.reached!, ...shares];
    expect(new Set(shares.map(({ id }) => id)).size).toBe(7);
    for (const order of all) {
      expect(order.tight).toBe(true);
      expect(order.lossError).toBe(2 * best.slack);
      expect(order.group(2)).toBeNull();
      // Outcomes of no run at all are the same under both laws, and nothing is lost or doubled.
      let [p, q, still] = [order.infiniteP, order.infiniteQ, 0];
      order.emit({ edge: (k) => k, cell: Math.floor, atom: (loss) => loss }, 1e-30, (loss, massP, massQ) => {
        p += massP;
        q += massQ;
        if (loss === 0) still += massP;
      });
      expect(p).toBeLessThanOrEqual(1 + 1e-9);
      expect(p).toBeGreaterThan(1 - 1e-6);
      expect(q).toBeLessThanOrEqual(1 + 1e-9);
      expect(q).toBeGreaterThan(1 - 1e-6);
      expect(still).toBeGreaterThanOrEqual(best.none * (1 - 1e-6));
      // Of three runs, one at most tells all with this chance.
      expect(order.infiniteP).toBeLessThanOrEqual(0.03);
    }
    // All that counts is moved to the place where it adds the most: nearly what the bound says.
    expect(Math.max(...shares.map(({ infiniteP }) => infiniteP))).toBeGreaterThan(0.029);
  });

  it("is made once for equal pairs and laws, and anew for others", () => {
    const made = selectedPair(twoPointPair(0.25, 0), geometric(0.5));
    expect(selectedPair(twoPointPair(0.25, 0), geometric(0.5))).toBe(made);
    const others = [
      selectedPair(twoPointPair(0.25, 0), geometric(0.25)),
      selectedPair(twoPointPair(0.5, 0), geometric(0.5)),
    ];
    expect(new Set([made, ...others].map(({ id }) => id)).size).toBe(3);
    for (const other of others)
      expect(pldCurve([{ pair: other, count: 1n }]).epsilon(1e-5).lower).toBeGreaterThan(
        pldCurve([{ pair: made, count: 1n }]).epsilon(1e-5).upper,
      );
  });
});
