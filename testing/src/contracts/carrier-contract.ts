import type { Carrier } from "@lethe/core";
import { describe, expect, it } from "vitest";

export interface CarrierSubject<L> {
  readonly carrier: Carrier<L>;
  /** Losses of single mechanisms, each stronger than the one before: at every δ the ε grows, at every ε the δ does. */
  readonly ladder: readonly L[];
  /** The relative difference that two ways to the same loss may have. */
  readonly tolerance: number;
  /** The operations that the carrier must support on the ladder, and those for which no theorem is known to it. */
  readonly supports: {
    readonly group: boolean;
    readonly mix: boolean;
    readonly poisson: boolean;
    readonly withoutReplacement: boolean;
  };
}

const epsilons = [0, 0.05, 0.5, 1, 3, 10] as const;
const deltas = [1e-12, 1e-6, 1e-3, 0.1, 0.5] as const;
const counts = [1n, 2n, 5n] as const;

/** Tests the properties that every representation of loss must have, whatever it holds. */
export function carrierContract<L>(name: string, subject: CarrierSubject<L>): void {
  const { carrier, ladder, tolerance, supports } = subject;
  const [first] = ladder as readonly [L, ...L[]];
  const near = (a: number, b: number): boolean =>
    a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)) + 1e-14;

  function sameCurve(a: L, b: L): void {
    const [left, right] = [carrier.curve(a), carrier.curve(b)];
    for (const delta of deltas) {
      const [x, y] = [left.epsilon(delta), right.epsilon(delta)];
      expect(near(x.upper, y.upper), `ε at δ ${delta}: ${x.upper} and ${y.upper}`).toBe(true);
    }
    for (const epsilon of epsilons) {
      const [x, y] = [left.delta(epsilon), right.delta(epsilon)];
      expect(near(x.upper, y.upper), `δ at ε ${epsilon}: ${x.upper} and ${y.upper}`).toBe(true);
    }
  }

  describe(`${name}: a carrier of loss`, () => {
    it("has a zero that costs nothing and changes nothing", () => {
      const none = carrier.curve(carrier.none);
      expect(none.epsilon(0).upper).toBe(0);
      expect(none.delta(0).upper).toBe(0);
      expect(none.tradeoff(0.25).lower).toBeCloseTo(0.75, 12);
      sameCurve(carrier.compose([carrier.none, first]), first);
      sameCurve(carrier.compose([]), carrier.none);
      sameCurve(carrier.power(first, 0n), carrier.none);
    });

    it("composes n copies to the n-th power", () => {
      for (const loss of ladder) {
        for (const n of counts) {
          sameCurve(carrier.compose(Array.from({ length: Number(n) }, () => loss)), carrier.power(loss, n));
        }
        sameCurve(carrier.power(carrier.power(loss, 2n), 3n), carrier.power(loss, 6n));
      }
    });

    it("composes in any order and grouping", () => {
      const [a, b, c] = [first, ladder.at(-1)!, ladder[Math.floor(ladder.length / 2)]!];
      sameCurve(carrier.compose([a, b, c]), carrier.compose([c, carrier.compose([b, a])]));
    });

    it("gives intervals of numbers in their domains, with names for both ends", () => {
      for (const loss of [carrier.none, ...ladder, carrier.power(first, 1_000_000_000n)]) {
        const curve = carrier.curve(loss);
        const asked = [
          ...deltas.map((delta) => ({ ...curve.epsilon(delta), most: Number.POSITIVE_INFINITY })),
          ...epsilons.map((epsilon) => ({ ...curve.delta(epsilon), most: 1 })),
          ...[0, 1e-9, 0.3, 0.999, 1].map((alpha) => ({ ...curve.tradeoff(alpha), most: 1 })),
        ];
        for (const { lower, upper, most, provenance } of asked) {
          expect(lower).toBeGreaterThanOrEqual(0);
          expect(lower).toBeLessThanOrEqual(upper);
          expect(upper).toBeLessThanOrEqual(most);
          expect(provenance.lower.length * provenance.upper.length).toBeGreaterThan(0);
        }
      }
    });

    it("falls in ε, in δ, and in α", () => {
      for (const loss of ladder) {
        const curve = carrier.curve(loss);
        const falls = (values: readonly number[]): void => {
          for (let i = 1; i < values.length; i += 1) {
            expect(values[i]).toBeLessThanOrEqual(values[i - 1]! * (1 + tolerance));
          }
        };
        falls(epsilons.map((epsilon) => curve.delta(epsilon).upper));
        falls(deltas.map((delta) => curve.epsilon(delta).upper));
        falls([0, 1e-6, 0.1, 0.5, 0.9, 1].map((alpha) => curve.tradeoff(alpha).lower));
      }
    });

    it("inverts: the ε at δ has at most that δ", () => {
      for (const loss of ladder) {
        const curve = carrier.curve(loss);
        for (const delta of deltas) {
          const { upper } = curve.epsilon(delta);
          if (!Number.isFinite(upper)) continue;
          expect(curve.delta(upper).lower).toBeLessThanOrEqual(delta * (1 + tolerance));
          // Next to the end of its support δ falls steeply, and the two searches may round differently.
          expect(curve.delta(upper + tolerance).upper).toBeLessThanOrEqual(delta * (1 + 1e-3));
        }
      }
    });

    it("grows along the ladder, with each copy and with each member of a group", () => {
      const grows = (losses: readonly L[]): void => {
        for (let i = 1; i < losses.length; i += 1) {
          const [quiet, loud] = [carrier.curve(losses[i - 1]!), carrier.curve(losses[i]!)];
          for (const delta of deltas) {
            expect(loud.epsilon(delta).upper).toBeGreaterThanOrEqual(
              quiet.epsilon(delta).lower * (1 - tolerance),
            );
          }
          for (const epsilon of epsilons) {
            expect(loud.delta(epsilon).upper).toBeGreaterThanOrEqual(
              quiet.delta(epsilon).lower * (1 - tolerance),
            );
          }
        }
      };
      expect(ladder.length).toBeGreaterThan(1);
      grows(ladder);
      grows([1n, 2n, 7n, 40n].map((n) => carrier.power(first, n)));
      if (supports.group) grows([1n, 2n, 5n].map((k) => carrier.group(first, k)!));
    });

    it("supports what it says, and says null to the rest", () => {
      const half = { kind: "poisson", rate: 0.5 } as const;
      const fixed = { kind: "without-replacement", population: 10, sample: 5 } as const;
      const got = {
        group: carrier.group(first, 2n),
        mix: carrier.mix([
          { weight: 0.5, loss: first },
          { weight: 0.5, loss: ladder.at(-1)! },
        ]),
        poisson: carrier.sample(first, half, "add-or-remove-one"),
        withoutReplacement: carrier.sample(first, fixed, "replace-one"),
      };
      for (const [operation, value] of Object.entries(got)) {
        expect(value !== null, operation).toBe(supports[operation as keyof typeof supports]);
      }
      // No theorem pairs a fixed-size sample with units that come and go.
      expect(carrier.sample(first, fixed, "add-or-remove-one")).toBeNull();
    });

    it("loses no more on a sample than on everyone, and nothing on nobody", () => {
      const full = carrier.sample(first, { kind: "poisson", rate: 1 }, "add-or-remove-one");
      const nobody = carrier.sample(first, { kind: "poisson", rate: 0 }, "add-or-remove-one");
      const some = carrier.sample(first, { kind: "poisson", rate: 0.25 }, "add-or-remove-one");
      if (!(full && nobody && some)) return expect(supports.poisson).toBe(false);
      sameCurve(full, first);
      sameCurve(nobody, carrier.none);
      for (const delta of deltas) {
        const [sampled, whole] = [carrier.curve(some).epsilon(delta), carrier.curve(first).epsilon(delta)];
        expect(sampled.lower).toBeLessThanOrEqual(whole.upper);
      }
      return undefined;
    });
  });
}
