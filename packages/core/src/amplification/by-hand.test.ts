import { describe, expect, it } from "vitest";
import { expBracket, lnBracket } from "../numeric/bracket.ts";
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  one,
  parseRational,
  type Rational,
  ratio,
  subtract,
  toDouble,
  zero,
} from "../numeric/rational.ts";
import { samplingRate, unprovenPairing } from "./exact-sampling-scheme.ts";
import { randomAllocation } from "./random-allocation.ts";
import { addSlots, composeRatios, normalized, type RatioLaw } from "./ratio-law.ts";
import { shuffleDelta, shuffleEpsilon, shufflePair } from "./shuffle.ts";
import { subsampledLoss } from "./subsampled-loss.ts";
import { profilePoisson, profilePoissonReplaceOne, replacedBound } from "./subsampled-profile.ts";

/* What samples, shuffles and allocations do to small cases, worked out by hand. */

const inf = Number.POSITIVE_INFINITY;
const invalid = (name: string): unknown =>
  expect.objectContaining({ code: "parameter.invalid", fields: expect.objectContaining({ name }) });

describe("laws of likelihood ratios", () => {
  const lawOf = (nodes: readonly number[], q: readonly number[], infiniteP = 0): RatioLaw => ({
    ...{ slots: 1, infiniteP, error: 1e-14, ratioError: 1e-15 },
    ...{ nodes: Float64Array.from(nodes), q: Float64Array.from(q) },
  });
  const slot = lawOf([0.5, 1.5], [0.5, 0.5]);
  const copy = lawOf([0.5, 1.5], [0.5, 0.5]);
  const mass = ({ q }: RatioLaw): number => q.reduce((a, b) => a + b, 0);
  const mean = ({ q, nodes }: RatioLaw): number => q.reduce((sum, each, i) => sum + each * nodes[i]!, 0);
  /** E[(S/slots − bar)₊] under Q. */
  const over = ({ q, nodes, slots, infiniteP }: RatioLaw, bar: number): number =>
    q.reduce((sum, each, i) => sum + each * Math.max(0, nodes[i]! / slots - bar), infiniteP);
  const kinds = ["dominating", "dominated"] as const;

  it.each(kinds)("%s: sums are 1, 2 and 3 by ¼, ½ and ¼, of two slots", (kind) => {
    for (const law of [addSlots(slot, slot, kind, 300, 1e-12), addSlots(slot, copy, kind, 300, 1e-12)]) {
      expect(law.slots).toBe(2);
      expect(mass(law)).toBeCloseTo(1, 13);
      expect(mean(law) + 2 * law.infiniteP).toBeCloseTo(2, 8);
      for (const bar of [0.4, 0.75, 1, 1.3]) {
        const truth =
          0.25 * Math.max(0, 0.5 - bar) + 0.5 * Math.max(0, 1 - bar) + 0.25 * Math.max(0, 1.5 - bar);
        if (kind === "dominating") expect(over(law, bar)).toBeGreaterThanOrEqual(truth - 1e-14);
        else expect(over(law, bar)).toBeLessThanOrEqual(truth + 1e-14);
        expect(over(law, bar)).toBeCloseTo(truth, 2);
      }
      for (let i = 1; i < law.nodes.length; i++) expect(law.nodes[i]!).toBeGreaterThan(law.nodes[i - 1]!);
      // Errors never shrink.
      expect(law.error).toBeGreaterThanOrEqual(2e-14);
      expect(law.error).toBeLessThan(1e-11);
      expect(law.ratioError).toBeGreaterThan(1e-15);
    }
  });

  it.each(kinds)("%s: products are ¼, ¾ and 9/4 by ¼, ½ and ¼, of one slot", (kind) => {
    for (const law of [
      composeRatios(slot, slot, kind, 300, 1e-12),
      composeRatios(slot, copy, kind, 300, 1e-12),
    ]) {
      expect(law.slots).toBe(1);
      expect(mass(law)).toBeCloseTo(1, 13);
      expect(mean(law) + law.infiniteP).toBeCloseTo(1, 8);
      for (const bar of [0.5, 1, 2]) {
        const truth = 0.5 * Math.max(0, 0.75 - bar) + 0.25 * Math.max(0, 2.25 - bar);
        if (kind === "dominating") expect(over(law, bar)).toBeGreaterThanOrEqual(truth - 1e-14);
        else expect(over(law, bar)).toBeLessThanOrEqual(truth + 1e-14);
        expect(over(law, bar)).toBeCloseTo(truth, 2);
      }
      expect(law.ratioError).toBeGreaterThanOrEqual(2e-15);
      expect(law.error).toBeGreaterThanOrEqual(2e-14);
    }
  });

  it("carry what P alone has: shares of a sum, all of a product", () => {
    const [little, much] = [lawOf([0.5, 1.5], [0.5, 0.5], 0.01), lawOf([0.5, 1.5], [0.5, 0.5], 0.03)];
    const sum = addSlots(little, much, "dominating", 300, 1e-12);
    expect(sum.infiniteP).toBeGreaterThanOrEqual(0.02);
    expect(sum.infiniteP).toBeCloseTo(0.02, 8);
    // Three slots beside one: the share of each is that of its slots.
    const three = { ...little, slots: 3, nodes: Float64Array.of(1.5, 4.5) };
    expect(addSlots(three, much, "dominating", 300, 1e-12).infiniteP).toBeCloseTo(0.015, 8);
    expect(addSlots(three, much, "dominating", 300, 1e-12).slots).toBe(4);
    const product = composeRatios(little, much, "dominating", 300, 1e-12);
    expect(product.infiniteP).toBeGreaterThanOrEqual(0.04);
    expect(product.infiniteP).toBeCloseTo(0.04, 8);
  });

  it("of all slots are read as ratios of one", () => {
    const two = { ...slot, slots: 2 };
    expect(normalized(two)).toMatchObject({ slots: 1, infiniteP: 0, error: 1e-14 });
    expect([...normalized(two).nodes]).toEqual([0.25, 0.75]);
    expect(normalized(two).q).toEqual(two.q);
    expect(normalized(two).ratioError).toBeGreaterThan(1e-15);
  });
});

