import { elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Model } from "../model/model.ts";
import { readModel } from "../model/read-model.ts";
import { combineMeasured } from "../moments/noisy-statistics.ts";
import type { Layout } from "../statistics/layout.ts";
import { layoutOf } from "../statistics/layout-of.ts";
import { drawing, laplace, measuredOf, type Row, uniforms } from "../testing/measured.ts";
import { people } from "../testing/people.ts";
import { type FittedModel, fit, predict, toSql } from "./fitted-model.ts";

const texts = {
  covariance: "model: covariance\nfeatures: [age, wage, hours]",
  pca: "model: pca\nfeatures: [age, wage, hours]\ncomponents: 2",
  bayes: "model: naive-bayes\ntarget: sector\nfeatures: [age, wage, member]",
  "marginals of two": "model: marginals\nfeatures: [sector, level, member]\nmarginals: 2",
  "marginals of lists": "model: marginals\nmarginals: [[sector, level], [member]]",
};

const modelOf = (text: string): Promise<Model> => readModel(`version: 1\ntable: people\n${text}`, people);

function randomRows({ numbers, blocks }: Layout, count: number, uniform: () => number): readonly Row[] {
  return Array.from({ length: count }, () => {
    const common = uniform();
    return {
      z: numbers.map((_, i) => (common + uniform() - 1) * (i === 0 ? 1 : 0.5)),
      categories: blocks.map(({ categories }) => Math.floor(categories.length * uniform() ** 2)),
    };
  });
}

const fitted = (model: Model, rows: readonly Row[], scale = 0, uniform = uniforms(1)): FittedModel => {
  const layout = layoutOf(model);
  const measured = measuredOf(layout, rows, () => laplace(scale), scale === 0 ? undefined : drawing(uniform));
  return fit(model, layout, combineMeasured(measured));
};

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe("without noise", () => {
  it("covariances, correlations and components are those of the rows", async () => {
    const model = await modelOf(texts.covariance);
    const { numbers } = layoutOf(model);
    const rows = randomRows(layoutOf(model), 80, uniforms(2));
    const columns = numbers.map(({ middle, half }, i) =>
      rows.map(({ z }) => middle + half * elementAt(z, i)),
    );
    const covariance = (i: number, j: number): number => {
      const [a, b] = [elementAt(columns, i), elementAt(columns, j)];
      return mean(a.map((x, row) => (x - mean(a)) * (elementAt(b, row) - mean(b))));
    };
    const found = fitted(model, rows);
    if (found.kind !== "covariance") throw new Error(found.kind);
    for (const i of [0, 1, 2]) {
      expect(found.means[i]).toBeCloseTo(mean(elementAt(columns, i)), 9);
      for (const j of [0, 1, 2]) {
        expect(found.covariances[i]?.[j]).toBeCloseTo(covariance(i, j), 8);
        const correlation = covariance(i, j) / Math.sqrt(covariance(i, i) * covariance(j, j));
        expect(found.correlations[i]?.[j]).toBeCloseTo(correlation, 9);
      }
    }
    const components = fitted(await modelOf(texts.pca), rows);
    if (components.kind !== "pca") throw new Error(components.kind);
    const scores = rows.map(({ z }) => {
      const [age = 0, wage = 0, hours = 0] = numbers.map(
        ({ middle, half }, i) => middle + half * elementAt(z, i),
      );
      return Object.values(predict(components, { age, wage, hours })).map(Number);
    });
    for (const [k, { variance, loadings }] of components.components.entries()) {
      expect(mean(scores.map((score) => elementAt(score, k)))).toBeCloseTo(0, 9);
      expect(mean(scores.map((score) => elementAt(score, k) ** 2))).toBeCloseTo(variance, 9);
      expect(Math.hypot(...loadings)).toBeCloseTo(1, 12);
    }
    expect(mean(scores.map(([a = 0, b = 0]) => a * b))).toBeCloseTo(0, 9);
  });

  it("naive Bayes has the shares, means and deviations of its classes", async () => {
    const model = await modelOf(texts.bayes);
    const layout = layoutOf(model);
    const rows = randomRows(layout, 300, uniforms(3));
    const found = fitted(model, rows);
    if (found.kind !== "naive-bayes") throw new Error(found.kind);
    for (const [place, law] of found.classes.entries()) {
      const inClass = rows.filter(({ categories }) => categories[0] === place);
      expect(law.logShare).toBeCloseTo(Math.log(inClass.length / rows.length), 9);
      const age = inClass.map(({ z }) => 54 + 36 * elementAt(z, 0));
      const deviation = Math.sqrt(mean(age.map((x) => (x - mean(age)) ** 2)));
      const members = inClass.filter(({ categories }) => categories[1] === 1).length;
      const [ages, , member] = law.features;
      expect(ages).toEqual({
        kind: "number",
        mean: expect.closeTo(mean(age), 8),
        deviation: expect.closeTo(deviation, 8),
      });
      const shares = [inClass.length - members + 1, members + 1].map((count) =>
        expect.closeTo(Math.log(count / (inClass.length + 2)), 9),
      );
      expect(member).toEqual({ kind: "category", logShares: shares });
    }
  });

  it("marginals are the counts of the rows", async () => {
    const model = await modelOf(texts["marginals of two"]);
    const rows = randomRows(layoutOf(model), 90, uniforms(4));
    const found = fitted(model, rows);
    if (found.kind !== "marginals") throw new Error(found.kind);
    expect(found.total).toBeCloseTo(90, 8);
    const [table] = found.tables;
    for (const [i, row] of (table?.counts ?? []).entries())
      for (const [j, count] of row.entries()) {
        const exact = rows.filter(({ categories }) => categories[0] === i && categories[1] === j).length;
        expect(count).toBeCloseTo(exact, 5);
      }
  });
});

