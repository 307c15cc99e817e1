import { elementAt } from "@lethe/core/numeric";
import { bitsIn, type JoinGraph, type JoinNode, type Meeting } from "./join-graph.ts";

/** The most rows that one row of a source may become. */
export interface MetRows {
  /** The rows of the whole relation. */
  readonly whole: number;
  /** The most rows of any part that is written, or that an engine may join before the rest. */
  readonly widest: number;
}

/** The most outer joins that are told apart by whether they find something. */
const mostSplit = 5;

/**
 * Returns the rows of a relation in which one row of the leaf `start` stands; where `start` is null, the rows of one unit. A
 * source is added to others by a condition that names them alone, by its size, or by the rows that one unit has of it, in the
 * order of least product. Derivation: docs/architecture/joins.md.
 */
export function metRows(graph: JoinGraph, start: number | null): MetRows {
  const all = 2 ** graph.leaves.length - 1;
  const direct = rowsWhere(graph, start, all, directly(graph, start));
  const split = splitRows(graph, start, all);
  return { whole: Math.min(direct.whole, split.whole), widest: Math.min(direct.widest, split.widest) };
}

/**
 * Returns the type of a join as a row of `start` meets it: the presence of that row tells that the join found something, or that
 * it keeps rows whatever it finds.
 */
function sideOf({ type, left, right }: JoinNode, start: number | null): JoinNode["type"] {
  const here = start === null ? 0 : 1 << start;
  if (type === "inner") return type;
  const inLeft = (left & here) !== 0;
  const inRight = (right & here) !== 0;
  if (type === "left") return inRight ? "inner" : type;
  if (type === "right") return inLeft ? "inner" : type;
  return inLeft ? "left" : inRight ? "right" : type;
}

/** Each source that an outer join need not find is either met or missing: its condition says nothing of the sources that are kept. */
function directly({ nodes, meetings }: JoinGraph, start: number | null): readonly Meeting[] | null {
  const sides = nodes.map((node) => sideOf(node, start));
  if (sides.includes("full")) return null;
  return meetings.filter(({ to, node }) => {
    if (node === null || sides[node] === "inner") return true;
    const { left, right } = elementAt(nodes, node);
    return ((sides[node] === "left" ? right : left) & (1 << to)) !== 0;
  });
}

/** Adds up the rows of every way in which outer joins of private rows find something or do not. */
function splitRows(graph: JoinGraph, start: number | null, all: number): MetRows {
  const { nodes, leaves } = graph;
  const owned = leaves.reduce((mask, { isPrivate }, at) => (isPrivate ? mask | (1 << at) : mask), 0);
  const sides = nodes.map((node) => sideOf(node, start));
  const split = nodes.flatMap(({ left, right }, at) =>
    sides[at] === "full" || (sides[at] !== "inner" && (left & owned) !== 0 && (right & owned) !== 0)
      ? [at]
      : [],
  );
  let sum: MetRows = { whole: 0, widest: 0 };
  if (split.length === 0 || split.length > mostSplit)
    return { whole: Number.POSITIVE_INFINITY, widest: Number.POSITIVE_INFINITY };
  // Joins are taken from the outermost on: a part of a side that is missing is missing with it.
  const ways = (place: number, missing: number, found: readonly number[]): void => {
    const at = split[place];
    if (at === undefined) {
      const part = rowsOfWay(graph, start, all & ~missing, found, sides);
      sum = { whole: sum.whole + part.whole, widest: sum.widest + part.widest };
      return;
    }
    const { left, right } = elementAt(nodes, at);
    if (((left | right) & ~missing) === 0) {
      ways(place - 1, missing, found);
      return;
    }
    ways(place - 1, missing, [...found, at]);
    if (sides[at] !== "right") ways(place - 1, missing | right, found);
    if (sides[at] !== "left") ways(place - 1, missing | left, found);
  };
  ways(split.length - 1, 0, []);
  return sum;
}

