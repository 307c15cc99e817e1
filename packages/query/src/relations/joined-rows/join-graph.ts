import { elementAt } from "@lethe/core/numeric";
import { columnId, type Expression } from "../../expressions/expression.ts";
import { atKey } from "../../policy/entry-of.ts";
import {
  type JoinedKeys,
  listedWith,
  type MarkedRelation,
  ownerOf,
  type Relation,
  type SemijoinRelation,
  type Source,
  sourcesRead,
} from "../relation.ts";

/** The parts of one joined relation, down to the sources that have columns of their own. Sets of sources are masks of bits. */
export interface JoinGraph {
  readonly leaves: readonly JoinLeaf[];
  /** Joins and filters, each behind those within it; the last is the whole. */
  readonly nodes: readonly JoinNode[];
  readonly meetings: readonly Meeting[];
  /** Sources that a condition names together, so that an engine may join them before others. */
  readonly links: readonly number[];
  /** The links of conditions that are written nowhere, which not every engine infers. */
  readonly inferred: readonly number[];
  readonly looks: readonly LookedAmong[];
}

/** A relation whose rows look for a row among others, without becoming more rows. */
export type LookedAmong = SemijoinRelation | MarkedRelation;

export interface JoinLeaf {
  readonly of: Source;
  readonly isPrivate: boolean;
  /** The most rows of it that belong to one unit (`ofUnit`), or that it has at all (`inAll`). */
  readonly ofUnit: number;
  readonly inAll: number;
}

export interface JoinNode {
  readonly type: "inner" | "left" | "right" | "full";
  readonly left: number;
  readonly right: number;
  /** The number of the first node within it: the nodes within it have the numbers from here to its own. */
  readonly first: number;
}

/** A row of each source of `from` meets at most so many rows of `to`, by a condition of `node`; null where engines infer it. */
export interface Meeting {
  readonly to: number;
  readonly from: number;
  readonly rows: number;
  readonly node: number | null;
  /** Sources that are there wherever the condition is true. */
  readonly present: number;
}

/** Returns the parts of a condition that must all be true. */
export function everyTrue(condition: Expression | null): readonly Expression[] {
  if (condition === null) return [];
  return condition.kind === "call" && condition.operator === "and"
    ? condition.args.flatMap(everyTrue)
    : [condition];
}

/** Returns the most rows that a source has with one value of a column, as far as it states a limit; Infinity otherwise. */
export function rowsOfValue(of: Source, column: string): number {
  if (of.kind === "list") return listedWith(of, column);
  if (of.kind !== "table" || of.unit.kind !== "public") return Number.POSITIVE_INFINITY;
  if (of.oncePer === column) return 1;
  const stated = (of.limits ?? []).filter((limit) => limit.per === "value" && limit.column === column);
  return Math.min(Number.POSITIVE_INFINITY, ...stated.map(({ rows }) => rows));
}

/** Returns the graph of a relation. `ofUnit` returns the most rows of one unit in a source that is no table. */
export function joinGraph(relation: Relation, ofUnit: (relation: Relation) => number): JoinGraph {
  return new GraphBuilder(ofUnit).build(relation);
}

/** Returns the graph of the pairs that a look compares: its first leaf, which `rows` bounds for one unit, stands for the rows that look. */
export function pairsGraph(
  look: LookedAmong,
  rows: number,
  ofUnit: (relation: Relation) => number,
): JoinGraph {
  return new GraphBuilder(ofUnit).buildMet(look, rows);
}

/** Two columns that a condition of inner joins and filters equates. */
interface Equal {
  readonly ids: readonly [string, string];
  readonly places: readonly [{ leaf: number; column: string }, { leaf: number; column: string }];
}

class GraphBuilder {
  readonly #ofUnit: (relation: Relation) => number;
  readonly #leaves: JoinLeaf[] = [];
  readonly #leafOf = new Map<string, number>();
  readonly #nodes: JoinNode[] = [];
  readonly #meetings: Meeting[] = [];
  readonly #links = new Set<number>();
  readonly #inferred = new Set<number>();
  readonly #equal: Equal[] = [];
  readonly #looks: LookedAmong[] = [];
  /** The leaves whose rows a mark is made of, by its source. */
  readonly #marked = new Map<string, number>();

