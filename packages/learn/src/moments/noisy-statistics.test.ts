import { doubleAt, elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Layout } from "../statistics/layout.ts";
import {
  drawing,
  gaussian,
  laplace,
  measuredOf,
  none,
  type Row,
  statisticsIn,
  uniforms,
} from "../testing/measured.ts";
import { constraintsOf } from "./constraints.ts";
import { combineMeasured } from "./noisy-statistics.ts";

const layout: Layout = {
  numbers: [{ name: "x", middle: 0, half: 1 }],
  blocks: [
    { name: "a", categories: ["p", "q"] },
    { name: "b", categories: [1, 2, 3] },
    { name: "c", categories: [false, true] },
  ],
  questions: [
    { text: "", keys: [], values: [[], [0], [0, 0]] },
    { text: "", keys: [0], values: [[], [0]] },
    { text: "", keys: [1], values: [[], [0]] },
    { text: "", keys: [0, 1], values: [[]] },
    { text: "", keys: [1, 2], values: [[]] },
    { text: "", keys: [0, 2], values: [[]] },
  ],
};

const someRows = fc.array(
  fc.record({
    z: fc.tuple(fc.integer({ min: -8, max: 8 }).map((i) => i / 8)),
    categories: fc.tuple(fc.nat(1), fc.nat(2), fc.nat(1)),
  }),
  { maxLength: 30 },
) as fc.Arbitrary<Row[]>;

const shapes = [gaussian(3), laplace(2), gaussian(0.5), laplace(5), gaussian(1), laplace(1)];
const shapeOf = (question: number) => elementAt(shapes, question);

describe("combined sums", () => {
  it("are the exact ones where there was no noise", () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const measured = measuredOf(layout, rows);
        const { values } = combineMeasured(measured);
        for (const [place, { value }] of measured.flat().entries())
          expect(doubleAt(values, place)).toBeCloseTo(value, 9);
      }),
    );
  });

  it("agree with each other whatever the noise", () => {
    fc.assert(
      fc.property(someRows, fc.nat(), (rows, seed) => {
        const measured = measuredOf(layout, rows, shapeOf, drawing(uniforms(seed)));
        const { values } = combineMeasured(measured);
        const constraints = constraintsOf(measured);
        expect(constraints.length).toBeGreaterThan(10);
        for (const terms of constraints)
          expect(terms.reduce((sum, { place, sign }) => sum + sign * doubleAt(values, place), 0)).toBeCloseTo(
            0,
            8,
          );
      }),
    );
  });

  it("err by the noises as noiseIn says, for every linear form", () => {
    fc.assert(
      fc.property(someRows, fc.nat(), (rows, seed) => {
        const uniform = uniforms(seed);
        const exact = measuredOf(layout, rows, shapeOf).flat();
        const measured = measuredOf(layout, rows, shapeOf, drawing(uniform));
        const { values, noiseIn } = combineMeasured(measured);
        const gradient = Float64Array.from(exact, () => uniform() - 0.5);
        const error = exact.reduce(
          (sum, { value }, i) => sum + doubleAt(gradient, i) * (doubleAt(values, i) - value),
          0,
        );
        const weights = noiseIn(gradient);
        const byNoise = measured
          .flat()
          .reduce((sum, { value }, i) => sum + doubleAt(weights, i) * (value - elementAt(exact, i).value), 0);
        expect(byNoise).toBeCloseTo(error, 8);
      }),
    );
  });

  it("have no larger variance than any of the measurements of the same sum", () => {
    const measured = measuredOf(layout, [], shapeOf);
    const { noiseIn, place } = combineMeasured(measured);
    const varianceAt = (index: number): number => {
      const unit = new Float64Array(measured.flat().length);
      unit[index] = 1;
      return measured
        .flat()
        .reduce((sum, { noise }, i) => sum + noise.variance * doubleAt(noiseIn(unit), i) ** 2, 0);
    };
    for (const [index, { noise }] of measured.flat().entries())
      expect(varianceAt(index)).toBeLessThanOrEqual(noise.variance * (1 + 1e-9));
    // COUNT(*) is measured with variance 9, as a sum of two with 8, of three with 0.25 and of six with 50, and by two pairs more.
    const count = place({ cells: [], factors: [] });
    const parts = [9, 16, 0.75, 300, 6, 8];
    expect(varianceAt(count ?? -1)).toBeLessThan(0.75);
    expect(varianceAt(count ?? -1)).toBeGreaterThan(1 / parts.reduce((sum, part) => sum + 2 / part, 0));
  });

  it("hold where some noise is none, as a public number of rows under replace-one", () => {
    const rows: readonly Row[] = [
      { z: [0.5], categories: [0, 1, 0] },
      { z: [-1], categories: [1, 2, 0] },
    ];
    const measured = measuredOf(
      layout,
      rows,
      (question) => (question === 0 ? none : gaussian(1)),
      drawing(uniforms(7)),
    );
    const { values, place } = combineMeasured(measured);
    expect(doubleAt(values, place({ cells: [], factors: [] }) ?? -1)).toBeCloseTo(2, 4);
    expect(statisticsIn(layout).flat()).toHaveLength(values.length);
  });
});
