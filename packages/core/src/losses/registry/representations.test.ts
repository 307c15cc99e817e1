import { describe, expect, it } from "vitest";
import type { LeafKind } from "../../events/event.ts";
import { parseRational, type Rational, ratio, zero } from "../../numeric/rational.ts";
import { approximateRepresentation } from "../approximate/approximate-representation.ts";
import { finite } from "../finite.ts";
import { gaussianRepresentation } from "../gaussian/gaussian-representation.ts";
import { laplacePair } from "../pld/pairs/index.ts";
import { pldRepresentation } from "../pld/pld-representation.ts";
import type { ProvableLosses } from "../provable-losses.ts";
import { pureRepresentation } from "../pure/pure-representation.ts";
import { gaussianRenyi, laplaceRenyi } from "../renyi/curves/index.ts";
import { renyiRepresentation } from "../renyi/renyi-representation.ts";
import { zcdpRepresentation } from "../zcdp/zcdp-representation.ts";
import { allRepresentations } from "./all-representations.ts";
import { lightRepresentations } from "./light-representations.ts";

const huge = parseRational("1e400");
const half = ratio(1n, 2n);
type Numbers = Partial<Record<"epsilon" | "delta" | "muSquared" | "rho", Rational>>;
const mixed = (numbers: Numbers): ProvableLosses => ({
  pure: null,
  mixed: { measure: "mixed", epsilon: zero, delta: zero, muSquared: zero, rho: zero, ...numbers },
  zcdp: null,
});
const nothing: ProvableLosses = { pure: null, mixed: null, zcdp: null };
const kind: LeafKind = "laplace";

describe("the representations", () => {
  it("are asked the exact one first, then the likely tightest", () => {
    const ids = (representations: typeof allRepresentations): readonly string[] =>
      representations.map(({ algebra }) => algebra.id);
    expect(ids(allRepresentations)).toEqual(["gaussian", "pld", "renyi", "approximate", "pure", "zcdp"]);
    expect(ids(lightRepresentations)).toEqual(["gaussian", "renyi", "approximate", "pure", "zcdp"]);
  });

  it("have no word of a loss that is not declared", () => {
    for (const representation of allRepresentations)
      expect(representation.leaf(nothing, kind), representation.algebra.id).toBeNull();
  });

  it("hold numbers of doubles, the least at or above", () => {
    expect(finite(half)).toBe(0.5);
    expect(finite(ratio(1n, 3n))! * 3).toBeGreaterThanOrEqual(1);
    expect(finite(parseRational("1e-400"))).toBe(Number.MIN_VALUE);
    expect(finite(huge)).toBeNull();
  });
});

describe("(ε, δ)", () => {
  it("is that of noise without a Gaussian or a zCDP part", () => {
    const loss = approximateRepresentation.leaf(mixed({ epsilon: half, delta: half }), kind);
    expect(loss).toEqual({ terms: [{ epsilon: 0.5, delta: 0.5, count: 1n }], tight: false });
    for (const other of [{ muSquared: half }, { rho: half }, { epsilon: huge }])
      expect(approximateRepresentation.leaf(mixed({ epsilon: half, ...other }), kind)).toBeNull();
  });
  it("is reached where nothing but it is claimed", () => {
    const tight = (of: LeafKind) => approximateRepresentation.leaf(mixed({ epsilon: half }), of)!.tight;
    expect([tight("pure"), tight("approximate"), tight("laplace"), tight("bounded-range")]).toEqual([
      ...[true, true, false, false],
    ]);
  });
  it("of a pure loss has δ = 0, and is reached where that is", () => {
    const [fromPure] = approximateRepresentation.from;
    expect(fromPure).toMatchObject({ from: "pure", direction: "exact" });
    const term = { epsilon: 2, delta: 0, count: 1n };
    expect(fromPure!.convert({ epsilon: 2, tight: true })).toEqual({ terms: [term], tight: true });
    expect(fromPure!.convert({ epsilon: 2 })).toEqual({ terms: [term], tight: false });
  });
});