  constructor(ofUnit: (relation: Relation) => number) {
    this.#ofUnit = ofUnit;
  }

  build(relation: Relation): JoinGraph {
    this.#add(relation);
    return this.#done();
  }

  buildMet(look: LookedAmong, rows: number): JoinGraph {
    const { of, among, on } = look;
    const sources = sourcesWithin(of);
    const [first] = sources;
    this.#leaves.push({ of: first!, isPrivate: true, ofUnit: rows, inAll: Number.POSITIVE_INFINITY });
    for (const { source } of sources) this.#leafOf.set(source ?? "", 0);
    const before = this.#nodes.length;
    const met = this.#add(among);
    this.#node("inner", 1, met, before);
    // The first leaf is no table: what limits a table's rows with a key says nothing of it.
    if (look.kind === "marked") this.#keys(look.keys, (at) => at !== 0);
    for (const condition of everyTrue(on)) this.#condition(condition);
    return this.#done();
  }

  #keys(keys: readonly JoinedKeys[], isTable: (leaf: number) => boolean): void {
    for (const pair of keys) {
      const [a, b] = [this.#leafOf.get(pair.left.source), this.#leafOf.get(pair.right.source)];
      if (a === undefined || b === undefined) continue;
      this.#links.add((1 << a) | (1 << b));
      if (isTable(a)) this.#keyed(a, pair.left.column, b);
      if (isTable(b)) this.#keyed(b, pair.right.column, a);
    }
  }

