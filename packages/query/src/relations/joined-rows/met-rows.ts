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
  const { byWords, byAll } = connected(graph);
  let widest = elementAt(rows, begin);
  for (let set = begin; begin !== 0 && set < rows.length; set += 1)
    if ((set & begin) !== 0 && (set & ~there) === 0 && byAll[set] === 1)
      widest = Math.max(widest, elementAt(byWords[set] === 1 ? without : rows, set));
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
  const added = leaves.flatMap(({ inAll, ofUnit, isPrivate }, leaf) => {
    const ways = valid.filter(({ to }) => to === leaf);
    return leaf === start
      ? []
      : [{ bit: 1 << leaf, inAll, besideUnit: isPrivate ? Math.min(inAll, ofUnit) : inAll, ways }];
  });
  for (let set = begin + 1; set < rows.length; set += 1) {
    if ((set & ~there) !== 0 || (set & begin) !== begin) continue;
    let least = Number.POSITIVE_INFINITY;
    for (const { bit, inAll, besideUnit, ways } of added) {
      if ((set & bit) === 0) continue;
      const before = set & ~bit;
      const rowsBefore = rows[before] ?? least;
      if (rowsBefore >= least) continue;
      let most = start === null || (before & owned) !== 0 ? besideUnit : inAll;
      for (const { from, rows: met } of ways) if ((from & ~before) === 0 && met < most) most = met;
      if (rowsBefore * most < least) least = rowsBefore * most;
    }
    rows[set] = least;
  }
  return rows;
}

/** The sets of leaves that conditions connect among themselves: 1 for each that is connected. */
interface Connected {
  readonly byWords: Uint8Array;
  /** With the conditions that an engine may infer. */
  readonly byAll: Uint8Array;
}

const connectedOf = new WeakMap<JoinGraph, Connected>();

/** Returns the connected sets, which are found once for a graph. */
function connected(graph: JoinGraph): Connected {
  const known = connectedOf.get(graph);
  if (known) return known;
  const { links, inferred, leaves } = graph;
  const found = {
    byWords: connectedBy(links, leaves.length),
    byAll: connectedBy([...links, ...inferred], leaves.length),
  };
  connectedOf.set(graph, found);
  return found;
}

function connectedBy(links: readonly number[], leaves: number): Uint8Array {
  const found = new Uint8Array(2 ** leaves);
  const wide = links.filter((link) => bitsIn(link) > 2);
  const beside = new Int32Array(leaves);
  for (const link of links)
    if (bitsIn(link) === 2)
      for (let leaf = 0; leaf < leaves; leaf += 1)
        if ((link & (1 << leaf)) !== 0) beside[leaf] = elementAt(beside, leaf) | (link & ~(1 << leaf));
  for (let set = 1; set < found.length; set += 1) {
    let reached = set & -set;
    for (let fresh = reached; fresh !== 0 && reached !== set; ) {
      let next = 0;
      for (let rest = fresh; rest !== 0; rest &= rest - 1)
        next |= elementAt(beside, 31 - Math.clz32(rest & -rest));
      for (const link of wide) if ((link & ~set) === 0 && (link & reached) !== 0) next |= link;
      fresh = next & set & ~reached;
      reached |= fresh;
    }
    if (reached === set) found[set] = 1;
  }
  return found;
}
