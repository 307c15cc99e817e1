import { LetheError } from "@lethe/core/errors";
import { doubleAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUp } from "./add-up.ts";
import { flat, isCertified, perLayer, unitScale } from "./clip-scale.ts";
import { clipToGrid } from "./clip-to-grid.ts";
import { gridBits } from "./clipped-gradients.ts";
import type { UnitGradient } from "./unit-gradient.ts";

const dense = (...values: number[]): UnitGradient => [
  { kind: "dense", group: 0, values: Float32Array.from(values) },
];
const integersOf = (gradient: UnitGradient, clip: number): number[] =>
  [...clipToGrid(gradient, clip, flat).integers].map((v) => v + 0);
/** Σ v², in integers. */
const squares = (integers: Iterable<number>): bigint =>
  [...integers].reduce((sum, v) => sum + BigInt(v) ** 2n, 0n);
const most = 1n << BigInt(2 * gridBits);

/** Any float32 there is. */
const anyFloat = fc.float();
const anyClip = fc.oneof(fc.constant(1), fc.double({ min: 2 ** -64, max: 2 ** 64, noNaN: true }));
const part = fc.oneof(
  fc.array(anyFloat, { minLength: 1, maxLength: 20 }).map((values) => ({
    kind: "dense" as const,
    values: Float32Array.from(values),
  })),
  fc
    .tuple(
      fc.array(anyFloat, { minLength: 1, maxLength: 6 }),
      fc.array(anyFloat, { minLength: 1, maxLength: 5 }),
    )
    .map(([x, d]) => ({ kind: "outer" as const, x: Float32Array.from(x), d: Float32Array.from(d) })),
);
const anyGradient = fc.array(part, { minLength: 1, maxLength: 4 });

describe("a unit's vector on the grid", () => {
  it("is the gradient where that is short, cut toward zero", () => {
    expect(integersOf(dense(0.5, -0.25, 0), 1)).toEqual([524_287, -262_143, 0]);
    expect(integersOf(dense(3e-7, -3e-7), 1)).toEqual([0, 0]);
  });

  it("has the clip's norm where the gradient is long, and its direction", () => {
    const v = integersOf(dense(30, -40), 2);
    expect(v).toEqual([629_145, -838_860]);
    expect(Math.sqrt(Number(squares(v))) / 2 ** gridBits).toBeCloseTo(1, 5);
  });

  it("never has more than the clip, whatever float32 the gradient holds, and whatever the clip", () => {
    fc.assert(
      fc.property(anyGradient, anyClip, fc.boolean(), (parts, clip, apart) => {
        const gradient = parts.map((each, group) => ({ ...each, group: apart ? group : 0 }));
        const shares = apart ? perLayer(parts.map((_, i) => i + 1)) : flat;
        const { integers } = clipToGrid(gradient, clip, shares);
        return integers.every(Number.isInteger) && squares(integers) <= most;
      }),
      { numRuns: 3000 },
    );
  });

  it("is entry by entry no longer than the gradient, and has no other sign", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true }), { maxLength: 30 }), anyClip, (values, clip) => {
        const gradient = Float32Array.from(values);
        const { integers } = clipToGrid([{ kind: "dense", group: 0, values: gradient }], clip, flat);
        return integers.every((v, i) => {
          const g = gradient[i] ?? 0;
          return (
            v === 0 || (Math.sign(v) === Math.sign(g) && Math.abs(v) <= (Math.abs(g) / clip) * 2 ** gridBits)
          );
        });
      }),
      { numRuns: 2000 },
    );
  });

  it("uses nearly all of the clip: a looser cut would waste what is paid for", () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: 1, max: 100, noNaN: true }), { minLength: 1, maxLength: 64 }),
        (values) => {
          const norm = Math.sqrt(Number(squares(integersOf(dense(...values), 0.5)))) / 2 ** gridBits;
          return norm > 1 - 1e-4 && norm <= 1;
        },
      ),
    );
  });
});

