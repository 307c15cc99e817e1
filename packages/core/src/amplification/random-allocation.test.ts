import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { add, fromDouble, multiply, one, type Rational, ratio, toDouble } from "../numeric/rational.ts";
import { ndtr } from "../numeric/special/index.ts";
import { hockeyStick, type Law, lawOf, mixture, product } from "./finite-law.oracle.ts";
import { gaussianSlot } from "./gaussian-slot.ts";
import { randomAllocation } from "./random-allocation.ts";
import { addSlots, composeRatios, normalized, type RatioKind, type RatioLaw } from "./ratio-law.ts";

interface OracleCase {
  readonly id: string;
  readonly sigma: number;
  readonly delta: number;
  readonly within: readonly [number, number];
}
const oracle: { readonly cases: readonly OracleCase[] } = JSON.parse(
  readFileSync(new URL("../../../../testing/oracles/accounting.json", import.meta.url), "utf8"),
);
const alloc = oracle.cases.find(({ id }) => id === "alloc-1")!;

/** δ of the Gaussian mechanism (Balle & Wang 2018, Thm 8). */
const gaussianDelta = (mu: number, epsilon: number): number =>
  ndtr(mu / 2 - epsilon / mu) - Math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu);

/** One slot of three outcomes: what a unit in it and one elsewhere give. Every mass is a double. */
const withUnit = lawOf(["a", ratio(9n, 16n)], ["b", ratio(5n, 16n)], ["c", ratio(2n, 16n)]);
const without = lawOf(["a", ratio(3n, 16n)], ["b", ratio(5n, 16n)], ["c", ratio(8n, 16n)]);
const slot: RatioLaw = {
  slots: 1,
  nodes: Float64Array.of(1 / 4, 1, 3),
  q: Float64Array.of(8 / 16, 5 / 16, 3 / 16),
  infiniteP: 0,
  error: 0,
  ratioError: 0,
};

/** The law of all slots when those in `chosen` hold the unit. */
const slotsWith = (steps: number, chosen: readonly number[]): Law => {
  let law = lawOf(["", one]);
  for (let i = 0; i < steps; i += 1) law = product(law, chosen.includes(i) ? withUnit : without);
  return law;
};
const evenly = (laws: readonly Law[]): Law =>
  mixture(laws.map((law) => ({ weight: ratio(1n, BigInt(laws.length)), law })));
const choices = (steps: number, selected: number): number[][] => {
  const all: number[][] = [];
  const choose = (from: number, chosen: number[]): void => {
    if (chosen.length === selected) all.push(chosen);
    else for (let i = from; i < steps; i += 1) choose(i + 1, [...chosen, i]);
  };
  choose(0, []);
  return all;
};
const allocated = (steps: number, selected: number): Law =>
  evenly(choices(steps, selected).map((chosen) => slotsWith(steps, chosen)));

const gammas: readonly Rational[] = [1, 1.125, 1.5, 2, 2.75, 5].map(fromDouble);

/** Both directions of a discretised law at γ. */
function deltasOf(law: RatioLaw, gamma: number): readonly [number, number] {
  let [remove, addOne] = [law.infiniteP, 0];
  law.q.forEach((q, i) => {
    const ratio = law.nodes[i]! / law.slots;
    remove += q * Math.max(0, ratio - gamma);
    addOne += q * Math.max(0, 1 - gamma * ratio);
  });
  return [remove, addOne];
}

function holdsAgainst(p: Law, q: Law, law: (kind: RatioKind) => RatioLaw, width: number): void {
  for (const gamma of gammas) {
    const truth = [hockeyStick(p, q, gamma), hockeyStick(q, p, gamma)].map((x) => toDouble(x, "up"));
    const above = deltasOf(law("dominating"), toDouble(gamma, "up"));
    const below = deltasOf(law("dominated"), toDouble(gamma, "up"));
    for (const side of [0, 1] as const) {
      expect(above[side]).toBeGreaterThanOrEqual(truth[side]! - 1e-14);
      expect(below[side]).toBeLessThanOrEqual(truth[side]! + 1e-14);
      expect(above[side] - below[side]).toBeLessThan(width);
    }
  }
}

