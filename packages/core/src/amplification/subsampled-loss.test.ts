import { describe, expect, it } from "vitest";
import type { Adjacency } from "../losses/measures/adjacency.ts";
import { expBracket } from "../numeric/bracket.ts";
import {
  add,
  ceilTo,
  compare,
  divide,
  fromDouble,
  multiply,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../numeric/rational.ts";
import { type ExactSamplingScheme, samplingRate } from "./exact-sampling-scheme.ts";
import {
  fixedSubsets,
  hockeyStick,
  type Law,
  lawOf,
  lists,
  mixture,
  poissonSubsets,
} from "./finite-law.oracle.ts";
import { subsampledEpsilon, unsampledEpsilon } from "./subsampled-epsilon.ts";
import { type ExactLoss, subsampledLoss } from "./subsampled-loss.ts";
import { profilePoisson, profilePoissonReplaceOne, profileWithoutReplacement } from "./subsampled-profile.ts";

/** Three kinds of unit; what one does to the score. */
type Unit = -1 | 0 | 1;
const units: readonly Unit[] = [-1, 0, 1];
const score = (sample: readonly Unit[]): number => sample.reduce<number>((total, unit) => total + unit, 0);
const power = (base: Rational, n: number): Rational =>
  n < 0 ? divide(one, power(base, -n)) : n === 0 ? one : multiply(base, power(base, n - 1));

interface Mechanism {
  readonly name: string;
  readonly run: (sample: readonly Unit[]) => Law;
}
/** Says "yes" with probability c·bˢᶜᵒʳᵉ, c so small that only "yes" matters: a unit moves it by the full factor b. */
const rareYes = (base: Rational, c: Rational): Mechanism => ({
  name: `rare yes of ${base.num}/${base.den}`,
  run: (sample) => {
    const yes = multiply(c, power(base, score(sample)));
    return lawOf(["yes", yes], ["no", subtract(one, yes)]);
  },
});
/** The same, and with a chance of 1/10 names the score: (ε, 1/10)-DP for the ε of the rest. */
const leaky = (base: Rational, c: Rational): Mechanism => ({
  name: `leaky yes of ${base.num}/${base.den}`,
  run: (sample) =>
    mixture([
      { weight: ratio(9n, 10n), law: rareYes(base, c).run(sample) },
      { weight: ratio(1n, 10n), law: lawOf([`score ${score(sample)}`, one]) },
    ]),
});

const mechanisms = [
  rareYes(ratio(2n), ratio(1n, 10_000n)),
  rareYes(ratio(5n, 4n), ratio(1n, 10_000n)),
  leaky(ratio(2n), ratio(1n, 10_000n)),
];

type Pair = readonly [readonly Unit[], readonly Unit[]];
/** All neighbours of at most three units, in both orders. */
function neighbours(adjacency: Adjacency, most: number = 3): Pair[] {
  const pairs: Pair[] = [];
  for (let n = 0; n < most; n += 1) {
    for (const rest of lists(units, n)) {
      if (adjacency === "add-or-remove-one") {
        for (const unit of units) pairs.push([[...rest, unit], rest], [rest, [...rest, unit]]);
      } else {
        for (const a of units)
          for (const b of units)
            if (a !== b)
              pairs.push([
                [...rest, a],
                [...rest, b],
              ]);
      }
    }
  }
  return pairs;
}

function worst(run: (data: readonly Unit[]) => Law, pairs: readonly Pair[], gamma: Rational): Rational {
  return pairs.reduce<Rational>((most, [a, b]) => {
    const delta = hockeyStick(run(a), run(b), gamma);
    return compare(delta, most) > 0 ? delta : most;
  }, zero);
}

const sampled =
  (
    mechanism: Mechanism,
    scheme: (data: readonly Unit[]) => { weight: Rational; sample: readonly Unit[] }[],
  ) =>
  (data: readonly Unit[]): Law =>
    mixture(scheme(data).map(({ weight, sample }) => ({ weight, law: mechanism.run(sample) })));

const epsilons = ["1/1024", "1/8", "0.5", "0.7", "1.4"].map((text) => parseRational(text));
const rates = [ratio(1n, 10n), ratio(1n, 2n), ratio(9n, 10n), one];

/** Claims a loss for the sample from the exact profile of the mechanism, and holds it against the sample's exact law. */
function check(
  mechanism: Mechanism,
  baseAdjacency: Adjacency,
  adjacency: Adjacency,
  scheme: ExactSamplingScheme,
  subsets: (data: readonly Unit[]) => { weight: Rational; sample: readonly Unit[] }[],
  pairs: readonly Pair[],
): number {
  let closest = 0;
  for (const epsilon of epsilons) {
    // A lower e^ε only overstates the mechanism's δ, as a claim may.
    const delta = worst(mechanism.run, neighbours(baseAdjacency), expBracket(epsilon, 60).lo);
    const claim = subsampledLoss({ epsilon, delta }, scheme, adjacency);
    const truth = worst(sampled(mechanism, subsets), pairs, expBracket(claim.epsilon, 60).lo);
    expect(
      compare(truth, claim.delta),
      `${mechanism.name} at ε ${toDouble(epsilon, "up")}`,
    ).toBeLessThanOrEqual(0);
    if (claim.delta.num > 0n) closest = Math.max(closest, toDouble(divide(truth, claim.delta), "down"));
  }
  return closest;
}

describe("every neighbour, every sample, exactly", () => {
  it.each(mechanisms)("Poisson, add or remove one: $name", (mechanism) => {
    const reached = rates.map((rate) =>
      check(
        mechanism,
        "add-or-remove-one",
        "add-or-remove-one",
        { kind: "poisson", rate },
        (data) => poissonSubsets(data, rate),
        neighbours("add-or-remove-one"),
      ),
    );
    // The theorem is reached, so a smaller claim would fail here.
    expect(Math.max(...reached)).toBeGreaterThan(0.999);
  });

  it.each(mechanisms)("Poisson, replace one: $name", (mechanism) => {
    const reached = rates.map((rate) =>
      check(
        mechanism,
        "add-or-remove-one",
        "replace-one",
        { kind: "poisson", rate },
        (data) => poissonSubsets(data, rate),
        neighbours("replace-one"),
      ),
    );
    expect(Math.max(...reached)).toBeGreaterThan(0.4);
  });

  it.each(mechanisms)("without replacement, replace one: $name", (mechanism) => {
    const reached = [1, 2, 3].map((sample) =>
      check(
        mechanism,
        "replace-one",
        "replace-one",
        { kind: "without-replacement", population: 3n, sample: BigInt(sample) },
        (data) => fixedSubsets(data, sample),
        neighbours("replace-one").filter(([a]) => a.length === 3),
      ),
    );
    expect(Math.max(...reached)).toBeGreaterThan(0.999);
  });

  /** The largest exact ratio of two masses of one outcome over all neighbours. */
  const largestRatio = (run: (data: readonly Unit[]) => Law, pairs: readonly Pair[]): Rational =>
    pairs.reduce<Rational>((most, [a, b]) => {
      const other = run(b);
      for (const [outcome, mass] of run(a)) {
        const factor = divide(mass, other.get(outcome)!);
        if (compare(factor, most) > 0) most = factor;
      }
      return most;
    }, one);

  it("pure losses are reached to a thousandth, in all three pairings", () => {
    const mechanism = rareYes(ratio(2n), ratio(1n, 1_000_000n));
    const ln2 = ceilTo(fromDouble(Math.LN2), 1n << 50n);
    const [q, third] = [ratio(1n, 4n), ratio(1n, 3n)];
    // In all three the base loss is that of one unit's full factor: 2 when added, 4 when replaced.
    const cases: readonly (readonly [ExactSamplingScheme, Adjacency, Rational, Rational])[] = [
      [
        { kind: "poisson", rate: q },
        "add-or-remove-one",
        ln2,
        largestRatio(
          sampled(mechanism, (d) => poissonSubsets(d, q)),
          neighbours("add-or-remove-one"),
        ),
      ],
      [
        { kind: "poisson", rate: q },
        "replace-one",
        ln2,
        largestRatio(
          sampled(mechanism, (d) => poissonSubsets(d, q)),
          neighbours("replace-one"),
        ),
      ],
      [
        { kind: "without-replacement", population: 3n, sample: 1n },
        "replace-one",
        multiply(ratio(2n), ln2),
        largestRatio(
          sampled(mechanism, (d) => fixedSubsets(d, 1)),
          neighbours("replace-one").filter(([a]) => a.length === 3),
        ),
      ],
    ];
    const claims = cases.map(([scheme, adjacency, epsilon, truth]) => {
      const claim = subsampledLoss({ epsilon, delta: zero }, scheme, adjacency).epsilon;
      expect(compare(expBracket(claim, 60).hi, truth)).toBeGreaterThanOrEqual(0);
      return toDouble(claim, "up") / Math.log(toDouble(truth, "up"));
    });
    // Without replacement the worst base pair and the worst sample need not meet.
    expect(claims[0]).toBeLessThan(1.001);
    expect(claims[1]).toBeLessThan(1.001);
    expect(claims[2]).toBeLessThan(1.5);
    expect(
      toDouble(
        subsampledLoss({ epsilon: multiply(ratio(2n), ln2), delta: zero }, cases[2]![0], "replace-one")
          .epsilon,
        "up",
      ),
    ).toBeCloseTo(Math.log(1 + toDouble(third, "up") * 3), 9);
  });

  it("profiles hold at every ε", () => {
    const mechanism = mechanisms[2]!;
    const profile =
      (pairs: readonly Pair[]) =>
      (epsilon: number): number =>
        toDouble(worst(mechanism.run, pairs, expBracket(fromDouble(epsilon), 60).lo), "up");
    const all = neighbours("add-or-remove-one", 3);
    const remove = profile(all.filter(([a, b]) => a.length > b.length));
    const addOne = profile(all.filter(([a, b]) => a.length < b.length));
    const replaced = profile(neighbours("replace-one"));
    const rate = 0.25;
    const q = ratio(1n, 4n);
    const poisson = sampled(mechanism, (data) => poissonSubsets(data, q));
    const fixed = sampled(mechanism, (data) => fixedSubsets(data, 2));
    const three = neighbours("replace-one").filter(([a]) => a.length === 3);
    const ours = profilePoisson({ remove, add: addOne }, rate);
    for (const epsilon of [0, 0.01, 0.1, 0.3, 0.6, 1]) {
      const gamma = expBracket(fromDouble(epsilon), 60).lo;
      const truth = (run: (data: readonly Unit[]) => Law, pairs: readonly Pair[]): number =>
        toDouble(worst(run, pairs, gamma), "down");
      const pairs = neighbours("add-or-remove-one");
      const grow = pairs.filter(([a, b]) => a.length > b.length);
      const shrink = pairs.filter(([a, b]) => a.length < b.length);
      expect(ours.remove(epsilon)).toBeGreaterThanOrEqual(truth(poisson, grow));
      expect(ours.add(epsilon)).toBeGreaterThanOrEqual(truth(poisson, shrink));
      expect(ours.remove(epsilon)).toBeLessThan(truth(poisson, grow) + 0.02);
      const own = profilePoissonReplaceOne({ remove, add: addOne }, rate, replaced);
      const grouped = profilePoissonReplaceOne({ remove, add: addOne }, rate);
      const swapped = truth(poisson, neighbours("replace-one"));
      expect(own(epsilon)).toBeGreaterThanOrEqual(swapped);
      expect(grouped(epsilon)).toBeGreaterThanOrEqual(own(epsilon) * (1 - 1e-12));
      const without = profileWithoutReplacement(replaced, 3, 2)(epsilon);
      expect(without).toBeGreaterThanOrEqual(truth(fixed, three));
      expect(without).toBeLessThan(truth(fixed, three) + 0.05);
    }
  });
});

describe("shape", () => {
  const loss: ExactLoss = { epsilon: one, delta: parseRational("1e-6") };
  const poisson = (rate: Rational): ExactSamplingScheme => ({ kind: "poisson", rate });

  it("a sample of nobody costs nothing, of everybody what the mechanism costs", () => {
    expect(subsampledLoss(loss, poisson(zero), "add-or-remove-one")).toEqual({ epsilon: zero, delta: zero });
    expect(subsampledLoss(loss, poisson(one), "add-or-remove-one")).toEqual(loss);
    const everybody = { kind: "without-replacement", population: 5n, sample: 5n } as const;
    expect(subsampledLoss(loss, everybody, "replace-one")).toEqual(loss);
    // Group privacy of two: (2ε, (1 + e^ε)δ).
    const two = subsampledLoss(loss, poisson(one), "replace-one");
    expect(two.epsilon).toEqual(ratio(2n));
    expect(toDouble(two.delta, "up")).toBeCloseTo(1e-6 * (1 + Math.E), 15);
  });

  it("agrees with doubles, grows in ε and in the rate, and never exceeds ε", () => {
    let before = 0;
    for (const rate of [1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.99, 1]) {
      for (const epsilon of [0, 1e-9, 1e-3, 1, 30, 499, 501, 1e4]) {
        const grown = subsampledEpsilon(epsilon, rate);
        expect(grown).toBeLessThanOrEqual(epsilon);
        const exact = subsampledLoss(
          { epsilon: fromDouble(epsilon), delta: zero },
          poisson(fromDouble(rate)),
          "add-or-remove-one",
        );
        expect(Math.abs(toDouble(exact.epsilon, "up") - grown)).toBeLessThanOrEqual(2 ** -40 + 1e-12 * grown);
        const back = unsampledEpsilon(grown, rate);
        expect(back).toBeGreaterThanOrEqual(grown);
        expect(Math.abs(back - epsilon)).toBeLessThan(1e-3 * epsilon + 1e-9);
      }
      const now = subsampledEpsilon(1, rate);
      expect(now).toBeGreaterThan(before);
      before = now;
    }
    expect(unsampledEpsilon(1e-3, 5e-324)).toBeGreaterThan(700);
    expect(unsampledEpsilon(1e-3, 5e-324)).toBeLessThan(745);
  });

  it("refuses what has no proof, and what is out of domain", () => {
    const half = ratio(1n, 2n);
    expect(samplingRate({ kind: "without-replacement", population: 6n, sample: 3n })).toEqual(half);
    expect(samplingRate(poisson(half))).toEqual(half);
    const fixed = { kind: "without-replacement", population: 5n, sample: 2n } as const;
    expect(() => subsampledLoss(loss, fixed, "add-or-remove-one")).toThrow(/adjacency/);
    expect(() => subsampledLoss(loss, poisson(ratio(3n, 2n)), "replace-one")).toThrow(/rate/);
    expect(() => subsampledLoss(loss, { ...fixed, sample: 6n }, "replace-one")).toThrow(/sample/);
    expect(() => subsampledLoss(loss, { ...fixed, population: 0n }, "replace-one")).toThrow(/population/);
    expect(() => subsampledLoss({ epsilon: ratio(-1n), delta: zero }, poisson(half), "replace-one")).toThrow(
      /epsilon/,
    );
    expect(() => subsampledLoss({ epsilon: one, delta: ratio(2n) }, poisson(half), "replace-one")).toThrow(
      /delta/,
    );
    for (const bad of [Number.NaN, -1, 1.5]) expect(() => subsampledEpsilon(1, bad)).toThrow(/rate/);
    for (const bad of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      expect(() => subsampledEpsilon(bad, 0.5)).toThrow(/epsilon/);
    }
    expect(() => profileWithoutReplacement(() => 0, 3, 4)).toThrow(/sample/);
    expect(() => profileWithoutReplacement(() => Number.NaN, 4, 3)(1)).toThrow(/profile/);
    // Enormous ε and tiny δ get an answer.
    const huge = { epsilon: ratio(10n ** 6n), delta: parseRational("1e-300") };
    expect(toDouble(subsampledLoss(huge, poisson(half), "replace-one").epsilon, "up")).toBeLessThan(1e6 + 1);
    expect(
      compare(subsampledLoss(huge, poisson(half), "add-or-remove-one").epsilon, add(huge.epsilon, one)),
    ).toBe(-1);
  });
});
