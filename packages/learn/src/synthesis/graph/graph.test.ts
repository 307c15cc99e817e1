import { elementAt } from "@lethe/core/numeric";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eliminationCliques } from "./elimination-order.ts";
import { cellsOf, junctionTree, treeCells } from "./junction-tree.ts";
import { modelBytes, modelBytesAtMost } from "./model-size.ts";

/** Sizes of up to 7 attributes, and sets of them, which may leave some out. */
const graphs = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 7 }).chain((sizes) =>
  fc.record({
    sizes: fc.constant(sizes),
    cliques: fc.array(
      fc
        .uniqueArray(fc.nat(sizes.length - 1), { minLength: 1, maxLength: 3 })
        .map((clique) => clique.sort((a, b) => a - b)),
      { maxLength: 8 },
    ),
  }),
);

describe("a junction tree", () => {
  it("holds every given clique and attribute, and each attribute's cliques hang together", () => {
    fc.assert(
      fc.property(graphs, ({ sizes, cliques }) => {
        const tree = junctionTree(sizes, cliques);
        for (const given of cliques) {
          expect(tree.cliques.some((clique) => given.every((attribute) => clique.includes(attribute)))).toBe(
            true,
          );
        }
        expect(tree.parents[0]).toBe(-1);
        for (const [at, parent] of tree.parents.entries()) expect(parent).toBeLessThan(at);
        for (const attribute of sizes.keys()) {
          const roots = tree.cliques.filter(
            (clique, at) => clique.includes(attribute) && !elementAt(tree.separators, at).includes(attribute),
          );
          expect(roots).toHaveLength(1);
        }
        for (const [at, separator] of tree.separators.entries()) {
          const parent = elementAt(tree.parents, at);
          const both =
            parent < 0
              ? []
              : elementAt(tree.cliques, at).filter((a) => elementAt(tree.cliques, parent).includes(a));
          expect(separator).toEqual(both);
        }
      }),
    );
  });

  it("does not hang on the order of the cliques", () => {
    fc.assert(
      fc.property(graphs, ({ sizes, cliques }) => {
        const one = junctionTree(sizes, cliques);
        const other = junctionTree(sizes, cliques.toReversed());
        expect(other).toEqual(one);
      }),
    );
  });

  it("of a tree of pairs is those pairs, of a circle has its chord, and of parts hangs by nothing", () => {
    const sizes = [2, 3, 4, 5];
    expect(
      junctionTree(sizes, [
        [0, 1],
        [1, 2],
        [2, 3],
      ]).cliques.toSorted(),
    ).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    const circle = junctionTree(sizes, [
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 3],
    ]);
    expect(circle.cliques.map(({ length }) => length)).toEqual([3, 3]);
    // The chord 0–2 costs 24 + 40, the chord 1–3 30 + 60.
    expect(treeCells(sizes, circle)).toBe(64);
    const apart = junctionTree(sizes, [
      [0, 1],
      [2, 3],
    ]);
    expect(apart.separators).toEqual([[], []]);
    expect(junctionTree([3], [])).toEqual({ cliques: [[0]], parents: [-1], separators: [[]] });
  });

  it("is as both rules of elimination say", () => {
    const chain = [
      [0, 1],
      [1, 2],
    ];
    for (const rule of ["min-fill", "min-size"] as const) {
      const formed = eliminationCliques([2, 2, 2], chain, rule);
      expect(formed).toHaveLength(3);
      expect(formed).toContainEqual([0, 1]);
      expect(formed).toContainEqual([1, 2]);
    }
  });
});

describe("a model's size", () => {
  it("is 8 bytes a cell, and a bound by one rule is never smaller", () => {
    expect(
      modelBytes(
        [2, 3, 4],
        [
          [0, 1],
          [1, 2],
        ],
      ),
    ).toBe(8 * (6 + 12));
    expect(cellsOf([2, 3, 4], [])).toBe(1);
    fc.assert(
      fc.property(graphs, ({ sizes, cliques }) => {
        expect(modelBytesAtMost(sizes, cliques)).toBeGreaterThanOrEqual(modelBytes(sizes, cliques));
      }),
    );
    const huge = modelBytes(new Array<number>(200).fill(60_000), [
      Array.from({ length: 200 }, (_, at) => at),
    ]);
    expect(huge).toBe(Number.POSITIVE_INFINITY);
  });
});