describe("Gaussian privacy", () => {
  it("is that of noise of nothing but a Gaussian part", () => {
    expect(gaussianRepresentation.leaf(mixed({ muSquared: half }), "rounded-gaussian")).toEqual({
      ...{ muSquared: 0.5, tight: false },
    });
    for (const other of [{ epsilon: half }, { delta: half }, { rho: half }, { muSquared: huge }])
      expect(gaussianRepresentation.leaf(mixed({ muSquared: half, ...other }), kind)).toBeNull();
  });
  it("is reached by Gaussian noise on real numbers, and by nothing told", () => {
    const tight = (of: LeafKind) => gaussianRepresentation.leaf(mixed({ muSquared: half }), of)!.tight;
    expect([tight("gaussian"), tight("constant"), tight("rounded-gaussian")]).toEqual([true, true, false]);
  });
  it("of a random allocation is that of all selected steps", () => {
    const run = {
      kind: "random-allocation",
      version: 1,
      steps: "9",
      selected: "4",
      sigma: "2",
      sensitivity: "3",
    } as const;
    const special = gaussianRepresentation.special!["random-allocation"]!;
    expect(special(run, "add-or-remove-one")).toEqual({ muSquared: expect.closeTo(9, 12) });
    expect(special(run, "add-or-remove-one")!.muSquared).toBeGreaterThanOrEqual(9);
    expect(special(run, "replace-one")).toBeNull();
    expect(special({ ...run, sensitivity: "1e400" }, "add-or-remove-one")).toBeNull();
  });
});

describe("pure privacy", () => {
  const declared = (epsilon: Rational): ProvableLosses => ({
    ...nothing,
    pure: { measure: "pure", epsilon },
  });
  it("is what is declared, and reached where nothing but it is claimed", () => {
    expect(pureRepresentation.leaf(declared(half), "pure")).toEqual({ epsilon: 0.5, tight: true });
    expect(pureRepresentation.leaf(declared(half), "laplace")).toEqual({ epsilon: 0.5, tight: false });
    expect(pureRepresentation.leaf(declared(huge), "pure")).toBeNull();
  });
  it("of a shuffle is that of one report, under replace-one", () => {
    const special = pureRepresentation.special!.shuffle!;
    const event = { kind: "shuffle", version: 1, reports: "9", epsilon: "1/2" } as const;
    expect(special(event, "replace-one")).toEqual({ epsilon: 0.5 });
    expect(special(event, "add-or-remove-one")).toBeNull();
    expect(special({ ...event, epsilon: "1e400" }, "replace-one")).toBeNull();
  });
  it("of a best outcome is at most (2 + η)·ε, and ε + mean·tanh(ε/2) of a Poisson number", () => {
    const loss = { epsilon: 1, tight: true };
    const geometric = pureRepresentation.select!(loss, {
      law: "negative-binomial",
      shape: "1",
      stop: "1/1000000",
    })!;
    expect(geometric.epsilon).toBeGreaterThan(2.999);
    expect(geometric.epsilon).toBeLessThanOrEqual(3);
    expect(geometric.tight ?? false).toBe(false);
    const poisson = pureRepresentation.select!(loss, { law: "poisson", mean: "3" })!;
    expect(poisson.epsilon).toBeCloseTo(1 + 3 * Math.tanh(0.5), 10);
    expect(poisson.epsilon).toBeGreaterThanOrEqual(1 + 3 * Math.tanh(0.5));
  });
});

describe("concentrated privacy", () => {
  const zcdp = (rho: Rational, delta = zero): ProvableLosses["zcdp"] => ({ measure: "zcdp", rho, delta });
  const whole = (rho: number) => ({ rho, omega: Number.POSITIVE_INFINITY });
  it("is what is declared without a δ, or what a pure loss is worth, the less of both", () => {
    expect(zcdpRepresentation.leaf({ ...nothing, zcdp: zcdp(half) }, kind)).toEqual(whole(0.5));
    expect(zcdpRepresentation.leaf({ ...nothing, zcdp: zcdp(half, half) }, kind)).toBeNull();
    expect(zcdpRepresentation.leaf({ ...nothing, zcdp: zcdp(huge) }, kind)).toBeNull();
    const pure = { measure: "pure", epsilon: ratio(1n) } as const;
    // tanh(½) = 0.462.
    expect(zcdpRepresentation.leaf({ ...nothing, pure, zcdp: zcdp(half) }, kind)!.rho).toBeCloseTo(
      Math.tanh(0.5),
      12,
    );
    expect(zcdpRepresentation.leaf({ ...nothing, pure, zcdp: zcdp(ratio(1n, 4n)) }, kind)).toEqual(
      whole(0.25),
    );
  });
  it("of a Gaussian is μ²/2, of a pure loss ε·tanh(ε/2)", () => {
    const [fromGaussian, fromPure] = zcdpRepresentation.from;
    expect([fromGaussian!.from, fromPure!.from]).toEqual(["gaussian", "pure"]);
    expect([fromGaussian!.direction, fromPure!.direction]).toEqual(["exact", "upper"]);
    expect(fromGaussian!.convert({ muSquared: 3 })).toEqual(whole(1.5));
    expect(fromPure!.convert({ epsilon: 2 })!.rho).toBeCloseTo(2 * Math.tanh(1), 12);
  });
});