function rowsOfWay(
  graph: JoinGraph,
  start: number | null,
  there: number,
  found: readonly number[],
  sides: readonly JoinNode["type"][],
): MetRows {
  const { nodes, meetings } = graph;
  const isInner = (node: number | null): boolean =>
    node === null || sides[node] === "inner" || found.includes(node);
  const isThere = (node: number): boolean =>
    ((elementAt(nodes, node).left | elementAt(nodes, node).right) & there) !== 0;
  // A missing source equals nothing.
  const isImpossible = meetings.some(
    ({ node, present }) => node !== null && isInner(node) && isThere(node) && (present & ~there) !== 0,
  );
  if (isImpossible) return { whole: 0, widest: 0 };
  const valid = meetings.filter(({ to, from, node }) => {
    if (((from | (1 << to)) & ~there) !== 0) return false;
    if (isInner(node)) return true;
    const { left, right } = elementAt(nodes, node!);
    return ((sides[node!] === "left" ? right : left) & (1 << to)) !== 0;
  });
  return rowsWhere(graph, start, there, valid);
}

function rowsWhere(
  graph: JoinGraph,
  start: number | null,
  there: number,
  valid: readonly Meeting[] | null,
): MetRows {
  if (valid === null) return { whole: Number.POSITIVE_INFINITY, widest: Number.POSITIVE_INFINITY };
  const begin = start === null ? 0 : 1 << start;
  const rows = leastProducts(graph, start, there, valid);
  // An engine that joins by written conditions may infer none; one that joins by inferred conditions has these too.
  const written = valid.filter(({ node }) => node !== null);
  const without = written.length === valid.length ? rows : leastProducts(graph, start, there, written);
  const byWords = connected(graph.links, graph.leaves.length, begin, there);
  const byAll = connected([...graph.links, ...graph.inferred], graph.leaves.length, begin, there);
  let widest = elementAt(rows, begin);
  for (let set = 0; set < rows.length; set += 1)
    if (byAll[set] === 1) widest = Math.max(widest, elementAt(byWords[set] === 1 ? without : rows, set));
  let whole = elementAt(rows, there);
  graph.nodes.forEach(({ left, right, first }, at) => {
    const both = (left | right) & there;
    if (right === 0 || (both & begin) !== begin || both === begin) return;
    const within = valid.filter(({ node }) => node !== null && node >= first && node <= at);
    const isOwn = valid.every(
      (meeting) => within.includes(meeting) || ((meeting.from | (1 << meeting.to)) & ~both) !== 0,
    );
    const own = isOwn ? elementAt(rows, both) : elementAt(leastProducts(graph, start, both, within), both);
    widest = Math.max(widest, own);
    if (at === graph.nodes.length - 1) whole = own;
  });
  return { whole, widest: Math.max(widest, whole) };
}

/** Returns, for every set of leaves, the least product of the rows that its leaves add one after the other. */
function leastProducts(
  { leaves }: JoinGraph,
  start: number | null,
  there: number,
  valid: readonly Meeting[],
): Float64Array {
  const owned = leaves.reduce((mask, { isPrivate }, at) => (isPrivate ? mask | (1 << at) : mask), 0);
  const rows = new Float64Array(2 ** leaves.length).fill(Number.POSITIVE_INFINITY);
  const begin = start === null ? 0 : 1 << start;
  rows[begin] = 1;
  const ways = leaves.map((_, leaf) => valid.filter(({ to }) => to === leaf));
  for (let set = begin + 1; set < rows.length; set += 1) {
    if ((set & ~there) !== 0 || (set & begin) !== begin) continue;
    for (let rest = set & ~begin; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const before = set & ~bit;
      if (rows[before] === Number.POSITIVE_INFINITY) continue;
      const leaf = 31 - Math.clz32(bit);
      const { inAll, ofUnit, isPrivate } = elementAt(leaves, leaf);
      let most = inAll;
      if (isPrivate && (start === null || (before & owned) !== 0)) most = Math.min(most, ofUnit);
      for (const { from, rows: met } of elementAt(ways, leaf))
        if ((from & ~before) === 0 && met < most) most = met;
      const product = elementAt(rows, before) * most;
      if (product < elementAt(rows, set)) rows[set] = product;
    }
  }
  return rows;
}

/** Finds the sets that hold `begin` and are connected by conditions among themselves. */
function connected(links: readonly number[], leaves: number, begin: number, there: number): Uint8Array {
  const found = new Uint8Array(2 ** leaves);
  if (begin === 0) return found;
  for (let set = begin; set < found.length; set += 1) {
    if ((set & ~there) !== 0 || (set & begin) !== begin) continue;
    let reached = begin;
    for (let grows = bitsIn(set) > 1; grows; ) {
      const before = reached;
      for (const link of links) if ((link & ~set) === 0 && (link & reached) !== 0) reached |= link;
      grows = reached !== before && reached !== set;
    }
    if (reached === set) found[set] = 1;
  }
  return found;
}