  #done(): JoinGraph {
    const owned = this.#leaves.flatMap(({ isPrivate }, at) => (isPrivate ? [1 << at] : []));
    for (const a of owned) for (const b of owned) if (a < b) this.#links.add(a | b);
    this.#infer();
    return {
      leaves: this.#leaves,
      nodes: this.#nodes,
      meetings: this.#meetings,
      links: [...this.#links],
      inferred: [...this.#inferred],
      looks: this.#looks,
    };
  }

  /** Adds the parts of a relation, and returns its leaves. */
  #add(relation: Relation): number {
    const first = this.#nodes.length;
    switch (relation.kind) {
      case "filter": {
        const within = this.#add(relation.of);
        // What is looked at behind a fence connects nothing, and bounds nothing.
        if (relation.fenced) return within;
        this.#node("inner", within, 0, first);
        for (const condition of everyTrue(relation.where)) this.#condition(condition);
        return within;
      }
      case "semijoin":
        this.#looks.push(relation);
        return this.#add(relation.of);
      case "marked": {
        this.#looks.push(relation);
        const within = this.#add(relation.of);
        this.#marked.set(relation.source, within);
        return within;
      }
      case "windowed": {
        // Its columns are the window's own and those of the rows it reads, and it has as many rows.
        const at = this.#leaf(relation, relation);
        for (const { source } of sourcesWithin(relation.of)) this.#leafOf.set(source ?? "", at);
        return 1 << at;
      }
      case "join": {
        const [left, right] = [this.#add(relation.left), this.#add(relation.right)];
        this.#node(relation.type, left, right, first);
        this.#keys(relation.keys, () => true);
        for (const condition of everyTrue(relation.on)) this.#condition(condition);
        return left | right;
      }
      default:
        return 1 << this.#leaf(relation, relation);
    }
  }

  #leaf(of: Source, relation: Relation): number {
    const limits = of.kind === "table" ? (of.limits ?? []) : [];
    const least = (per: string): number =>
      Math.min(
        Number.POSITIVE_INFINITY,
        ...limits.flatMap((limit) => (limit.per === per ? [limit.rows] : [])),
      );
    const at =
      this.#leaves.push({
        of,
        isPrivate: ownerOf(relation) !== "public",
        ofUnit: of.kind === "table" || of.kind === "list" ? least("unit") : this.#ofUnit(relation),
        inAll: of.kind === "list" ? of.rows.length : least("table"),
      }) - 1;
    this.#leafOf.set(of.source ?? "", at);
    return at;
  }

  #node(type: JoinNode["type"], left: number, right: number, first: number): void {
    this.#nodes.push({ type, left, right, first });
  }

  #meeting(to: number, from: number, rows: number, node: number | null, present: number): void {
    if (Number.isFinite(rows)) this.#meetings.push({ to, from, rows, node, present });
  }

  /** Adds the meeting of one unit's rows that have a key, as it is written. */
  #keyed(to: number, column: string, from: number): void {
    const { of } = elementAt(this.#leaves, to);
    const limits = of.kind === "table" ? (of.limits ?? []) : [];
    const here = (1 << to) | (1 << from);
    for (const limit of limits)
      if (limit.per === "unit-and-key" && limit.column === column)
        this.#meeting(to, 1 << from, limit.rows, this.#nodes.length - 1, here);
  }

  #condition(condition: Expression): void {
    const read = this.#mask(condition);
    if (bitsIn(read) > 1) this.#links.add(read);
    if (condition.kind !== "call" || condition.operator !== "=") return;
    const [a, b] = condition.args as readonly [Expression, Expression];
    const present = this.#bare(a) | this.#bare(b);
    const node = this.#nodes.length - 1;
    this.#found(a, this.#mask(b), node, present);
    this.#found(b, this.#mask(a), node, present);
    if (a.kind !== "column" || b.kind !== "column" || elementAt(this.#nodes, node).type !== "inner") return;
    if ([a, b].some((side) => !this.#leafOf.has(side.source ?? ""))) return;
    const place = (side: typeof a) => ({ leaf: atKey(this.#leafOf, side.source ?? ""), column: side.name });
    this.#equal.push({ ids: [columnId(a), columnId(b)], places: [place(a), place(b)] });
  }

  #found(side: Expression, from: number, node: number | null, present: number): void {
    if (side.kind !== "column") return;
    const to = this.#leafOf.get(side.source ?? "");
    if (to === undefined || (from & (1 << to)) !== 0) return;
    this.#meeting(to, from, rowsOfValue(elementAt(this.#leaves, to).of, side.name), node, present);
  }

  /** Infers the equality of columns that are equal to the same column: engines add such conditions of their own. */
  #infer(): void {
    const classOf = new Map<string, string>();
    const root = (id: string): string => {
      let at = id;
      while (classOf.has(at)) at = atKey(classOf, at);
      return at;
    };
    const places = new Map<string, { leaf: number; column: string }>();
    for (const { ids, places: both } of this.#equal) {
      ids.forEach((id, at) => {
        places.set(id, elementAt(both, at));
      });
      const [a, b] = [root(ids[0]), root(ids[1])];
      if (a !== b) classOf.set(a, b);
    }
    const all = [...places];
    for (const [a, x] of all)
      for (const [b, y] of all) {
        if (a === b || x.leaf === y.leaf || root(a) !== root(b)) continue;
        const here = (1 << x.leaf) | (1 << y.leaf);
        this.#inferred.add(here);
        this.#meeting(
          x.leaf,
          1 << y.leaf,
          rowsOfValue(elementAt(this.#leaves, x.leaf).of, x.column),
          null,
          here,
        );
      }
  }

  #mask(expression: Expression): number {
    let mask = 0;
    for (const source of sourcesRead(expression)) {
      const at = this.#leafOf.get(source);
      mask |= at === undefined ? (this.#marked.get(source) ?? 0) : 1 << at;
    }
    return mask;
  }

  /** A mark may be there without all the rows that it is made of. */
  #bare(side: Expression): number {
    return side.kind === "column" && this.#leafOf.has(side.source ?? "") ? this.#mask(side) : 0;
  }
}

/** Returns the sources whose columns a relation's rows show, or that stand behind a window. */
function sourcesWithin(relation: Relation): readonly Source[] {
  switch (relation.kind) {
    case "filter":
    case "semijoin":
      return sourcesWithin(relation.of);
    case "windowed":
    case "marked":
      return [relation, ...sourcesWithin(relation.of)];
    case "join":
      return [...sourcesWithin(relation.left), ...sourcesWithin(relation.right)];
    default:
      return [relation];
  }
}

export function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
