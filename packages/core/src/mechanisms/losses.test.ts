import { describe, expect, it } from "vitest";
import type { Event, EventOf, LeafKind } from "../events/event.ts";
import { mixed } from "../losses/measures/mixed.ts";
import type { ProvableLosses } from "../losses/provable-losses.ts";
import { compare, parseRational, ratio, toText, zero } from "../numeric/rational.ts";
import { boundedRangeDelta } from "./declared/bounded-range-pair.ts";
import { proveLosses } from "./registry.ts";

/* What each kind of event loses, by hand, and both ends of its numbers. */

const invalid = expect.objectContaining({ code: "parameter.invalid" });
const losses = (event: Event): ProvableLosses =>
  (proveLosses[event.kind as LeafKind] as (leaf: Event) => ProvableLosses)(event);

const laplace = (scale: string, l1: string): Event => ({ kind: "laplace", version: 1, scale, l1 });
const rounded = (sigma: string, l2Squared: string): Event => ({
  ...{ kind: "rounded-gaussian", version: 1, sigma, l2Squared },
});
const discrete = (sigmaSquared: string, l2Squared: string): Event => ({
  ...{ kind: "discrete-gaussian", version: 1, sigmaSquared, l2Squared },
});
const ideal = (sigma: string, sensitivity: string): Event => ({
  ...{ kind: "gaussian", version: 1, sigma, sensitivity },
});
const idealLaplace = (scale: string, sensitivity: string): Event => ({
  ...{ kind: "continuous-laplace", version: 1, scale, sensitivity },
});
const shuffle = (reports: string, epsilon: string): Event => ({
  kind: "shuffle",
  version: 1,
  reports,
  epsilon,
});
const allocation = (over: Partial<EventOf<"random-allocation">>): Event => ({
  ...{ kind: "random-allocation", version: 1, steps: "10", selected: "3", sigma: "1", sensitivity: "1" },
  ...over,
});
const mixture = (sigma: string, ...moves: string[]): Event => ({
  ...{ kind: "gaussian-mixture", version: 1, sigma },
  moves: moves.map((move) => ({ weight: `1/${moves.length}`, move })),
});
const finite = (p: readonly string[], q: readonly string[]): Event => ({
  kind: "finite-pair",
  version: 1,
  p,
  q,
});

interface Due {
  /** ε of pure DP; null where there is none. */
  readonly pure: string | null;
  /** The Laplace ε, Gaussian µ², zCDP ρ and δ of an exact account under approximate DP. */
  readonly epsilon?: string;
  readonly muSquared?: string;
  readonly rho?: string;
  readonly delta?: string;
  /** ρ of zCDP, with the same δ. */
  readonly zcdp: string;
}

