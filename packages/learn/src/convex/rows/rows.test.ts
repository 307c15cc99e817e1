import { openExact, SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { constantsOf } from "../problem/convex-problem.ts";
import { problems } from "../testing/samples.ts";
import { intoBall } from "./ball.ts";
import { gradientStep, gradientSums, unitOnGrid } from "./gradient-sums.ts";
import { gridSensitivity, onGrid } from "./on-grid.ts";
import type { OwnedRows } from "./owned-rows.ts";
import { addTimes, innerProduct } from "./row-vectors.ts";
import { sealedUnitRows } from "./sealed-rows.ts";
import { secretOrder } from "./secret-order.ts";
import { firstRows, type UnitRows, unitRows } from "./unit-rows.ts";
import { vertexScores } from "./vertex-scores.ts";

const anything = fc.oneof(
  fc.double({ min: -2, max: 2 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308, -1e-308, 1e200),
);
const row = fc.record({
  features: fc.array(anything, { minLength: 3, maxLength: 3 }),
  label: anything,
  unit: fc.nat(4),
});
type Row = { readonly features: readonly number[]; readonly label: number; readonly unit: number };
const owned = (rows: readonly Row[]): OwnedRows => ({
  features: rows.flatMap(({ features }) => features),
  labels: rows.map(({ label }) => label),
  units: rows.map(({ unit }) => unit),
});
const weightsIn = (radius: number, from: readonly number[]): Float64Array => {
  const w = Float64Array.from(from, (x) => (Number.isFinite(x) ? x : 1));
  intoBall(w, radius);
  return w;
};
/** All entries of every row. */
const dense = ({ features, labels }: UnitRows): number[][] =>
  Array.from(labels, (_, row) => {
    const into = new Float64Array(features.dimension);
    addTimes(features, row, 1, into);
    return [...into];
  });
const square = (v: Float64Array): number => v.reduce((sum, x) => sum + x * x, 0);

describe.each(problems)("gradients of the loss $loss.name", (problem) => {
  const sumAt = (rows: readonly Row[], w: Float64Array): Float64Array =>
    openExact(gradientSums(problem, sealedUnitRows(problem, owned(rows)))(w));

  it("move by at most 2^20 when a unit with all its rows comes, whatever stands in them, in any order", () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 9 }),
        row.map((r) => r.features),
        (rows, from) => {
          const w = weightsIn(problem.radius, from);
          const all = sumAt(rows, w);
          const without = sumAt(
            rows.filter(({ unit }) => unit !== 0),
            w,
          );
          const moved = all.map((x, j) => x - (without[j] ?? Number.NaN));
          expect(moved.every(Number.isInteger)).toBe(true);
          expect(square(moved)).toBeLessThanOrEqual(unitOnGrid ** 2);
          expect([...sumAt([...rows].reverse(), w)].every((x, j) => Math.abs(x - (all[j] ?? 0)) <= 5)).toBe(
            true,
          );
        },
      ),
    );
  });

  it("reach that bound, so that it is no larger than it must be", () => {
    const { loss, reach, labels, lipschitz } = constantsOf(problem);
    const w = Float64Array.of(problem.radius, 0, 0);
    const reached = [-1, 1].flatMap((x) =>
      [-1, 1].map((y) => Math.sqrt(square(sumAt([{ features: [x, 0, 0], label: y, unit: 0 }], w)))),
    );
    expect(loss.steepest(reach, labels)).toBeLessThanOrEqual(lipschitz);
    expect(Math.max(...reached)).toBeGreaterThan(unitOnGrid * 0.999);
  });

  it("are those of the loss, by finite differences", () => {
    const { loss, lipschitz } = constantsOf(problem);
    const x = [0.5, -0.3, 0.2];
    const w = [0.31, 0.47, -0.11];
    const z = x.reduce((sum, value, j) => sum + value * (w[j] ?? 0), 0);
    const [sum] = [sumAt([{ features: x, label: 1, unit: 0 }], Float64Array.from(w))];
    x.forEach((value, j) => {
      const slope = (loss.value(z + 1e-6 * value, 1) - loss.value(z - 1e-6 * value, 1)) / 2e-6;
      expect((sum[j] ?? Number.NaN) * gradientStep(lipschitz)).toBeCloseTo(slope, 5);
    });
  });
});