describe("a unit counts 0", () => {
  it.each([
    ["a NaN", [1, Number.NaN]],
    ["an infinity", [1, Number.NEGATIVE_INFINITY]],
    ["infinities whose sum is none", [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
  ])("with %s", (_name, values) => {
    const found = clipToGrid(dense(...values), 1, flat);
    expect([...found.integers]).toEqual([0, 0]);
    expect(found.unclipped).toBe(false);
  });

  it("whole, where one of its groups does", () => {
    const gradient: UnitGradient = [
      { kind: "dense", group: 0, values: Float32Array.of(1) },
      { kind: "dense", group: 1, values: Float32Array.of(Number.NaN) },
    ];
    expect([...clipToGrid(gradient, 1, perLayer([1, 1])).integers]).toEqual([0, 0]);
  });

  it("where the scaled factors of a product were longer than the clip", () => {
    // Rounded to float32 the scaled d is the least number above 0, some times what it was.
    const gradient: UnitGradient = [
      { kind: "outer", group: 0, x: Float32Array.of(3e38), d: Float32Array.of(1e-45) },
    ];
    const { integers } = clipToGrid(gradient, 2 ** 64, flat);
    expect(squares(integers)).toBeLessThanOrEqual(most);
    expect(isCertified(Number(most) * 2, 1)).toBe(false);
    expect(isCertified(Number.NaN, 1)).toBe(false);
  });
});

describe("huge gradients", () => {
  it("of four equal entries do not wrap to 0: each is half of the clip", () => {
    // Converted to 32 bits first, each would be ±2^31, and four squares of 2^62 add up to 0 in 64 bits.
    const huge = 3.4e38;
    const v = integersOf(dense(huge, -huge, huge, -huge), 1);
    expect(v).toEqual([524_287, -524_287, 524_287, -524_287]);
    expect(squares(v)).toBeLessThanOrEqual(most);
    expect(BigInt.asUintN(64, 4n * (1n << 31n) ** 2n)).toBe(0n);
  });

  it("are clipped at every size between the least and the largest clip", () => {
    for (const clip of [2 ** -64, 1e-3, 1, 1e3, 2 ** 64]) {
      const v = integersOf(dense(...new Array<number>(1000).fill(3.4e38)), clip);
      expect(v.every((value) => value === v[0])).toBe(true);
      expect(Math.sqrt(Number(squares(v))) / 2 ** gridBits).toBeCloseTo(1, 4);
    }
  });
});

describe("per-layer clips", () => {
  it("add up to the whole: Σ C_l² = C², rounded down", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 40 }),
        (weights) => {
          const sum = perLayer(weights).reduce((total, share) => total + share * share, 0);
          return sum <= 1 && sum > 1 - 1e-11;
        },
      ),
    );
  });

  it("clip each layer by itself", () => {
    const gradient: UnitGradient = [
      { kind: "dense", group: 0, values: Float32Array.of(300, 400) },
      { kind: "dense", group: 1, values: Float32Array.of(0.3) },
    ];
    const { integers, unclipped } = clipToGrid(gradient, 1, perLayer([3, 4]));
    expect([...integers].map((v) => v / 2 ** gridBits)).toEqual([
      expect.closeTo(0.36, 5),
      expect.closeTo(0.48, 5),
      expect.closeTo(0.3, 5),
    ]);
    expect(unclipped).toBe(false);
  });

  it.each([[[]], [[1, 0]], [[1, -1]], [[Number.NaN]], [[Number.POSITIVE_INFINITY]]])(
    "refuse %j",
    (weights) => {
      expect(() => perLayer(weights)).toThrow(LetheError);
    },
  );
});

describe("what is not clipped", () => {
  it("is counted where every group's norm is at most its clip", () => {
    expect(unitScale(Float64Array.of(1), 1, flat).unclipped).toBe(true);
    expect(unitScale(Float64Array.of(1.0000001), 1, flat).unclipped).toBe(false);
    expect(unitScale(Float64Array.of(0), 1, flat).unclipped).toBe(true);
  });
});

it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e-30, 1e30])("a clip of %s is refused", (clip) => {
  expect(() => clipToGrid(dense(1), clip, flat)).toThrow(/clip must be a number between 2\^-64 and 2\^64/);
});

it("sums are the same in any order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyFloat, anyFloat, anyFloat), { maxLength: 20 }),
      fc.infiniteStream(fc.nat()),
      (gradients, order) => {
        const units = gradients.map((values) => clipToGrid(dense(...values), 1, flat));
        const shuffled = units
          .map((unit) => ({ unit, key: order.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ unit }) => unit);
        const [a, b] = [addUp(3, units), addUp(3, shuffled)];
        return a.unclipped === b.unclipped && a.sums.every((v, i) => v === doubleAt(b.sums, i));
      },
    ),
  );
});

it("a unit added or removed moves the sum by its own vector, of at most the clip", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyFloat, anyFloat), { minLength: 1, maxLength: 12 }), (gradients) => {
      const units = gradients.map((values) => clipToGrid(dense(...values), 0.7, flat));
      const [all, fewer] = [addUp(2, units), addUp(2, units.slice(1))];
      return squares(all.sums.map((v, i) => v - doubleAt(fewer.sums, i))) <= most;
    }),
  );
});