describe("discretised laws of finite slots, against every outcome", () => {
  const size = 200;
  const slots = (n: number, kind: RatioKind): RatioLaw =>
    n === 1 ? slot : addSlots(slot, slots(n - 1, kind), kind, size, 1e-12);

  it.each([2, 3, 5])("1 of %i", (steps) => {
    holdsAgainst(allocated(steps, 1), slotsWith(steps, []), (kind) => slots(steps, kind), 0.004);
  });
  it("1 of 4 by doubling a doubled law", () => {
    const four = (kind: RatioKind): RatioLaw => {
      const two = addSlots(slot, slot, kind, size, 1e-12);
      return addSlots(two, two, kind, size, 1e-12);
    };
    holdsAgainst(allocated(4, 1), slotsWith(4, []), four, 0.004);
  });
  it("1 of 2, twice", () => {
    const twice = (kind: RatioKind): RatioLaw => {
      const two = normalized(addSlots(slot, slot, kind, size, 1e-12));
      return composeRatios(two, two, kind, size, 1e-12);
    };
    const block = allocated(2, 1);
    const blank = slotsWith(2, []);
    holdsAgainst(product(block, block), product(blank, blank), twice, 0.006);
  });
  it("coarse grids and large tails stay on their sides", () => {
    const four = (kind: RatioKind): RatioLaw => {
      const two = addSlots(slot, slot, kind, 8, 0.02);
      return addSlots(two, two, kind, 8, 0.02);
    };
    holdsAgainst(allocated(4, 1), slotsWith(4, []), four, 0.3);
  });

  it("k of t loses no more than k times 1 of ⌊t/k⌋", () => {
    for (const [steps, selected] of [
      [4, 2],
      [5, 2],
      [6, 3],
    ] as const) {
      const truth = allocated(steps, selected);
      const block = allocated(Math.floor(steps / selected), 1);
      const blank = slotsWith(Math.floor(steps / selected), []);
      let [p, q] = [block, blank];
      for (let i = 1; i < selected; i += 1) [p, q] = [product(p, block), product(q, blank)];
      const none = slotsWith(steps, []);
      for (const gamma of gammas) {
        expect(toDouble(hockeyStick(truth, none, gamma), "up")).toBeLessThanOrEqual(
          toDouble(hockeyStick(p, q, gamma), "up"),
        );
        expect(toDouble(hockeyStick(none, truth, gamma), "up")).toBeLessThanOrEqual(
          toDouble(hockeyStick(q, p, gamma), "up"),
        );
      }
    }
  });

  it("would see an unsound merge: the dominated law is not an upper bound", () => {
    const gap = gammas.map((gamma) => {
      const truth = toDouble(hockeyStick(allocated(3, 1), slotsWith(3, []), gamma), "up");
      const three = addSlots(slot, addSlots(slot, slot, "dominated", 8, 1e-12), "dominated", 8, 1e-12);
      return truth - deltasOf(three, toDouble(gamma, "up"))[0];
    });
    expect(Math.max(...gap)).toBeGreaterThan(1e-3);
  });
});

describe("one Gaussian slot", () => {
  it.each([
    [0.01, 1e-18],
    [1, 1e-18],
    [1, 1e-3],
    [5, 1e-12],
  ])("μ = %d, tail %d: both laws are whole, and bracket the Gaussian mechanism", (mu, tail) => {
    const [above, below] = [
      gaussianSlot(mu, "dominating", 800, tail),
      gaussianSlot(mu, "dominated", 800, tail),
    ];
    for (const law of [above, below]) {
      const mass = law.q.reduce((a, b) => a + b, 0);
      const mean = law.q.reduce((total, q, i) => total + q * law.nodes[i]!, 0);
      expect(Math.abs(mass - 1)).toBeLessThan(1e-12);
      // What goes to +∞ is an upper bound of P's mass there.
      expect(mean + law.infiniteP).toBeGreaterThan(1 - 1e-12);
      expect(mean).toBeLessThan(1 + 1e-12);
    }
    for (const epsilon of [0, 0.01, 0.5, 2]) {
      const truth = gaussianDelta(mu, epsilon);
      const [up, down] = [deltasOf(above, Math.exp(epsilon)), deltasOf(below, Math.exp(epsilon))];
      for (const side of [0, 1] as const) {
        expect(up[side]).toBeGreaterThanOrEqual(truth - 1e-13);
        expect(down[side]).toBeLessThanOrEqual(truth + 1e-13);
      }
    }
  });
});

it("a slot of few nodes, cut far out, has masses that are right to the digits that are claimed of them", () => {
  const [tail, reach] = [1e-280, Math.sqrt(-2 * Math.log(1e-280))];
  const law = gaussianSlot(1, "dominated", 400, tail);
  const cells = law.q.length - 2;
  const width = (1 + 2 * reach) / cells;
  for (let i = 0; i < cells; i++) {
    const x = -reach + i * width;
    const exact = x > 0 ? ndtr(-x) - ndtr(-x - width) : ndtr(x + width) - ndtr(x);
    // Ends of cells are doubles, and far out a mass depends on them.
    expect(Math.abs(law.q[i + 1]! / exact - 1)).toBeLessThan(1e-11);
  }
});

