import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JoinGraph, JoinLeaf, JoinNode, Meeting } from "./join-graph.ts";
import { bitsIn } from "./join-graph.ts";
import { type MetRows, metRows } from "./met-rows.ts";

const none = Number.POSITIVE_INFINITY;
const leaf = (words: Partial<JoinLeaf> = {}): JoinLeaf => ({
  of: {} as JoinLeaf["of"],
  isPrivate: false,
  ofUnit: none,
  inAll: none,
  ...words,
});
const owned = (ofUnit: number): JoinLeaf => leaf({ isPrivate: true, ofUnit });
const node = (type: JoinNode["type"], left: number, right: number, first = 0): JoinNode => ({
  type,
  left,
  right,
  first,
});
/** A condition `from = to` of a join, so that both sides are there where it is true. */
const met = (from: number, to: number, rows: number, at: number | null = 0): Meeting => ({
  to,
  from: 1 << from,
  rows,
  node: at,
  present: (1 << from) | (1 << to),
});
function graph(parts: Partial<JoinGraph> & Pick<JoinGraph, "leaves" | "nodes">): JoinGraph {
  const { meetings = [] } = parts;
  const links = meetings.filter(({ node }) => node !== null).map(({ from, to }) => from | (1 << to));
  return { meetings, links, inferred: [], looks: [], ...parts };
}
const rows = (whole: number, widest = whole): MetRows => ({ whole, widest });

describe("bits", () => {
  it("are counted in any mask", () => {
    for (let mask = 0; mask < 300; mask += 1)
      expect(bitsIn(mask)).toBe([...mask.toString(2)].filter((bit) => bit === "1").length);
  });
});

describe("a row that meets others by inner joins alone", () => {
  it("has as many rows as the least product of those that it meets one after the other", () => {
    // 1 and 2 are found from 0 by 5 and 7 rows, but 2 from 1 by 3: 5 · 3.
    const triangle = graph({
      leaves: [leaf(), leaf(), leaf()],
      nodes: [node("inner", 1, 2), node("inner", 3, 4)],
      meetings: [met(0, 1, 5), met(0, 2, 7, 1), met(1, 2, 3, 1)],
    });
    expect(metRows(triangle, 0)).toEqual(rows(15));
    // From 2 nothing leads anywhere.
    expect(metRows(triangle, 2)).toEqual(rows(none));
  });

  it("meets a source in whole where no condition names it, and the rows of one unit where it is private", () => {
    const cross = (other: JoinLeaf): JoinGraph =>
      graph({ leaves: [owned(4), other], nodes: [node("inner", 1, 2)] });
    expect(metRows(cross(leaf({ inAll: 9 })), 0)).toEqual(rows(9));
    expect(metRows(cross(leaf({ ofUnit: 9 })), 0)).toEqual(rows(none));
    expect(metRows(cross(owned(9)), 0)).toEqual(rows(9));
    expect(metRows(cross(leaf({ isPrivate: true, ofUnit: 9, inAll: 6 })), 0)).toEqual(rows(6));
    // A public row is nobody's: a unit's rows are none of its own.
    const met = graph({ leaves: [leaf({ inAll: 3 }), owned(4)], nodes: [node("inner", 1, 2)] });
    expect(metRows(met, 0)).toEqual(rows(none));
  });

  it("counts one unit's rows from none: each private source has its own", () => {
    const both = graph({ leaves: [owned(4), owned(6)], nodes: [node("inner", 1, 2)] });
    expect(metRows(both, null)).toEqual(rows(24));
    const looked = graph({
      leaves: [owned(4), leaf()],
      nodes: [node("inner", 1, 2)],
      meetings: [met(0, 1, 3)],
    });
    expect(metRows(looked, null)).toEqual(rows(12));
    const alone = graph({ leaves: [owned(4)], nodes: [] });
    expect([metRows(alone, null), metRows(alone, 0)]).toEqual([rows(4), rows(1)]);
  });

  it("may be joined in part first, in a part that has more rows than the whole", () => {
    // The last join finds 2 by 1 and by 0 together with one row; without it 0 and 1 alone have 50.
    const narrowed = graph({
      leaves: [leaf(), leaf(), leaf({ inAll: 8 })],
      nodes: [node("inner", 1, 2), node("inner", 3, 4)],
      meetings: [met(0, 1, 50), met(0, 2, 2, 1), met(2, 1, 3, 1)],
    });
    expect(metRows(narrowed, 0)).toEqual({ whole: 6, widest: 50 });
  });

  it("is as the least product over every order of the sources, in the whole and in every part that conditions tie", () => {
    const numbers = fc.constantFrom(1, 2, 3, 5, 7, none);
    const graphs = fc.integer({ min: 2, max: 4 }).chain((count) =>
      fc.record({
        leaves: fc.array(
          fc.record({ isPrivate: fc.boolean(), ofUnit: numbers, inAll: numbers }).map((words) => leaf(words)),
          { minLength: count, maxLength: count },
        ),
        pairs: fc.array(
          fc
            .tuple(fc.nat(count - 1), fc.nat(count - 1), fc.constantFrom(1, 2, 3, 5, 7))
            .filter(([a, b]) => a !== b),
          { maxLength: 6 },
        ),
        inferred: fc.array(
          fc
            .tuple(fc.nat(count - 1), fc.nat(count - 1), fc.constantFrom(1, 2, 3))
            .filter(([a, b]) => a !== b),
          { maxLength: 2 },
        ),
        start: fc.option(fc.nat(count - 1)),
      }),
    );
    fc.assert(
      fc.property(graphs, ({ leaves, pairs, inferred, start }) => {
        // Joined from left to right; a condition stands at the first join that has both of its sides.
        const nodes = leaves.slice(1).map((_, at) => node("inner", 2 ** (at + 1) - 1, 2 ** (at + 1)));
        const meetings = [
          ...pairs.map(([a, b, most]) => met(a, b, most, Math.max(a, b) - 1)),
          ...inferred.map(([a, b, most]) => met(a, b, most, null)),
        ];
        const made = graph({
          leaves,
          nodes,
          meetings,
          inferred: inferred.map(([a, b]) => (1 << a) | (1 << b)),
        });
        expect(metRows(made, start)).toEqual(metRowsByHand(made, start));
      }),
      { numRuns: 400, seed: 1 },
    );
  });
});

