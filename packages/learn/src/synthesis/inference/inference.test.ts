import { elementAt } from "@lethe/core/numeric";
import { SeededSource } from "@lethe/core/tape";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellsOf, junctionTree } from "../graph/index.ts";
import { addUp, cellMap, codesOf } from "./cell-map.ts";
import { estimate } from "./estimate.ts";
import { marginalsOf } from "./graphical-model.ts";
import { combined, type Measurement, measured, noisyTotal } from "./measurement.ts";
import { propagation } from "./propagation.ts";

/** Sizes, measured sets and a seed: chains, circles, parts without a link, single attributes and sizes of 1 among them. */
const graphs = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }).chain((sizes) =>
  fc.record({
    sizes: fc.constant(sizes),
    cliques: fc.uniqueArray(
      fc
        .uniqueArray(fc.nat(sizes.length - 1), { minLength: 1, maxLength: 3 })
        .map((clique) => clique.sort((a, b) => a - b)),
      { minLength: 1, maxLength: 7, selector: String },
    ),
    seed: fc.nat(),
    spread: fc.constantFrom(1, 5, 400),
  }),
);

function normal(bits: SeededSource): number {
  let sum = -6;
  for (let k = 0; k < 12; k++) sum += bits.word() / 2 ** 32;
  return sum;
}
const everything = (sizes: readonly number[]): readonly number[] => [...sizes.keys()];

/** The joint that is proportional to the product of exp(logs), cell by cell. */
function joint(
  sizes: readonly number[],
  factors: readonly { attributes: readonly number[]; logs: Float64Array }[],
) {
  const all = everything(sizes);
  const logs = new Float64Array(cellsOf(sizes, all));
  for (const { attributes, logs: each } of factors) {
    const map = cellMap(sizes, all, attributes);
    for (const [cell, place] of map.entries()) logs[cell] = elementAt(logs, cell) + elementAt(each, place);
  }
  const top = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const weights = logs.map((log) => Math.exp(log - top));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / total);
}
const marginalBy = (sizes: readonly number[], law: Float64Array, onto: readonly number[]): Float64Array =>
  addUp(law, cellMap(sizes, everything(sizes), onto), cellsOf(sizes, onto));

function close(found: Float64Array, expected: Float64Array, within: number): void {
  expect(found).toHaveLength(expected.length);
  for (const [cell, value] of found.entries()) {
    expect(Math.abs(value - elementAt(expected, cell))).toBeLessThanOrEqual(within);
  }
}