describe("rows", () => {
  const [problem] = problems;
  if (problem === undefined) throw new Error("no problem");

  it("of a unit are averaged, so that a unit counts once", () => {
    const twice = { features: [0.5, 0, 0], label: 1, unit: 3 };
    const at = (rows: readonly Row[]): number[] => [
      ...openExact(gradientSums(problem, sealedUnitRows(problem, owned(rows)))(new Float64Array(3))),
    ];
    expect(at([twice, twice, { ...twice, unit: 1 }])).toEqual(at([twice, { ...twice, unit: 1 }]));
    const half = at([twice, { ...twice, features: [0, 0, 0] }]);
    expect(Math.abs((half[0] ?? 0) - (at([twice])[0] ?? 0) / 2)).toBeLessThanOrEqual(1);
  });

  it("are brought within their bounds, each by itself", () => {
    const clean = unitRows(
      { ...problem, dimension: 2 },
      { features: [3, 4, Number.NaN, 0.5, 1e300, -1e300], labels: [9, Number.NaN, -9] },
    );
    const half = expect.closeTo(Math.SQRT1_2, 10);
    expect(dense(clean)).toEqual([
      [expect.closeTo(0.6, 10), expect.closeTo(0.8, 10)],
      [0, 0.5],
      [half, expect.closeTo(-Math.SQRT1_2, 10)],
    ]);
    expect([...clean.labels]).toEqual([1, 0, -1]);
  });

  it("hold the entries that are not 0 alone, which changes no sum", () => {
    const rows = { features: [0, 0.25, 0, 0, 0, 0, 0.5, 0, -0.125], labels: [1, 1, 1] };
    const { features } = unitRows(problem, rows);
    expect([...features.values]).toEqual([0.25, 0.5, -0.125]);
    expect([...features.places]).toEqual([1, 0, 2]);
    const w = Float64Array.of(1, 2, 4);
    expect([0, 1, 2].map((row) => innerProduct(features, row, w))).toEqual([0.5, 0, 0]);
  });

  it("of a unit beyond its first can be left out", () => {
    const rows = { features: [1, 0, 0, 0.5, 0, 0, 0.25, 0, 0], labels: [1, -1, 0.5], units: ["a", "b", "a"] };
    const first = firstRows(unitRows(problem, rows));
    expect(dense(first)).toEqual([
      [expect.closeTo(1, 9), 0, 0],
      [0.5, 0, 0],
    ]);
    expect([...first.labels]).toEqual([1, -1]);
    expect([...first.starts]).toEqual([0, 1, 2]);
  });

  it("that stand by unit are taken as they stand", () => {
    const features = Array.from({ length: 12 }, (_, i) => i / 100);
    const labels = [1, -1, 0.5, 0.25];
    const [byName, byPlace] = [
      unitRows(problem, { features, labels, units: ["a", "a", "b", "b"] }),
      unitRows(problem, { features, labels, offsets: [0, 2, 4] }),
    ];
    expect(byPlace).toEqual(byName);
    expect([...unitRows(problem, { features: [], labels: [], offsets: [0] }).starts]).toEqual([0]);
  });

  it("whose lists do not fit are refused without a word of how many there are", () => {
    expect(() => unitRows(problem, { features: [1, 2], labels: [1] })).toThrow("dimension numbers");
    expect(() => unitRows(problem, { features: [1, 2, 3], labels: [1], units: [] })).toThrow("one for every");
    for (const offsets of [[], [0], [0, 2], [1], [0, 0, 1], [0, 0.5, 1], [0, Number.NaN, 1]])
      expect(() => unitRows(problem, { features: [1, 2, 3], labels: [1], offsets })).toThrow("increasing");
    const both = { features: [1, 2, 3], labels: [1], units: [0], offsets: [0, 1] };
    expect(() => unitRows(problem, both)).toThrow("left out");
  });

  it("move every vertex's score by at most 2^20, up or down by the same", () => {
    const flat = { ...problem, features: { norm: "max", bound: 1 } } as const;
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        const scores = (some: readonly Row[]): readonly bigint[] =>
          openExact(vertexScores(flat, sealedUnitRows(flat, owned(some)))(new Float64Array(3)));
        const [all, without] = [scores(rows), scores(rows.filter(({ unit }) => unit !== 0))];
        all.forEach((score, i) => {
          const moved = score - (without[i] ?? 0n);
          expect(moved <= BigInt(unitOnGrid) && moved >= -BigInt(unitOnGrid)).toBe(true);
        });
      }),
    );
  });
});

describe("what doubles do", () => {
  it("the ball is entered at its nearest point, from any size of numbers", () => {
    const v = Float64Array.of(3e200, -4e200);
    intoBall(v, 5);
    expect(v[0]).toBeCloseTo(3, 12);
    expect(v[1]).toBeCloseTo(-4, 12);
    const inside = Float64Array.of(0.1, 0.2);
    intoBall(inside, 1);
    expect([...inside]).toEqual([0.1, 0.2]);
  });

  it("weights on a grid move by no more than stated, and in more coordinates by nearly as much", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 64, maxLength: 64 }),
        fc.double({ min: 1e-9, max: 1e-3, noNaN: true }),
        (from, grid) => {
          const a = Float64Array.from(from);
          const shift = (unitOnGrid * grid) / 8;
          const b = a.map((x) => x + shift);
          const [va, vb] = [onGrid(a, grid), onGrid(b, grid)];
          const moved = square(va.map((x, j) => x - (vb[j] ?? Number.NaN)));
          expect(moved).toBeLessThanOrEqual(Number(gridSensitivity(64).l2Squared));
          expect(moved).toBeGreaterThan(0.99 * unitOnGrid ** 2);
        },
      ),
    );
  });
});

describe("a secret order", () => {
  it("takes each unit once; of more units than places some are left out, places beyond the units stay empty", () => {
    for (const units of [0, 3, 8, 12]) {
      const order = secretOrder(8, units, new SeededSource(units));
      expect(new Set(order).size).toBe(8);
      expect([...order].every((unit) => unit < Math.max(8, units))).toBe(true);
    }
  });

  it("puts each unit in each place equally often (false alarm below 1e-6; a unit that never moves would be seen)", () => {
    const counts = Array.from({ length: 16 }, () => 0);
    const bits = new SeededSource(11);
    const runs = 8000;
    for (let run = 0; run < runs; run += 1)
      secretOrder(4, 4, bits).forEach((unit, place) => {
        const at = 4 * place + unit;
        counts[at] = (counts[at] ?? 0) + 1;
      });
    // Each count is binomial(8000, 1/4), of deviation 38.7: 6 deviations, for 16 counts.
    for (const count of counts) expect(Math.abs(count - runs / 4)).toBeLessThan(233);
  });
});