describe("a row that meets others by outer joins", () => {
  const two = (
    type: JoinNode["type"],
    left: JoinLeaf,
    right: JoinLeaf,
    meetings: readonly Meeting[],
  ): JoinGraph => graph({ leaves: [left, right], nodes: [node(type, 1, 2)], meetings });

  it("on the side that is kept has the rows that it finds; on the other, those that find it", () => {
    for (const [type, kept] of [
      ["left", 0],
      ["right", 1],
    ] as const) {
      const sides = [owned(4), leaf({ inAll: 6 })] as const;
      const [left, right] = kept === 0 ? sides : ([sides[1], sides[0]] as const);
      const found = two(type, left, right, [met(kept, 1 - kept, 5)]);
      expect([metRows(found, kept), metRows(found, null)]).toEqual([rows(5), rows(20)]);
      // The other way round, the condition says nothing of how many rows are kept.
      const keeping = two(type, right, left, [met(1 - kept, kept, 5)]);
      expect([metRows(keeping, 1 - kept), metRows(keeping, null)]).toEqual([rows(5), rows(24)]);
    }
  });

  it("on either side of a full join has the rows that it finds there", () => {
    const full = two("full", owned(4), leaf(), [met(0, 1, 5), met(1, 0, 3)]);
    expect(metRows(full, 0)).toEqual(rows(5));
    expect(metRows(full, 1)).toEqual(rows(3));
    expect(metRows(full, null)).toEqual(rows(none));
  });

  it("is counted apart where private rows find something and where they do not", () => {
    const both = two("full", owned(4), owned(6), []);
    expect([metRows(both, 0), metRows(both, 1)]).toEqual([rows(6), rows(4)]);
    // Pairs, rows of the left alone, rows of the right alone: 4 · 6 + 4 + 6.
    expect(metRows(both, null)).toEqual(rows(34));
    const kept = two("left", owned(4), owned(6), []);
    expect(metRows(kept, null)).toEqual(rows(24));
  });

  const three = (meetings: readonly Meeting[]): JoinGraph =>
    graph({
      leaves: [owned(2), owned(3), owned(5)],
      nodes: [node("full", 2, 4), node("inner", 1, 6)],
      meetings,
      links: [],
    });

  it("meets a full join of others as pairs, and as each side alone", () => {
    expect(metRows(three([]), 0)).toEqual(rows(3 * 5 + 3 + 5));
    expect(metRows(three([]), 1)).toEqual(rows(2 * 5));
    expect(metRows(three([]), 2)).toEqual(rows(2 * 3));
    expect(metRows(three([]), null)).toEqual(rows(2 * (3 * 5 + 3 + 5)));
  });

  it("meets no side alone that a condition above needs the other side for", () => {
    expect(metRows(three([met(1, 0, 1, 1)]), 0)).toEqual(rows(3 * 5 + 3));
    expect(metRows(three([met(2, 0, 1, 1)]), 0)).toEqual(rows(3 * 5 + 5));
    expect(metRows(three([met(1, 0, 1, 1), met(2, 0, 1, 1)]), 0)).toEqual(rows(3 * 5));
    // A condition of the full join itself is false on one side alone, and keeps that side.
    expect(metRows(three([met(1, 2, 4, 0)]), 0)).toEqual(rows(3 * 4 + 3 + 5));
  });

  it("meets public rows of a join within one in each way that has them", () => {
    const within = (first: JoinLeaf, meeting: Meeting): JoinGraph =>
      graph({
        leaves: [first, leaf({ inAll: 6 }), owned(3)],
        nodes: [node("left", 1, 2), node("full", 3, 4)],
        meetings: [meeting],
        links: [],
      });
    expect(metRows(within(owned(2), met(0, 1, 5)), null)).toEqual(rows(2 * 5 * 3 + 2 * 5 + 3));
    const mirrored = graph({
      leaves: [leaf({ inAll: 6 }), owned(2), owned(3)],
      nodes: [node("right", 1, 2), node("full", 3, 4)],
      meetings: [met(1, 0, 5)],
      links: [],
    });
    expect(metRows(mirrored, null)).toEqual(rows(2 * 5 * 3 + 2 * 5 + 3));
    // A row that is kept without a partner is not found by the condition.
    expect(metRows(within(owned(none), met(1, 0, 4)), null)).toEqual(rows(none));
  });

  it("is told apart in five outer joins at most", () => {
    /** A private row beside a chain of full joins of one row each: one row for each choice of those that are there. */
    const chain = (joins: number): MetRows => {
      const leaves = [owned(1), ...Array.from({ length: joins + 1 }, () => owned(1))];
      const full = Array.from({ length: joins }, (_, at) => node("full", 2 ** (at + 2) - 2, 2 ** (at + 2)));
      const all = 2 ** leaves.length - 2;
      return metRows(graph({ leaves, nodes: [...full, node("inner", 1, all)], links: [] }), 0);
    };
    expect(chain(1)).toEqual(rows(3));
    expect(chain(4)).toEqual(rows(31));
    expect(chain(5)).toEqual(rows(63));
    expect(chain(6)).toEqual(rows(none));
  });

  it("may be found by an equality that engines infer, whatever the joins", () => {
    const inferring = graph({
      leaves: [owned(4), leaf(), leaf({ inAll: 9 })],
      nodes: [node("left", 1, 2), node("inner", 3, 4)],
      meetings: [met(0, 1, 5), met(0, 2, 2, null)],
      inferred: [5],
    });
    // The whole is as it is written, 5 · 9; an engine may join 2 first, by the inferred condition.
    expect(metRows(inferring, 0)).toEqual(rows(45));
    expect(metRows({ ...inferring, leaves: [owned(4), leaf(), leaf()] }, 0).widest).toBe(none);
  });
});