describe("cells", () => {
  it("are numbered with the last attribute fastest", () => {
    expect([...cellMap([2, 3, 2], [0, 1, 2], [0, 2])]).toEqual([0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3]);
    expect([...cellMap([2, 3], [0, 1], [])]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(codesOf([2, 3, 4], [0, 1, 2], 23)).toEqual([1, 2, 3]);
    expect(codesOf([2, 3, 4], [0, 2], 6)).toEqual([1, 2]);
  });
});

describe("message passing", () => {
  it("is the joint of every cell: on random graphs, with potentials up to e^±1000 and cells that are impossible", () => {
    fc.assert(
      fc.property(graphs, ({ sizes, cliques, seed, spread }) => {
        const bits = new SeededSource(seed);
        const tree = junctionTree(sizes, cliques);
        const logs = tree.cliques.map((clique) => {
          const table = new Float64Array(cellsOf(sizes, clique)).map(() => spread * normal(bits));
          // The first cell stays possible, so that the law exists.
          return table.map((log, cell) =>
            cell > 0 && bits.word() % 7 === 0 ? Number.NEGATIVE_INFINITY : log,
          );
        });
        const law = joint(
          sizes,
          tree.cliques.map((attributes, at) => ({ attributes, logs: elementAt(logs, at) })),
        );
        const beliefs = propagation(sizes, tree).run(logs);
        for (const [at, clique] of tree.cliques.entries()) {
          close(elementAt(beliefs, at), marginalBy(sizes, law, clique), 1e-9);
        }
        // Any table of the law, whether a clique holds it or not.
        const marginal = marginalsOf({ sizes, tree, beliefs, total: 1 });
        const asked = everything(sizes).filter(() => bits.word() % 2 === 0);
        close(marginal(asked), marginalBy(sizes, law, asked), 1e-9);
        for (const a of sizes.keys()) {
          for (let b = 0; b < a; b++) close(marginal([b, a]), marginalBy(sizes, law, [b, a]), 1e-9);
        }
        close(marginal(everything(sizes)), law, 1e-9);
      }),
      { numRuns: 150, seed: 11 },
    );
  });

  it("keeps to numbers where a factor is off the scale of doubles", () => {
    const tree = junctionTree([2, 2], [[0, 1]]);
    const [belief] = propagation([2, 2], tree).run([Float64Array.of(1e300, -1e300, 1e300, 0)]);
    expect([...(belief ?? [])]).toEqual([0.5, 0, 0.5, 0]);
  });
});

/** A law that factors along the sets, and its exact tables of n rows. */
function consistent(
  sizes: readonly number[],
  cliques: readonly (readonly number[])[],
  seed: number,
  rows: number,
) {
  const bits = new SeededSource(seed);
  const law = joint(
    sizes,
    cliques.map((attributes) => ({
      attributes,
      logs: new Float64Array(cellsOf(sizes, attributes)).map(() => normal(bits)),
    })),
  );
  const tables = cliques.map(
    (attributes): Measurement =>
      measured(
        attributes,
        marginalBy(sizes, law, attributes).map((chance) => chance * rows),
        1 + (bits.word() % 9),
      ),
  );
  return { law, tables };
}

describe("an estimate", () => {
  it("recovers tables that are exact, and the law that factors along them", () => {
    fc.assert(
      fc.property(graphs, ({ sizes, cliques, seed }) => {
        const { law, tables } = consistent(sizes, cliques, seed, 1000);
        const { model } = estimate(sizes, tables, { steps: 1500 });
        expect(model.total).toBeCloseTo(1000, 6);
        const marginal = marginalsOf(model);
        for (const { attributes } of tables) {
          close(marginal(attributes), marginalBy(sizes, law, attributes), 2e-3);
        }
        // Of all laws with these tables, the one of the exponential family is the law that they were made of.
        close(marginal(everything(sizes)), law, 6e-3);
      }),
      { numRuns: 20, seed: 3 },
    );
  });

  it("does not hang on the order of the measurements, and starts where an earlier one ended", () => {
    const sizes = [3, 2, 3];
    const { tables } = consistent(sizes, [[0, 1], [1, 2], [0]], 8, 500);
    const noisy = tables.map((table, at) => ({
      ...table,
      values: table.values.map((x, k) => x + ((k + at) % 3) * 9 - 9),
    }));
    const one = estimate(sizes, noisy, { steps: 400 });
    const other = estimate(sizes, noisy.toReversed(), { steps: 400 });
    expect(other.loss).toBeCloseTo(one.loss, 6);
    const [p, q] = [one, other].map(({ model }) => marginalsOf(model)([0, 1, 2]));
    close(p ?? new Float64Array(), q ?? new Float64Array(), 1e-6);
    expect(estimate(sizes, noisy, { steps: 1, start: one.potentials }).loss).toBeCloseTo(one.loss, 9);
  });

  it("lies no further from noisy tables than any other law that was tried", () => {
    const sizes = [2, 3];
    const bits = new SeededSource(4);
    const noisy = [
      measured([0, 1], Float64Array.of(30, -20, 5, 0, 12, -4), 16),
      measured([1], Float64Array.of(20, 9, -5), 4),
    ];
    const { loss, model } = estimate(sizes, noisy, { steps: 2000 });
    const total = Math.max(1, model.total);
    for (let tried = 0; tried < 3000; tried++) {
      const law = joint(sizes, [
        { attributes: [0, 1], logs: new Float64Array(6).map(() => 6 * normal(bits)) },
      ]);
      const other = noisy.reduce(
        (sum, { attributes, values, variances }) =>
          sum +
          marginalBy(sizes, law, attributes).reduce(
            (each, chance, cell) =>
              each + (total * chance - elementAt(values, cell)) ** 2 / (2 * elementAt(variances, cell)),
            0,
          ),
        0,
      );
      expect(other).toBeGreaterThan(loss - 1e-6);
    }
  });

  it.each([
    ["nothing", [0, 0, 0, 0]],
    ["less than nothing", [-9, -8, -70, -1]],
    ["one cell", [1e9, 0, 0, 0]],
    ["one cell among negative ones", [1e12, -5e5, 30, -2]],
  ])("of %s is made of numbers", (_, counts) => {
    const { model, loss } = estimate([2, 2, 1], [measured([0, 1], Float64Array.from(counts), 100)], {
      steps: 200,
    });
    expect(Number.isFinite(loss)).toBe(true);
    expect(model.total).toBeGreaterThanOrEqual(0);
    const chances = marginalsOf(model)([0, 1, 2]);
    expect(chances.every((chance) => chance >= 0)).toBe(true);
    expect(chances.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
  });

  it("of no measurement at all is uniform, of no rows", () => {
    const { model } = estimate([2, 2], [], { steps: 10 });
    expect(model.total).toBe(0);
    expect([...marginalsOf(model)([0, 1])]).toEqual([0.25, 0.25, 0.25, 0.25]);
  });
});

describe("noisy tables of one set", () => {
  it("are averaged by precision, cell by cell", () => {
    const [one] = combined([
      measured([0], Float64Array.of(10, 20), 1),
      measured([0], Float64Array.of(14, 24), 3),
      measured([0], Float64Array.of(11, 21), 1e12),
    ]);
    expect(one?.values[0]).toBeCloseTo(11, 6);
    expect(one?.variances[1]).toBeCloseTo(0.75, 6);
  });
  it("give the number of rows by the sums of all", () => {
    const tables = [
      measured([0], Float64Array.of(40, 50), 1),
      measured([1], Float64Array.of(25, 25, 28, 24), 1),
    ];
    // 90 with variance 2, 102 with variance 4.
    expect(noisyTotal(tables)).toBeCloseTo(94, 9);
    expect(noisyTotal([measured([0], Float64Array.of(-4), 1)])).toBe(0);
    expect(noisyTotal([])).toBe(0);
  });
});
