import { elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { combineMeasured } from "../../moments/noisy-statistics.ts";
import type { NoiseShape } from "../../statistics/noise-shape.ts";
import { drawing, gaussian, laplace, measuredOf, type Row, uniforms } from "../../testing/measured.ts";
import { type Kind, randomRows, regressionOf } from "../../testing/regressions.ts";
import { fitRegression } from "./fit-regression.ts";
import type { FittedRegression } from "./fitted-regression.ts";
import { predictRegression } from "./predict-regression.ts";

/** Least squares in the columns' own units by Gaussian elimination, of rows that end with their target. */
function plainFit(rows: readonly (readonly number[])[], penalties: readonly number[]): readonly number[] {
  const size = penalties.length;
  const system = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size + 1 }, (_none, j) =>
      rows.reduce(
        (sum, row) => sum + elementAt(row, i) * elementAt(row, j),
        i === j ? elementAt(penalties, i) : 0,
      ),
    ),
  );
  for (let i = 0; i < size; i += 1) {
    const best = system
      .slice(i)
      .reduce((a, b) => (Math.abs(elementAt(b, i)) > Math.abs(elementAt(a, i)) ? b : a));
    const at = system.indexOf(best);
    [system[i], system[at]] = [elementAt(system, at), elementAt(system, i)];
    for (const row of system)
      if (row !== best) {
        const factor = elementAt(row, i) / elementAt(best, i);
        for (let j = 0; j <= size; j += 1) row[j] = elementAt(row, j) - factor * elementAt(best, j);
      }
  }
  return system.map((row, i) => elementAt(row, size) / elementAt(row, i));
}

const fitted = (
  { model, task, layout }: ReturnType<typeof regressionOf>,
  rows: readonly Row[],
  shape?: () => NoiseShape,
  draw?: (shape: NoiseShape) => number,
): FittedRegression =>
  fitRegression(model, task, layout, combineMeasured(measuredOf(layout, rows, shape, draw)), 0.95);

/** Rows in their own units: y in [0, 10], x in [−2, 6]. */
const own = ({ z }: Row): readonly [number, readonly number[]] => [
  5 + 5 * elementAt(z, 0),
  z.slice(1).map((x) => 2 + 4 * x),
];

describe("without noise", () => {
  it("a linear regression is least squares in the columns' own units", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 3 }), (seed, numbers) => {
        const rows = randomRows(80, numbers, "spread", uniforms(seed));
        const { intercept, coefficients, drowned } = fitted(regressionOf(numbers, true), rows);
        const data = rows.map((row) => {
          const [y, x] = own(row);
          const [category] = row.categories;
          return [1, ...x, category === 1 ? 1 : 0, category === 2 ? 1 : 0, y];
        });
        const plain = plainFit(
          data,
          Array.from({ length: numbers + 3 }, () => 0),
        );
        expect(drowned).toBe(false);
        for (const [i, { value, interval }] of [intercept, ...coefficients]
          .flatMap((c) => c ?? [])
          .entries()) {
          expect(value).toBeCloseTo(elementAt(plain, i), 8);
          expect((interval?.upper ?? 1) - (interval?.lower ?? 0)).toBe(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("a ridge regression counts λ against coefficients of numbers scaled to half the width of their bounds", () => {
    const rows = randomRows(50, 2, "correlated", uniforms(3));
    const { intercept, coefficients } = fitted(regressionOf(2, false, { penalty: 7 }), rows);
    const plain = plainFit(
      rows.map(({ z: [y, ...x] }) => [1, ...x, y ?? 0]),
      [0, 7, 7],
    );
    const [zero, ...slopes] = plain;
    expect(coefficients.map(({ value }) => (value * 4) / 5)).toEqual(
      slopes.map((slope) => expect.closeTo(slope, 9)),
    );
    const shift = slopes.reduce((sum, slope) => sum + slope * 0.5, 0);
    expect(intercept?.value).toBeCloseTo(5 + 5 * ((zero ?? 0) - shift), 9);
  });

  it("a line without an intercept passes through 0 in the columns' own units", () => {
    const rows = randomRows(50, 2, "spread", uniforms(4));
    const { intercept, coefficients } = fitted(regressionOf(2, false, { intercept: false }), rows);
    const plain = plainFit(
      rows.map((row) => {
        const [y, x] = own(row);
        return [...x, y];
      }),
      [0, 0],
    );
    expect(intercept).toBeNull();
    for (const [i, { value }] of coefficients.entries()) expect(value).toBeCloseTo(elementAt(plain, i), 9);
  });

  it("of a singular design there are coefficients that predict well, and no intervals", () => {
    const rows = randomRows(60, 2, "singular", uniforms(5));
    const model = fitted(regressionOf(2, false), rows);
    const single = fitted(
      regressionOf(1, false),
      rows.map(({ z, categories }) => ({ z: z.slice(0, 2), categories })),
    );
    expect(model.drowned).toBe(true);
    expect(model.coefficients.every(({ interval }) => interval === null)).toBe(true);
    expect(predictRegression(model, { x0: 3, x1: 3 })).toBeCloseTo(
      predictRegression(single, { x0: 3 }) ?? 0,
      6,
    );
  });
});

describe("with noise", () => {
  it("whatever it is, a model is finite, and is not refused", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.constantFrom<Kind>("spread", "nearly singular", "singular"),
        fc.constantFrom(1e-6, 1, 1e3, 1e12),
        fc.nat(40),
        fc.boolean(),
        (seed, kind, scale, count, intercept) => {
          const uniform = uniforms(seed);
          const setting = regressionOf(2, true, { intercept, penalty: seed % 2 });
          const model = fitted(
            setting,
            randomRows(count, 2, kind, uniform),
            () => laplace(scale),
            drawing(uniform),
          );
          for (const { value, interval } of model.coefficients) {
            expect(Number.isFinite(value)).toBe(true);
            if (interval) expect(interval.upper - interval.lower).toBeGreaterThanOrEqual(0);
          }
          expect(Number.isFinite(predictRegression(model, { x0: 1, x1: 2, c: "q" }))).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("widths follow the noise", () => {
    const rows = randomRows(400, 2, "spread", uniforms(8));
    const width = (sigma: number): number => {
      const { interval } = elementAt(
        fitted(
          regressionOf(2, false),
          rows,
          () => gaussian(sigma),
          () => 0,
        ).coefficients,
        0,
      );
      return (interval?.upper ?? Number.NaN) - (interval?.lower ?? 0);
    };
    expect(width(0.02) / width(0.01)).toBeCloseTo(2, 3);
  });
});

it("a prediction clamps numbers, and is null where a value is missing or no category", () => {
  const model = fitted(regressionOf(1, true), randomRows(50, 1, "spread", uniforms(9)));
  const [slope] = model.coefficients;
  const at = (x0: number | null, c: string | null): number | null => predictRegression(model, { x0, c });
  expect(at(6, "p")).toBeCloseTo((model.intercept?.value ?? 0) + 6 * (slope?.value ?? 0), 10);
  expect(at(99, "p")).toBe(at(6, "p"));
  expect([at(null, "p"), at(1, "x"), at(1, null), predictRegression(model, {})]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