describe("a random allocation", () => {
  const run = (steps: number, selected: number, sigma = 1, sensitivity = 1) =>
    randomAllocation({ steps, selected, sigma, sensitivity }, 400);
  const theorem = "random allocation, pairs of likelihood ratios";

  it("has both ends of one of all and of all of all, and an upper one between", () => {
    for (const [steps, selected, lower] of [
      [4, 1, theorem],
      [3, 3, theorem],
      [4, 2, "trivial"],
    ] as const) {
      const allocation = run(steps, selected);
      for (const bounds of [allocation.delta(0.5), allocation.epsilon(1e-3)]) {
        expect(bounds.provenance).toEqual({ lower, upper: theorem });
        if (lower === "trivial") expect(bounds.lower).toBe(0);
        else expect(bounds.lower).toBeGreaterThan(0.9 * bounds.upper);
      }
      const pair = allocation.pair();
      expect(pair).toMatchObject({ tight: false, discrete: true });
      expect(pair.group(1)).toBeNull();
      if (lower === "trivial") expect(pair.reached).toBeUndefined();
      else {
        expect(pair.reached).toHaveLength(1);
        expect(pair.reached![0]).toMatchObject({ tight: true, infiniteP: 0, infiniteQ: 0 });
        expect(pair.reached![0]!.group(1)).toBeNull();
        expect(pair.reached![0]!.lossError).toBeGreaterThan(0);
        expect(pair.reached![0]!.id).not.toBe(pair.id);
      }
    }
  });

  it("whose worse direction it says has that of both", () => {
    const allocation = run(6, 1);
    for (const epsilon of [0.1, 1]) {
      const { remove, add } = allocation.directed(epsilon);
      const whole = allocation.delta(epsilon);
      expect(whole.upper).toBe(Math.max(remove.upper, add.upper));
      expect(whole.lower).toBe(Math.max(remove.lower, add.lower));
      expect(remove.upper).toBeGreaterThan(add.upper);
    }
  });

  it("that uses nothing loses nothing, and says why", () => {
    for (const allocation of [run(4, 0), run(4, 2, 1, 0)]) {
      const nothing = {
        ...{ lower: 0, upper: 0, provenance: { lower: "no use of the data", upper: "no use of the data" } },
      };
      expect(allocation.delta(0)).toEqual({ ...nothing });
      expect(allocation.epsilon(0)).toEqual(nothing);
      expect(allocation.directed(1)).toEqual({ remove: nothing, add: nothing });
      const pair = allocation.pair();
      expect(pair).toMatchObject({ tight: true, maxLoss: 0, maxReverseLoss: 0, infiniteP: 0, infiniteQ: 0 });
      expect(pair.reached).toBeUndefined();
      expect(pair.group(5)!.maxLoss).toBe(0);
    }
  });

  it("has no ε at δ = 0, and none that is told at a δ beyond doubles", () => {
    const allocation = run(4, 1);
    expect(allocation.epsilon(0)).toEqual({
      ...{ lower: inf, upper: inf, provenance: { lower: theorem, upper: theorem } },
    });
    expect(allocation.epsilon(1e-290)).toEqual({
      ...{ lower: 0, upper: inf, provenance: { lower: "trivial", upper: "trivial" } },
    });
    for (const delta of [-1e-300, 1, Number.NaN])
      expect(() => allocation.epsilon(delta)).toThrow(invalid("delta"));
    for (const epsilon of [-1, inf, Number.NaN]) {
      expect(() => allocation.delta(epsilon)).toThrow(invalid("epsilon"));
      expect(() => allocation.directed(epsilon)).toThrow(invalid("epsilon"));
    }
    for (const tail of [0, 0.011, -1, Number.NaN])
      expect(() => allocation.pair(tail)).toThrow(invalid("tail"));
    expect(() => allocation.pair(0.01)).not.toThrow();
  });

  it("of more steps than are counted is bounded from above alone", () => {
    const bounds = run(2 ** 31, 1).delta(1e-4);
    expect(bounds).toMatchObject({ lower: 0, provenance: { lower: "trivial", upper: theorem } });
    expect(bounds.upper).toBeLessThan(1e-3);
  });

  it("has a name of all that makes its pair", () => {
    const ids = [run(4, 1), run(5, 1), run(4, 2), run(4, 1, 2), run(4, 1, 1, 2)].map(
      (allocation) => allocation.pair().id,
    );
    ids.push(
      run(4, 1).pair(1e-9).id,
      randomAllocation({ steps: 4, selected: 1, sigma: 1, sensitivity: 1 }, 500).pair().id,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("shuffled reports", () => {
  it("lose nothing beyond ε₀, and no more is claimed than ε₀ of reports that lose over 100", () => {
    const at = (epsilon0: number, epsilon: number): number =>
      shuffleDelta({ reports: 50, epsilon0, epsilon });
    expect([at(1, 1), at(1, 1.5), at(101, 101)]).toEqual([0, 0, 0]);
    expect(at(101, 100.9)).toBe(1);
    expect(at(100, 99)).toBeLessThanOrEqual(1);
    expect(at(100, 99)).toBeGreaterThan(0);
    expect(shuffleEpsilon({ reports: 50, epsilon0: 101, delta: 0.5 })).toBe(101);
    expect(shuffleEpsilon({ reports: 50, epsilon0: 1, delta: 0 })).toBe(1);
    expect(shuffleEpsilon({ reports: 10_000, epsilon0: 0.1, delta: 0.5 })).toBe(0);
  });

  it("count as 10⁹ where they are more, and are the clone's unless stated", () => {
    const shuffle = { epsilon0: 1, epsilon: 1e-4 };
    expect(shuffleDelta({ ...shuffle, reports: 3e9 })).toBe(shuffleDelta({ ...shuffle, reports: 1e9 }));
    const some = { reports: 100, epsilon0: 1, epsilon: 0.2 };
    expect(shuffleDelta(some)).toBe(shuffleDelta({ ...some, variant: "clone" }));
    expect(shuffleDelta({ ...some, variant: "stronger-clone" })).toBeLessThan(shuffleDelta(some));
  });

  it("have a pair of 1000 points unless stated, named after what they are", () => {
    const reports = { reports: 100, epsilon0: 1 } as const;
    const ids = [
      ...[shufflePair(reports), shufflePair({ ...reports, variant: "stronger-clone" })],
      ...[shufflePair({ ...reports, reports: 101 }), shufflePair({ ...reports, epsilon0: 2 })],
      shufflePair(reports, 500),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(shufflePair({ ...reports, variant: "clone" }, 1000).id).toBe(shufflePair(reports).id);
    expect(shufflePair(reports, 50)).toMatchObject({ tight: false, infiniteP: 0 });
    // Reports that lose over 100 are claimed to tell all below ε₀, and nothing is told beyond it.
    expect(shufflePair({ reports: 5, epsilon0: 101 }, 50).infiniteP).toBe(0);
    expect(shufflePair({ reports: 5, epsilon0: 101 }, 50).maxLoss).toBeGreaterThanOrEqual(101);
  });
});

describe("profiles on samples", () => {
  const remove = (epsilon: number): number => Math.exp(-epsilon) / 2;
  const added = (epsilon: number): number => Math.exp(-2 * epsilon) / 2;
  const profile = { remove, add: added };
  const justAbove = (found: number, due: number): void => {
    expect(found).toBeGreaterThanOrEqual(due * (1 - 1e-15));
    expect(found).toBeLessThanOrEqual(due * (1 + 1e-12) + 1e-300);
  };

  it("of replaced units go away from one and on to the other, at half the ε each", () => {
    const replaced = replacedBound(profile);
    for (const epsilon of [0, 0.5, 3])
      justAbove(
        replaced(epsilon),
        Math.min(1, remove(epsilon / 2) + Math.exp(epsilon / 2) * added(epsilon / 2)),
      );
    expect(replacedBound({ remove: () => 1, add: () => 1 })(1)).toBe(1);
    for (const epsilon of [-1, inf, Number.NaN]) expect(() => replaced(epsilon)).toThrow(invalid("epsilon"));
    expect(() => replacedBound({ remove: () => -1, add: added })(0)).toThrow(invalid("delta of the profile"));
  });

  it("under replace-one are q·((1 − β)·δ₁ + β·δ₂) at ln(1 + (e^ε − 1)/q)", () => {
    const both = (epsilon: number): number => 0.9 * Math.exp(-epsilon / 2);
    const sampled = profilePoissonReplaceOne(profile, 0.25, both);
    for (const epsilon of [0, 0.3, 1]) {
      const inner = Math.log1p(Math.expm1(epsilon) / 0.25);
      const beta = Math.exp(epsilon - inner);
      justAbove(sampled(epsilon), 0.25 * ((1 - beta) * remove(inner) + beta * both(inner)));
    }
    // Where one unit alone is told better than two apart, that is what counts.
    const less = profilePoissonReplaceOne(profile, 0.25, () => 0);
    justAbove(less(0.3), 0.25 * remove(Math.log1p(Math.expm1(0.3) / 0.25)));
    justAbove(profilePoissonReplaceOne(profile, 1, both)(0.7), both(0.7));
    expect(profilePoissonReplaceOne(profile, 0, both)(0.7)).toBe(0);
    justAbove(profilePoissonReplaceOne(profile, 1)(0.7), replacedBound(profile)(0.7));
    for (const rate of [-0.1, 1.1, Number.NaN])
      expect(() => profilePoissonReplaceOne(profile, rate)).toThrow(invalid("rate"));
    expect(() => sampled(-1)).toThrow(invalid("epsilon"));
    expect(() => profilePoissonReplaceOne(profile, 0, both)(-1)).toThrow(invalid("epsilon"));
  });

  it("of a unit that comes end at −ln(1 − q)", () => {
    const { add: sampled } = profilePoisson(profile, 0.5);
    for (const epsilon of [0, 0.3, 0.6]) {
      const c = 1 - Math.exp(epsilon) * 0.5;
      justAbove(sampled(epsilon), c * added(epsilon + Math.log(0.5 / c)));
    }
    expect(sampled(Math.LN2 + 1e-9)).toBe(0);
    expect(sampled(700)).toBe(0);
    expect(profilePoisson(profile, 1).add(0.5)).toBe(added(0.5));
    expect(profilePoisson({ remove, add: () => 3 }, 1).add(0.5)).toBe(1);
  });
});

describe("the exact loss of a sample", () => {
  const grid = 1n << 40n;
  const poisson = (rate: Rational) => ({ kind: "poisson", rate }) as const;
  /** Not below, and above by less than a step of the grid. */
  function onGrid(found: Rational, least: Rational, most: Rational): void {
    expect((found.num * grid) % found.den).toBe(0n);
    expect(compare(found, least)).toBeGreaterThanOrEqual(0);
    expect(compare(subtract(found, most), ratio(1n, grid))).toBeLessThanOrEqual(0);
  }

  it("is ln(1 + q(e^ε − 1)) and qδ, or with replaced units ln(1 + q(e^ε − 1)) − ln(1 − q(1 − e^−ε)) and qδ(1 + e^(ε′−ε))", () => {
    for (const [epsilon, q] of [
      ["1/2", "1/10"],
      ["1", "1/3"],
      ["5", "1/1000000"],
      ["1/1000000", "9/10"],
    ].map((texts) => texts.map((text) => parseRational(text)))) {
      const delta = parseRational("1e-9");
      const [up, down] = [expBracket(epsilon!, 200), expBracket(negate(epsilon!), 200)];
      const grown = (power: Rational): Rational => add(one, multiply(q!, subtract(power, one)));
      const added = subsampledLoss({ epsilon: epsilon!, delta }, poisson(q!), "add-or-remove-one");
      onGrid(added.epsilon, lnBracket(grown(up.lo), 150).lo, lnBracket(grown(up.hi), 150).hi);
      expect(added.delta).toEqual(multiply(q!, delta));
      const replaced = subsampledLoss({ epsilon: epsilon!, delta }, poisson(q!), "replace-one");
      const quotient = (a: Rational, b: Rational): Rational => divide(grown(a), grown(b));
      onGrid(
        replaced.epsilon,
        lnBracket(quotient(up.lo, down.hi), 150).lo,
        lnBracket(quotient(up.hi, down.lo), 150).hi,
      );
      const factor = add(one, expBracket(subtract(replaced.epsilon, epsilon!), 150).lo);
      const due = multiply(multiply(q!, delta), factor);
      expect(compare(replaced.delta, due)).toBeGreaterThanOrEqual(0);
      expect(toDouble(replaced.delta, "up")).toBeLessThanOrEqual(toDouble(due, "up") * (1 + 1e-12));
      const none = subsampledLoss({ epsilon: epsilon!, delta: zero }, poisson(q!), "replace-one");
      expect(none.delta).toEqual(zero);
      const fixed = { kind: "without-replacement", population: q!.den, sample: q!.num } as const;
      expect(subsampledLoss({ epsilon: epsilon!, delta }, fixed, "replace-one")).toEqual(added);
    }
  });

  it("of all units, one of them replaced, is a group's of two, and δ is 1 where e^ε is beyond telling", () => {
    const at = (epsilon: bigint, delta: Rational) =>
      subsampledLoss({ epsilon: ratio(epsilon), delta }, poisson(one), "replace-one");
    expect(at(3n, zero)).toEqual({ epsilon: ratio(6n), delta: zero });
    const tiny = ratio(1n, 10n ** 600n);
    expect(at(1025n, tiny)).toEqual({ epsilon: ratio(2050n), delta: one });
    expect(compare(at(1024n, tiny).delta, one)).toBe(-1);
    expect(at(1024n, one).delta).toEqual(one);
    expect(at(2000n, zero).delta).toEqual(zero);
  });

  it("names what it refuses, and where a proof is missing which pairing has one", () => {
    const loss = { epsilon: one, delta: zero };
    expect(() => subsampledLoss({ ...loss, epsilon: ratio(-1n) }, poisson(one), "replace-one")).toThrow(
      invalid("epsilon"),
    );
    expect(() => subsampledLoss({ ...loss, delta: ratio(2n) }, poisson(one), "replace-one")).toThrow(
      invalid("delta"),
    );
    expect(() => subsampledLoss(loss, poisson(one), "both" as never)).toThrow(invalid("adjacency"));
    expect(() => samplingRate(poisson(ratio(3n, 2n)))).toThrow(invalid("rate"));
    const fixed = { kind: "without-replacement", population: 9n, sample: 3n } as const;
    expect(samplingRate(fixed)).toEqual(ratio(1n, 3n));
    expect(() => samplingRate({ ...fixed, population: 0n })).toThrow(invalid("population"));
    expect(() => samplingRate({ ...fixed, sample: 10n })).toThrow(invalid("sample"));
    expect(() => subsampledLoss(loss, fixed, "add-or-remove-one")).toThrow(
      "one for which without-replacement sampling has a proof: replace-one for samples without replacement",
    );
    expect(unprovenPairing("poisson", "replace-one")).toMatchObject({ code: "parameter.invalid" });
  });
});