describe("the exact losses", () => {
  it.each<readonly [Event, Due]>([
    [laplace("4", "2"), { pure: "1/2", epsilon: "1/2", zcdp: "1/8" }],
    [laplace("4", "0"), { pure: "0", zcdp: "0" }],
    [idealLaplace("3", "1/2"), { pure: "1/6", epsilon: "1/6", zcdp: "1/72" }],
    [rounded("2", "9"), { pure: null, muSquared: "9/4", zcdp: "9/8" }],
    [rounded("2", "0"), { pure: "0", zcdp: "0" }],
    [discrete("4", "9"), { pure: null, rho: "9/8", zcdp: "9/8" }],
    [discrete("4", "0"), { pure: "0", zcdp: "0" }],
    [ideal("2", "3"), { pure: null, muSquared: "9/4", zcdp: "9/8" }],
    [ideal("2", "0"), { pure: "0", zcdp: "0" }],
    [
      { kind: "constant", version: 1 },
      { pure: "0", zcdp: "0" },
    ],
    [
      { kind: "pure", version: 1, epsilon: "3" },
      { pure: "3", epsilon: "3", zcdp: "9/2" },
    ],
    [
      { kind: "bounded-range", version: 1, epsilon: "4" },
      { pure: "4", epsilon: "4", zcdp: "2" },
    ],
    [
      { kind: "gaussian-dp", version: 1, muSquared: "9/4" },
      { pure: null, muSquared: "9/4", zcdp: "9/8" },
    ],
    [
      { kind: "gaussian-dp", version: 1, muSquared: "0" },
      { pure: "0", zcdp: "0" },
    ],
    [
      { kind: "zcdp", version: 1, rho: "1/3" },
      { pure: null, rho: "1/3", zcdp: "1/3" },
    ],
    [
      { kind: "approximate", version: 1, epsilon: "1/2", delta: "1/9" },
      { pure: null, epsilon: "1/2", delta: "1/9", zcdp: "1/8" },
    ],
    [
      { kind: "approximate", version: 1, epsilon: "1/2", delta: "0" },
      { pure: "1/2", epsilon: "1/2", zcdp: "1/8" },
    ],
    [finite(["1/3", "2/3"], ["1/3", "2/3"]), { pure: "0", zcdp: "0" }],
  ])("of %o are %o", (event, { pure, epsilon = "0", muSquared = "0", rho = "0", delta = "0", zcdp }) => {
    const found = losses(event);
    expect(found.pure).toEqual(pure === null ? null : { measure: "pure", epsilon: parseRational(pure) });
    expect(found.mixed).toEqual({
      ...mixed.zero,
      epsilon: parseRational(epsilon),
      muSquared: parseRational(muSquared),
      rho: parseRational(rho),
      delta: parseRational(delta),
    });
    const due = parseRational(zcdp);
    expect(found.zcdp).toEqual({ measure: "zcdp", rho: due, delta: parseRational(delta) });
  });

  it("of a finite pair are ln of its largest ratio, and the larger of the masses that one side alone has", () => {
    for (const [p, q, ratioMost, delta] of [
      [["3/4", "1/4"], ["1/4", "3/4"], 3, zero],
      [["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"], 2, ratio(1n, 4n)],
      [["1/4", "1/2", "1/4"], ["1/2", "1/2", "0"], 2, ratio(1n, 4n)],
      [["1/8", "1/2", "3/8", "0"], ["0", "1/2", "3/8", "1/8"], 1, ratio(1n, 8n)],
      [["1/8", "1/8", "3/4", "0"], ["0", "0", "1/4", "3/4"], 3, ratio(3n, 4n)],
      // An outcome that neither has says nothing.
      [["1/3", "2/3", "0"], ["2/3", "1/3", "0"], 2, zero],
    ] as const) {
      const found = losses(finite(p, q));
      const { epsilon } = found.mixed!;
      const double = Number(epsilon.num) / Number(epsilon.den);
      expect(double).toBeGreaterThanOrEqual(Math.log(ratioMost) - 1e-15);
      expect(double).toBeLessThanOrEqual(Math.log(ratioMost) + 2 ** -39);
      expect(found.mixed!.delta).toEqual(delta);
      expect(found.pure === null).toBe(compare(delta, zero) > 0);
      if (found.pure) expect(toText(found.pure.epsilon)).toBe(toText(epsilon));
    }
  });

  it.each([shuffle("5", "1"), allocation({}), mixture("1", "1")])(
    "of %o are left to calculators",
    (event) => {
      expect(losses(event)).toMatchObject({ pure: null, mixed: null, zcdp: null });
    },
  );
});