it("what is too small for doubles under Q is not lost of P", () => {
  // R is at least a tenth of its largest ratio: δ is at least nine tenths of a Gaussian's at ε + ln 10, which at σ 1/5 and ε 178 is 4.09e-248 (by mpmath).
  const far = randomAllocation({ steps: 10, selected: 1, sigma: 1 / 5, sensitivity: 1 });
  expect(far.epsilon(1e-250).upper).toBeGreaterThan(178.8);
  expect(far.delta(178).upper).toBeGreaterThan(3.6e-248);
  for (const [sigma, delta, least] of [
    [1 / 3, 1e-270, 107.384],
    [1 / 10, 1e-100, 259.896],
  ] as const) {
    const { upper } = randomAllocation({ steps: 10, selected: 1, sigma, sensitivity: 1 }).epsilon(delta);
    expect(upper).toBeGreaterThan(least);
  }
});

describe("Gaussian noise", () => {
  const run = (steps: number, selected: number, sigma: number): ReturnType<typeof randomAllocation> =>
    randomAllocation({ steps, selected, sigma, sensitivity: 1 });

  it("alloc-1", () => {
    const { lower, upper } = run(100, 1, alloc.sigma).epsilon(alloc.delta);
    expect(lower).toBeGreaterThanOrEqual(alloc.within[0]);
    expect(upper).toBeLessThanOrEqual(alloc.within[1]);
    expect(upper - lower).toBeLessThan(1e-3);
    expect(lower).toBeLessThanOrEqual(upper);
  });

  it.each([
    [1, 1, 1],
    [1, 1, 0.1],
    [4, 4, 2],
    [1, 1, 30],
  ])("%i of %i at σ %d is the Gaussian mechanism", (steps, selected, sigma) => {
    const allocation = run(steps, selected, sigma);
    const mu = Math.sqrt(steps) / sigma;
    for (const epsilon of [0, 0.3, 1, 4]) {
      const truth = gaussianDelta(mu, epsilon);
      const { lower, upper } = allocation.delta(epsilon);
      // The closed form cancels: give it its own rounding.
      expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-9) + 1e-15);
      expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-9) - 1e-15);
      expect(upper - lower).toBeLessThan(5e-4 * upper + 1e-15);
    }
  });

  it("1 of 2 holds against a two-dimensional integral, in both directions", () => {
    const sigma = 0.8;
    const mu = 1 / sigma;
    const allocation = run(2, 1, sigma);
    // Given x, R exceeds e^ε beyond one y: the inner integral is closed.
    const truth = (epsilon: number): readonly [number, number] => {
      const gamma = Math.exp(epsilon);
      const h = 0.001;
      let [remove, addOne] = [0, 0];
      for (let x = -9; x < 11; x += h) {
        const r = Math.exp(mu * x - (mu * mu) / 2);
        const density = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * h;
        const cut = (bar: number): number =>
          bar - r / 2 > 0 ? (Math.log(2 * bar - r) + (mu * mu) / 2) / mu : Number.NEGATIVE_INFINITY;
        const y = cut(gamma);
        remove += density * ((r / 2 - gamma) * ndtr(-y) + 0.5 * ndtr(mu - y));
        const z = cut(1 / gamma);
        addOne += density * ((1 - (gamma * r) / 2) * ndtr(z) - (gamma / 2) * ndtr(z - mu));
      }
      return [remove, addOne];
    };
    for (const epsilon of [0, 0.5, 1, 2]) {
      const [remove, addOne] = truth(epsilon);
      const both = allocation.directed(epsilon);
      for (const [bounds, exact] of [
        [both.remove, remove],
        [both.add, addOne],
      ] as const) {
        expect(bounds.lower).toBeLessThanOrEqual(exact + 1e-9);
        expect(bounds.upper).toBeGreaterThanOrEqual(exact - 1e-9);
        expect(bounds.upper - bounds.lower).toBeLessThan(1e-4);
      }
    }
  });

  it("falls with the steps and with σ, and lies below the Gaussian mechanism", () => {
    const rough = (steps: number, selected: number, sigma: number): ReturnType<typeof randomAllocation> =>
      randomAllocation({ steps, selected, sigma, sensitivity: 1 }, 800);
    let before = Number.POSITIVE_INFINITY;
    for (const steps of [1, 2, 3, 7, 64, 100, 1000]) {
      const { lower, upper } = rough(steps, 1, 1).epsilon(1e-6);
      expect(lower).toBeLessThanOrEqual(before);
      expect(upper).toBeLessThanOrEqual(before + 2e-3);
      before = upper;
    }
    before = Number.POSITIVE_INFINITY;
    for (const sigma of [0.3, 0.6, 1, 3, 10, 1000]) {
      const { upper } = rough(20, 1, sigma).epsilon(1e-6);
      expect(upper).toBeLessThan(before);
      before = upper;
    }
    expect(rough(10, 2, 1).epsilon(1e-6).upper).toBeGreaterThan(rough(10, 1, 1).epsilon(1e-6).upper);
  });

  it("gives δ far out, and ε for tiny δ", () => {
    const allocation = run(100, 1, 1);
    for (const delta of [1e-3, 1e-10, 1e-30, 1e-100]) {
      const { lower, upper } = allocation.epsilon(delta);
      expect(upper).toBeGreaterThanOrEqual(lower);
      expect(upper - lower).toBeLessThan(0.02);
      expect(upper).toBeLessThan(Math.sqrt(2 * Math.log(1 / delta)) + 1);
    }
    expect(allocation.epsilon(0).upper).toBe(Number.POSITIVE_INFINITY);
  });

  it("gives a pair whose curve is the account's", () => {
    const allocation = run(30, 1, 1);
    const pair = allocation.pair();
    let [remove, addOne] = [pair.infiniteP, pair.infiniteQ];
    const gamma = Math.exp(0.4);
    let total = [pair.infiniteP, pair.infiniteQ];
    let before = Number.NEGATIVE_INFINITY;
    pair.emit({ edge: (k) => k, cell: Math.floor, atom: Math.floor }, 1e-12, (_cell, p, q) => {
      const loss = Math.log(p / q);
      expect(loss).toBeGreaterThan(before);
      before = loss;
      remove += Math.max(0, p - gamma * q);
      addOne += Math.max(0, q - gamma * p);
      total = [total[0]! + p, total[1]! + q];
    });
    const both = allocation.directed(0.4);
    expect(Math.abs(remove / both.remove.upper - 1)).toBeLessThan(1e-6);
    expect(Math.abs(addOne / both.add.upper - 1)).toBeLessThan(1e-6);
    expect(Math.abs(total[0]! - 1)).toBeLessThan(1e-9);
    expect(Math.abs(total[1]! - 1)).toBeLessThan(1e-9);
    expect(remove).toBeGreaterThanOrEqual(both.remove.lower);
  });

  it("costs nothing where nothing is used, and answers at the ends of its domain", () => {
    expect(run(10, 0, 1).epsilon(0).upper).toBe(0);
    expect(randomAllocation({ steps: 3, selected: 1, sigma: 1, sensitivity: 0 }).delta(0).upper).toBe(0);
    expect(randomAllocation({ steps: 3, selected: 1, sigma: 1, sensitivity: 0 }).pair().maxLoss).toBeCloseTo(
      0,
      12,
    );
    const many = run(2 ** 40, 1, 5).epsilon(1e-6);
    expect(many.upper).toBeGreaterThanOrEqual(0);
    expect(many.upper).toBeLessThan(1e-3);
    const quiet = run(1000, 1, 1e12).epsilon(1e-6);
    expect(quiet.upper).toBeLessThan(1e-6);
    expect(run(7, 3, 0.5).epsilon(1e-6).lower).toBe(0);
  });

  it("refuses what is out of domain, by name", () => {
    const good = { steps: 10, selected: 1, sigma: 1, sensitivity: 1 };
    expect(() => randomAllocation({ ...good, steps: 0 })).toThrow(/steps/);
    expect(() => randomAllocation({ ...good, steps: 1.5 })).toThrow(/steps/);
    expect(() => randomAllocation({ ...good, selected: 11 })).toThrow(/selected/);
    for (const sigma of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => randomAllocation({ ...good, sigma })).toThrow(/sigma/);
    }
    expect(() => randomAllocation({ ...good, sensitivity: Number.NaN })).toThrow(/sensitivity/);
    expect(() => randomAllocation({ ...good, sigma: 1e-3 }).epsilon(1e-6)).toThrow(/sigma/);
    const allocation = randomAllocation(good);
    for (const bad of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      expect(() => allocation.delta(bad)).toThrow(/epsilon/);
    for (const bad of [Number.NaN, -1, 1]) expect(() => allocation.epsilon(bad)).toThrow(/delta/);
    expect(() => allocation.pair(0)).toThrow(/tail/);
  });
});

it("the slot of the finite tests is a pair of laws", () => {
  const p = [...withUnit.values()].reduce((a, b) => add(a, b));
  expect(p).toEqual(one);
  expect(multiply(ratio(3n), ratio(3n, 16n))).toEqual(withUnit.get("a"));
});
