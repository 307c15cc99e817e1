import type { LossAlgebra } from "@lethe/core/accounting";
import { describe, expect, it } from "vitest";

export interface AlgebraSubject<L> {
  readonly algebra: LossAlgebra<L>;
  /** Losses of single mechanisms, each stronger than the one before: at every δ the ε grows, at every ε the δ does. */
  readonly ladder: readonly L[];
  /** The relative difference that two ways to the same loss may have. */
  readonly tolerance: number;
  /** The operations that the algebra must support on the ladder, and those for which no theorem is known to it. */
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

/** Tests the properties that every algebra of loss must have, whatever it holds. */
export function algebraContract<L>(name: string, subject: AlgebraSubject<L>): void {
  const { algebra, ladder, tolerance, supports } = subject;
  const [first] = ladder as readonly [L, ...L[]];
  const near = (a: number, b: number): boolean =>
    a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b)) + 1e-14;

  function sameCurve(a: L, b: L): void {
    const [left, right] = [algebra.curve(a), algebra.curve(b)];
    for (const delta of deltas) {
      const [x, y] = [left.epsilon(delta), right.epsilon(delta)];
      expect(near(x.upper, y.upper), `ε at δ ${delta}: ${x.upper} and ${y.upper}`).toBe(true);
    }
    for (const epsilon of epsilons) {
      const [x, y] = [left.delta(epsilon), right.delta(epsilon)];
      expect(near(x.upper, y.upper), `δ at ε ${epsilon}: ${x.upper} and ${y.upper}`).toBe(true);
    }
  }

  describe(`${name}: a algebra of loss`, () => {
    it("has a zero that costs nothing and changes nothing", () => {
      const none = algebra.curve(algebra.none);
      expect(none.epsilon(0).upper).toBe(0);
      expect(none.delta(0).upper).toBe(0);
      expect(none.tradeoff(0.25).lower).toBeCloseTo(0.75, 12);
      sameCurve(algebra.compose([algebra.none, first]), first);
      sameCurve(algebra.compose([]), algebra.none);
      sameCurve(algebra.power(first, 0n), algebra.none);
    });

    it("composes n copies to the n-th power", () => {
      for (const loss of ladder) {
        for (const n of counts) {
          sameCurve(algebra.compose(Array.from({ length: Number(n) }, () => loss)), algebra.power(loss, n));
        }
        sameCurve(algebra.power(algebra.power(loss, 2n), 3n), algebra.power(loss, 6n));
      }
    });

    it("composes in any order and grouping", () => {
      const [a, b, c] = [first, ladder.at(-1)!, ladder[Math.floor(ladder.length / 2)]!];
      sameCurve(algebra.compose([a, b, c]), algebra.compose([c, algebra.compose([b, a])]));
    });

    it("gives intervals of numbers in their domains, with names for both ends", () => {
      for (const loss of [algebra.none, ...ladder, algebra.power(first, 1_000_000_000n)]) {
        const curve = algebra.curve(loss);
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
        const curve = algebra.curve(loss);
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
        const curve = algebra.curve(loss);
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
          const [quiet, loud] = [algebra.curve(losses[i - 1]!), algebra.curve(losses[i]!)];
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
      grows([1n, 2n, 7n, 40n].map((n) => algebra.power(first, n)));
      if (supports.group) grows([1n, 2n, 5n].map((k) => algebra.group(first, k)!));
    });

    it("supports what it says, and says null to the rest", () => {
      const half = { kind: "poisson", rate: 0.5 } as const;
      const fixed = { kind: "without-replacement", population: 10, sample: 5 } as const;
      const got = {
        group: algebra.group(first, 2n),
        mix: algebra.mix([
          { weight: 0.5, loss: first },
          { weight: 0.5, loss: ladder.at(-1)! },
        ]),
        poisson: algebra.sample(first, half, "add-or-remove-one"),
        withoutReplacement: algebra.sample(first, fixed, "replace-one"),
      };
      for (const [operation, value] of Object.entries(got)) {
        expect(value !== null, operation).toBe(supports[operation as keyof typeof supports]);
      }
      // No theorem pairs a fixed-size sample with units that come and go.
      expect(algebra.sample(first, fixed, "add-or-remove-one")).toBeNull();
    });

    it("loses no more on a sample than on everyone, and nothing on nobody", () => {
      const full = algebra.sample(first, { kind: "poisson", rate: 1 }, "add-or-remove-one");
      const nobody = algebra.sample(first, { kind: "poisson", rate: 0 }, "add-or-remove-one");
      const some = algebra.sample(first, { kind: "poisson", rate: 0.25 }, "add-or-remove-one");
      if (!(full && nobody && some)) return expect(supports.poisson).toBe(false);
      sameCurve(full, first);
      sameCurve(nobody, algebra.none);
      for (const delta of deltas) {
        const [sampled, whole] = [algebra.curve(some).epsilon(delta), algebra.curve(first).epsilon(delta)];
        expect(sampled.lower).toBeLessThanOrEqual(whole.upper);
      }
      return undefined;
    });
  });
}