describe("the forms of calculators", () => {
  it("are randomized response's where an integer moves by one, and no more than it where it moves by more", () => {
    expect(losses(laplace("4", "1")).renyi!.tight).toBe(true);
    expect(losses(laplace("4", "0")).renyi!.tight).toBe(true);
    expect(losses(laplace("4", "2")).renyi!.tight).toBe(false);
    const pairAt = (l1: string) => losses(laplace("4", l1)).pair!;
    expect(pairAt("0").maxLoss).toBe(0);
    expect(pairAt("1")).toMatchObject({ tight: true });
    expect(pairAt("1").maxLoss).toBeCloseTo(0.25, 12);
    expect(pairAt("4").maxLoss).toBeCloseTo(1, 9);
    // A long shift is bounded by real noise of a slightly larger ε.
    expect(losses(laplace("8192", "4096")).pair!.id).not.toBe(losses(laplace("8194", "4097")).pair!.id);
    expect(losses(laplace("8194", "4097")).pair).toMatchObject({ tight: false });
    expect(losses(laplace("8194", "4097")).pair!.maxLoss).toBeCloseTo(0.5 + 1 / (4 * 8194 ** 2), 12);
  });

  it("are of the masses that are drawn where a Gaussian integer moves by one, and none where it moves otherwise", () => {
    for (const [event, has] of [
      [rounded("50", "1"), true],
      [rounded("50.001", "1"), false],
      [rounded("2", "4"), false],
      [rounded("2", "0"), false],
      [discrete("4", "1"), true],
      [discrete("4", "4"), false],
      [discrete("4", "2"), false],
    ] as const)
      expect(losses(event).pair !== null, JSON.stringify(event)).toBe(has);
    expect(losses(rounded("2", "1")).renyi!.tight).toBe(false);
    // D₃ = 3·µ²/2.
    expect(losses(rounded("2", "9")).renyi!.at(3)).toBeCloseTo(27 / 8, 9);
    expect(losses(discrete("4", "9")).renyi!.at(3)).toBeCloseTo(27 / 8, 9);
    expect(losses(ideal("2", "3")).renyi!.at(3)).toBeCloseTo(27 / 8, 9);
    expect(losses({ kind: "zcdp", version: 1, rho: "1/3" }).renyi!.at(3)).toBeCloseTo(1, 9);
    expect(losses(ideal("2", "3")).pair).not.toBeNull();
    expect(losses(idealLaplace("2", "1")).pair!.maxLoss).toBeCloseTo(0.5, 12);
  });

  it("say nothing of what doubles cannot hold", () => {
    expect(losses({ kind: "bounded-range", version: 1, epsilon: "600" }).pair).not.toBeNull();
    expect(losses({ kind: "bounded-range", version: 1, epsilon: "601" }).pair).toBeNull();
    expect(losses({ kind: "bounded-range", version: 1, epsilon: "0" }).pair!.maxLoss).toBe(0);
  });

  it("of bounded range take ε above 0 to 600, at any ε′ from 0", () => {
    for (const epsilon of [0, -1, 600.1, Number.NaN])
      expect(() => boundedRangeDelta(epsilon, 0)).toThrow(invalid);
    for (const at of [-1e-9, Number.NaN]) expect(() => boundedRangeDelta(1, at)).toThrow(invalid);
    expect(boundedRangeDelta(600, 0)).toBeLessThanOrEqual(1);
    expect(boundedRangeDelta(600, 0)).toBeCloseTo(1, 12);
    expect([boundedRangeDelta(2, 2), boundedRangeDelta(2, 3)]).toEqual([0, 0]);
    expect(boundedRangeDelta(2, 1.999)).toBeGreaterThan(0);
    expect(boundedRangeDelta(1, 0)).toBeGreaterThanOrEqual(Math.tanh(0.25));
  });
});

describe("numbers of an event", () => {
  it.each<readonly [string, readonly Event[], readonly Event[]]>([
    [
      "laplace",
      [laplace("1e-9", "0"), laplace("1", "7")],
      [laplace("0", "1"), laplace("-1", "1"), laplace("1", "-1"), laplace("1", "1/2")],
    ],
    [
      "rounded-gaussian",
      [rounded("1e-9", "0")],
      [rounded("0", "1"), rounded("1", "-1"), rounded("1", "1/2")],
    ],
    [
      "discrete-gaussian",
      [discrete("1e-9", "0")],
      [discrete("0", "1"), discrete("1", "-1"), discrete("1", "1/2")],
    ],
    ["gaussian", [ideal("1e-9", "0"), ideal("1", "1/2")], [ideal("0", "1"), ideal("1", "-1/9")]],
    ["continuous-laplace", [idealLaplace("1e-9", "0")], [idealLaplace("0", "1"), idealLaplace("1", "-1/9")]],
    [
      "shuffle",
      [shuffle("1", "0"), shuffle("9", "1")],
      [shuffle("0", "1"), shuffle("3/2", "1"), shuffle("1", "-1")],
    ],
    [
      "random-allocation",
      [
        allocation({}),
        allocation({ selected: "10" }),
        allocation({ steps: "1", selected: "1" }),
        allocation({ sensitivity: "0" }),
      ],
      [
        allocation({ selected: "11" }),
        allocation({ selected: "0" }),
        allocation({ steps: "0" }),
        allocation({ sigma: "0" }),
        allocation({ sensitivity: "-1" }),
      ],
    ],
    ["gaussian-mixture", [mixture("1", "0", "2")], [mixture("0", "1"), mixture("1", "1", "-1")]],
    [
      "finite-pair",
      [finite(["1"], ["1"])],
      [
        finite(["1"], ["1/2", "1/2"]),
        finite(["1/2"], ["1/2"]),
        finite(["2", "-1"], ["1/2", "1/2"]),
        finite(["1/2", "1/2"], ["1", "1"]),
      ],
    ],
  ])("of %s are taken and refused at their ends", (_, taken, refused) => {
    for (const event of taken) expect(() => losses(event), JSON.stringify(event)).not.toThrow();
    for (const event of refused) expect(() => losses(event), JSON.stringify(event)).toThrow(invalid);
  });
});