/** Counts as the definition says, over every order and every subset. It holds for inner joins, one after the other. */
function metRowsByHand(
  { leaves, nodes, meetings, links, inferred }: JoinGraph,
  start: number | null,
): MetRows {
  const product = (set: readonly number[], valid: readonly Meeting[]): number => {
    const orders = (rest: readonly number[]): readonly (readonly number[])[] =>
      rest.length === 0
        ? [[]]
        : rest.flatMap((one) => orders(rest.filter((x) => x !== one)).map((o) => [one, ...o]));
    const begin = start === null ? [] : [start];
    const others = set.filter((one) => one !== start);
    return Math.min(
      ...orders(others).map((order) => {
        const before = [...begin];
        let rows = 1;
        for (const one of order) {
          const { isPrivate, ofUnit, inAll } = leaves[one]!;
          const isOfUnit = isPrivate && (start === null || before.some((each) => leaves[each]!.isPrivate));
          const found = valid.filter(
            ({ to, from }) => to === one && before.some((each) => from === 1 << each),
          );
          rows *= Math.min(inAll, isOfUnit ? ofUnit : none, ...found.map((meeting) => meeting.rows));
          before.push(one);
        }
        return rows;
      }),
    );
  };
  const within = (mask: number): readonly number[] =>
    leaves.map((_, at) => at).filter((at) => mask & (1 << at));
  const isTied = (mask: number, by: readonly number[]): boolean => {
    let reached = 1 << start!;
    for (let round = 0; round < leaves.length; round += 1)
      for (const link of by) if ((link & ~mask) === 0 && (link & reached) !== 0) reached |= link;
    return reached === mask;
  };
  const written = meetings.filter((meeting) => meeting.node !== null);
  const parts: number[] = [1];
  for (let mask = 1; start !== null && mask < 2 ** leaves.length; mask += 1) {
    if ((mask & (1 << start)) === 0 || !isTied(mask, [...links, ...inferred])) continue;
    parts.push(product(within(mask), isTied(mask, links) ? written : meetings));
  }
  let whole = none;
  nodes.forEach(({ left, right }, at) => {
    const mask = left | right;
    if (start !== null && (mask & (1 << start)) === 0) return;
    // Of a part that is written, its own conditions decide; inferred ones may come from without.
    const own = product(
      within(mask),
      written.filter((meeting) => meeting.node! <= at),
    );
    parts.push(own);
    whole = own;
  });
  return { whole, widest: Math.max(...parts) };
}
