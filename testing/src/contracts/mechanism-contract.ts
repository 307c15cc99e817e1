import { type EventOf, parseRational, type Rational, ratio } from "@lethe/core";
import {
  approximateFromMixed,
  approximateFromZcdp,
  type LeafKind,
  type ProvableLosses,
} from "@lethe/core/accounting";
import type { Mechanism } from "@lethe/core/mechanisms";
import { compare, expBracket, multiply, one, sum, zero } from "@lethe/core/numeric";
import { describe, expect, it } from "vitest";
import { hockeyStick, type Neighbours, renyiMoment, reversed } from "./mechanism-hockey-stick.ts";

/** An event of the mechanism, with what it does on pairs of neighbours, computed from mass functions alone. */
export interface MechanismCase<K extends LeafKind> {
  readonly name: string;
  readonly event: EventOf<K>;
  readonly neighbours: readonly Neighbours[];
}

export interface MechanismSubject<K extends LeafKind> {
  readonly mechanism: Mechanism<K>;
  /** The measures under which a finite loss must be declared for every case. */
  readonly proves: { readonly [M in keyof ProvableLosses]: boolean };
  readonly cases: readonly MechanismCase<K>[];
  /** Events from the most to the least noise, all else equal: each must cost strictly more than the one before. */
  readonly ladder: readonly EventOf<K>[];
}

const deltas: readonly Rational[] = ["0.1", "1e-3", "1e-6"].map((text) => parseRational(text));

/** Whether exact sums show that an (ε, δ) claim is false for a pair, in either direction. */
export function refuted(neighbours: Neighbours, epsilon: Rational, delta: Rational): boolean {
  return [neighbours, reversed(neighbours)].some((pair) => compare(hockeyStick(pair, epsilon).lo, delta) > 0);
}

/** Whether exact sums show that a ρ-zCDP claim is false at a small integer order, in either direction. */
export function refutedRho(neighbours: Neighbours, rho: Rational): boolean {
  return [neighbours, reversed(neighbours)].some((pair) =>
    [2, 3, 6].some((alpha) => {
      const bound = expBracket(multiply(ratio(BigInt((alpha - 1) * alpha)), rho), 160).hi;
      return compare(renyiMoment(pair, alpha), bound) > 0;
    }),
  );
}

/** Whether a true mass function can sum to 1: the sum of lower ends is at most 1, and the sum of upper ends at least 1. */
function sumsToOne({ outcomes, rest }: Neighbours): boolean {
  return (["p", "q"] as const).every((side) => {
    const low = sum(outcomes.map((outcome) => outcome[side].lo));
    const high = sum([...outcomes.map((outcome) => outcome[side].hi), rest]);
    return compare(low, one) <= 0 && compare(high, one) >= 0;
  });
}

const numbers = {
  pure: (losses: ProvableLosses) => [losses.pure?.epsilon],
  mixed: ({ mixed: m }: ProvableLosses) => [m?.epsilon, m?.delta, m?.muSquared, m?.rho],
  zcdp: (losses: ProvableLosses) => [losses.zcdp?.rho, losses.zcdp?.delta],
} as const;

/** Tests the losses that a mechanism declares. */
export function mechanismContract<K extends LeafKind>(name: string, subject: MechanismSubject<K>): void {
  const { mechanism, proves, cases, ladder } = subject;

  describe(`${name}: declared losses`, () => {
    describe.each(cases.map((each) => [each.name, each] as const))("%s", (_name, { event, neighbours }) => {
      const losses = mechanism.losses(event);

      it("are there for every measure that can be proven, and for no other", () => {
        for (const measure of ["pure", "mixed", "zcdp"] as const) {
          expect(losses[measure] !== null, measure).toBe(proves[measure]);
        }
      });

      it("stand against mass functions that sum to 1, with E[e^(-loss)] ≤ 1", () => {
        expect(neighbours.length).toBeGreaterThan(0);
        for (const pair of neighbours) {
          expect(sumsToOne(pair)).toBe(true);
          for (const { outcomes } of [pair, reversed(pair)]) {
            const inverse = sum(outcomes.flatMap(({ p, q }) => (p.hi.num > 0n ? [q.lo] : [])));
            expect(compare(inverse, one)).toBeLessThanOrEqual(0);
          }
        }
      });

      it("bound the hockey-stick divergence in both directions", () => {
        for (const pair of neighbours) {
          if (losses.pure) expect(refuted(pair, losses.pure.epsilon, zero), "pure").toBe(false);
          for (const extra of deltas) {
            if (losses.mixed) {
              const claim = approximateFromMixed(losses.mixed, sum([losses.mixed.delta, extra]));
              expect(refuted(pair, claim.epsilon, claim.delta), "approximate").toBe(false);
            }
            if (losses.zcdp) {
              const claim = approximateFromZcdp(losses.zcdp, sum([losses.zcdp.delta, extra]));
              expect(refuted(pair, claim.epsilon, claim.delta), "zcdp").toBe(false);
            }
          }
        }
      });

      it("bound the Rényi divergence where δ is 0", () => {
        const { zcdp } = losses;
        if (zcdp === null || zcdp.delta.num !== 0n) return;
        for (const pair of neighbours) expect(refutedRho(pair, zcdp.rho)).toBe(false);
      });
    });

    it("grow as the noise shrinks", () => {
      expect(ladder.length).toBeGreaterThan(1);
      for (let i = 1; i < ladder.length; i += 1) {
        const quiet = mechanism.losses(ladder[i - 1]!);
        const loud = mechanism.losses(ladder[i]!);
        for (const measure of ["pure", "mixed", "zcdp"] as const) {
          const before = numbers[measure](quiet);
          const after = numbers[measure](loud);
          const signs = before.map((x, at) => (x && after[at] ? compare(after[at], x) : 0));
          expect(Math.min(...signs), measure).toBeGreaterThanOrEqual(0);
          if (proves[measure]) expect(Math.max(...signs), measure).toBe(1);
        }
      }
    });
  });
}