describe("whatever the noise", () => {
  it.each(Object.entries(texts))("%s is finite, has its SQL, and is not refused", async (_, text) => {
    const model = await modelOf(text);
    const layout = layoutOf(model);
    fc.assert(
      fc.property(fc.nat(), fc.nat(30), fc.constantFrom(0, 0.1, 10, 1e4, 1e12), (seed, count, scale) => {
        const uniform = uniforms(seed);
        const found = fitted(model, randomRows(layout, count, uniform), scale, uniform);
        const row = { age: 40, wage: 20, hours: 30, sector: "it's", level: 2, member: true };
        expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity/);
        for (const value of Object.values(predict(found, row)))
          if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
        expect(toSql(found)).not.toMatch(/NaN|Infinity/);
      }),
      { numRuns: 100 },
    );
  });

  it("covariances are positive semidefinite, and correlations within ±1", async () => {
    const model = await modelOf(texts.covariance);
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(1, 30, 1e5), (seed, scale) => {
        const uniform = uniforms(seed);
        const found = fitted(model, randomRows(layoutOf(model), 40, uniform), scale, uniform);
        if (found.kind !== "covariance") throw new Error(found.kind);
        const form = [uniform() - 0.5, uniform() - 0.5, uniform() - 0.5];
        const scaled = form.map((x, i) => x / elementAt(found.scales, i));
        const value = scaled.reduce(
          (sum, x, i) =>
            sum + scaled.reduce((inner, y, j) => inner + x * y * (found.covariances[i]?.[j] ?? 0), 0),
          0,
        );
        const size = Math.max(...found.scales.map((s, i) => (found.covariances[i]?.[i] ?? 0) / s ** 2));
        expect(value).toBeGreaterThanOrEqual(-1e-9 * size);
        for (const correlation of found.correlations.flat())
          expect(Math.abs(correlation ?? 0)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("marginals are at least 0 and agree in every column that they share", async () => {
    const model = await modelOf(texts["marginals of two"]);
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(0.5, 5, 50), (seed, scale) => {
        const uniform = uniforms(seed);
        const found = fitted(model, randomRows(layoutOf(model), 60, uniform), scale, uniform);
        if (found.kind !== "marginals") throw new Error(found.kind);
        const margins = new Map<string, readonly number[]>();
        for (const { columns, counts } of found.tables) {
          for (const count of counts.flat()) expect(count).toBeGreaterThanOrEqual(0);
          const rows = counts.map((row) => row.reduce((a, b) => a + b, 0));
          const sums = (counts[0] ?? []).map((_none, j) =>
            counts.reduce((a, row) => a + elementAt(row, j), 0),
          );
          for (const [at, margin] of [rows, sums].entries()) {
            const name = columns[at]?.name ?? "";
            const known = margins.get(name) ?? margin;
            margins.set(name, known);
            for (const [i, count] of margin.entries())
              expect(Math.abs(count - elementAt(known, i))).toBeLessThanOrEqual(
                1e-6 * Math.max(1, found.total),
              );
          }
          expect(Math.abs(rows.reduce((a, b) => a + b, 0) - found.total)).toBeLessThanOrEqual(
            1e-6 * Math.max(1, found.total),
          );
        }
      }),
    );
  });
});