describe("Rényi privacy", () => {
  const at2 = (loss: ReturnType<typeof renyiRepresentation.leaf>): readonly number[] =>
    loss!.terms.map(({ curve }) => curve.at(2));
  it("is a declared curve, or what the parts of a mixed loss add up to", () => {
    const curve = laplaceRenyi(1);
    expect(renyiRepresentation.leaf({ ...mixed({ epsilon: half }), renyi: curve }, kind)!.terms).toEqual([
      { curve, count: 1n },
    ]);
    expect(at2(renyiRepresentation.leaf(mixed({ muSquared: half }), kind))).toEqual([
      expect.closeTo(0.5, 11),
    ]);
    expect(at2(renyiRepresentation.leaf(mixed({ rho: half }), kind))).toEqual([expect.closeTo(1, 11)]);
    expect(
      renyiRepresentation.leaf(mixed({ epsilon: half, muSquared: half, rho: half }), kind)!.terms,
    ).toHaveLength(3);
    expect(renyiRepresentation.leaf(mixed({}), kind)!.terms).toEqual([]);
    for (const other of [{ delta: half }, { epsilon: huge }, { muSquared: huge }, { rho: huge }])
      expect(renyiRepresentation.leaf(mixed(other), kind)).toBeNull();
    // Parts of a bound are bounds.
    for (const numbers of [{ epsilon: half }, { muSquared: half }])
      expect(renyiRepresentation.leaf(mixed(numbers), kind)!.terms[0]!.curve.tight ?? false).toBe(false);
  });
  it("of Gaussian, pure and zCDP losses is their curve, as tight as they are", () => {
    const [fromGaussian, fromPure, fromZcdp] = renyiRepresentation.from;
    expect(renyiRepresentation.from.map(({ from }) => from)).toEqual(["gaussian", "pure", "zcdp"]);
    expect(renyiRepresentation.from.every(({ direction, late }) => direction === "exact" && !late)).toBe(
      true,
    );
    expect(at2(fromGaussian!.convert({ muSquared: 0.5 }))).toEqual([expect.closeTo(0.5, 11)]);
    // Randomized response at α = 2: ln((p³ + q³)/(pq)) of p = e/(1 + e).
    const [p, q] = [Math.E / (1 + Math.E), 1 / (1 + Math.E)];
    expect(at2(fromPure!.convert({ epsilon: 1 }))).toEqual([
      expect.closeTo(Math.log(p ** 2 / q + q ** 2 / p), 10),
    ]);
    expect(at2(fromZcdp!.convert({ rho: 0.5, omega: 3 }))).toEqual([expect.closeTo(1, 11)]);
    for (const tight of [true, false]) {
      expect(fromGaussian!.convert({ muSquared: 1, tight })!.terms[0]!.curve.tight).toBe(tight);
      expect(fromPure!.convert({ epsilon: 1, tight })!.terms[0]!.curve.tight).toBe(tight);
    }
    expect(fromGaussian!.convert({ muSquared: 1 })!.terms[0]!.curve.tight).toBe(false);
  });
  it("of a best outcome is one curve, of more than one run's", () => {
    const loss = { terms: [{ curve: gaussianRenyi(0.25), count: 2n }] };
    for (const trials of [
      { law: "poisson", mean: "3" },
      { law: "negative-binomial", shape: "1", stop: "1/4" },
    ] as const) {
      const { terms } = renyiRepresentation.select!(loss, trials)!;
      expect(terms.map(({ count }) => count)).toEqual([1n]);
      expect(terms[0]!.curve.at(8)).toBeGreaterThan(2 * gaussianRenyi(0.25).at(8));
    }
  });
});

describe("privacy-loss distributions", () => {
  const pairsOf = (loss: ReturnType<typeof pldRepresentation.leaf>) =>
    loss!.cases[0]!.map(({ pair }) => pair);
  it("are of a declared pair, or of what the parts of a mixed loss are at worst", () => {
    const pair = laplacePair(1);
    expect(pairsOf(pldRepresentation.leaf({ ...mixed({ epsilon: half }), pair }, kind))).toEqual([pair]);
    const both = pairsOf(
      pldRepresentation.leaf(mixed({ epsilon: half, delta: half, muSquared: ratio(4n) }), kind),
    );
    expect(both).toHaveLength(2);
    expect(both[0]).toMatchObject({ tight: false, infiniteP: 0.5 });
    // A bound by a Gaussian is none of the Gaussians that are one together.
    expect(both[1]).toMatchObject({ tight: false, gaussian: null, gaussianAtMost: expect.closeTo(2, 14) });
    expect(both[1]!.group(3)).toMatchObject({
      tight: false,
      gaussian: null,
      gaussianAtMost: expect.closeTo(6, 14),
    });
    expect(both[1]!.gaussianAtMost).toBeGreaterThanOrEqual(2);
    expect(both[1]!.group(501)).toBeNull();
    expect(pairsOf(pldRepresentation.leaf(mixed({ epsilon: half }), kind))).toHaveLength(1);
    for (const other of [{ rho: half }, { epsilon: huge }, { muSquared: huge }])
      expect(pldRepresentation.leaf(mixed(other), kind)).toBeNull();
  });
  it("of Gaussian, (ε, δ) and pure losses are their worst pairs, as tight as they are", () => {
    const [fromGaussian, fromApproximate, fromPure, fromRenyi] = pldRepresentation.from;
    expect(pldRepresentation.from.map(({ from }) => from)).toEqual([
      "gaussian",
      "approximate",
      "pure",
      "renyi",
    ]);
    expect(pldRepresentation.from.map(({ late }) => late ?? false)).toEqual([false, false, false, true]);
    expect(pldRepresentation.from.map(({ direction }) => direction)).toEqual([
      "exact",
      "exact",
      "exact",
      "upper",
    ]);
    for (const tight of [true, false]) {
      const [gaussian] = pairsOf(fromGaussian!.convert({ muSquared: 4, tight }));
      expect(gaussian).toMatchObject({ tight, gaussian: tight ? expect.closeTo(2, 14) : null });
      const terms = [{ epsilon: 1, delta: 0.25, count: 3n }];
      const [counted] = fromApproximate!.convert({ terms, tight })!.cases[0]!;
      expect(counted).toMatchObject({ count: 3n, pair: { tight, infiniteP: 0.25 } });
      expect(pairsOf(fromPure!.convert({ epsilon: 1, tight }))[0]).toMatchObject({ tight, infiniteP: 0 });
    }
    expect(pairsOf(fromPure!.convert({ epsilon: 1 }))[0]!.tight).toBe(false);
    // Two Rényi curves are never taken for one pair.
    const one = { terms: [{ curve: gaussianRenyi(0.25), count: 1n }] };
    const [first, second] = [fromRenyi!.convert(one), fromRenyi!.convert(one)].map(
      (loss) => pairsOf(loss)[0]!,
    );
    expect(first!.id).not.toBe(second!.id);
    expect(first!.tight).toBe(false);
  });
  it("are not asked where they are bounds by Gaussians alone, which the Gaussian representation has exactly", () => {
    const bound = pldRepresentation.from[0]!.convert({ muSquared: 4 })!;
    const exact = pldRepresentation.from[0]!.convert({ muSquared: 4, tight: true })!;
    expect(pldRepresentation.redundant!(bound)).toBe(true);
    expect(pldRepresentation.redundant!(exact)).toBe(false);
    expect(pldRepresentation.redundant!({ cases: [[...bound.cases[0]!, ...exact.cases[0]!]] })).toBe(false);
    expect(pldRepresentation.redundant!({ cases: [bound.cases[0]!, exact.cases[0]!] })).toBe(false);
    expect(pldRepresentation.redundant!({ cases: [[]] })).toBe(false);
  });
  it("of a shuffle and an allocation are known under one adjacency each", () => {
    const { shuffle, "random-allocation": allocation } = pldRepresentation.special!;
    const reports = { kind: "shuffle", version: 1, reports: "9", epsilon: "1/2" } as const;
    expect(shuffle!(reports, "add-or-remove-one")).toBeNull();
    expect(shuffle!({ ...reports, epsilon: "1e400" }, "replace-one")).toBeNull();
    const run = {
      kind: "random-allocation",
      version: 1,
      steps: "2",
      selected: "1",
      sigma: "2",
      sensitivity: "1",
    };
    expect(allocation!(run as never, "replace-one")).toBeNull();
  });
});
