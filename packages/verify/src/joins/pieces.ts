import { elementAt, lastElement } from "@lethe/core/numeric";
import type {
  Expression,
  JoinRelation,
  ListRelation,
  MarkedRelation,
  Relation,
  SemijoinRelation,
  TableRelation,
} from "@lethe/query";
import { leaves } from "../derive/leaves.ts";
import { tables } from "../derive/rows-of-units.ts";

/** A relation whose rows look for a row among others. */
export type Looking = SemijoinRelation | MarkedRelation;

type Named = Exclude<Relation, { readonly kind: "filter" | "semijoin" | "join" }>;

/** A source of a join, by its place among the sources. */
export interface Piece {
  readonly of: Named;
  readonly isOwned: boolean;
  /** The most rows of one unit, and of all. */
  readonly aUnit: number;
  readonly altogether: number;
}

/** A join, or a filter, which finds nothing: of its two sides, and of the conditions that are written there. */
export interface Place {
  readonly type: "inner" | "left" | "right" | "full";
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
  readonly within: ReadonlySet<Place>;
}

/** Rows of `found` that `given` rows meet, at most; what is `inferred` is written nowhere. */
export interface Rule {
  readonly found: number;
  readonly given: ReadonlySet<number>;
  readonly rows: number;
  readonly at: Place | "inferred";
  /** Sources that are not missing where the condition holds. */
  readonly needs: readonly number[];
}

export interface Pieces {
  readonly pieces: readonly Piece[];
  readonly places: readonly Place[];
  readonly rules: readonly Rule[];
  readonly conditions: readonly ReadonlySet<number>[];
  /** Pieces that only a condition that is written nowhere names together. */
  readonly inferred: readonly ReadonlySet<number>[];
  readonly asked: readonly Looking[];
}

/** More sources than a question may name. */
const mostPieces = 16;

/** Takes a relation apart. `rowsOfUnit` is asked of sources that are no tables. Errors: RangeError for too many sources. */
export function piecesOf(relation: Relation, rowsOfUnit: (of: Relation) => number): Pieces {
  const taken = new Taking(rowsOfUnit);
  taken.take(relation);
  return taken.result();
}

/** The pairs of rows that are compared: the rows that look are the first piece, as one, of which a unit has at most `rows`. */
export function piecesLooked(looking: Looking, rows: number, rowsOfUnit: (of: Relation) => number): Pieces {
  const taken = new Taking(rowsOfUnit);
  taken.standFor(looking.of, rows);
  const within = taken.take(looking.among);
  taken.join("inner", new Set([0]), within, looking.on === null ? [] : conjuncts(looking.on));
  if (looking.kind === "marked") taken.keys(looking.keys, 0);
  return taken.result();
}

export function conjuncts(condition: Expression): readonly Expression[] {
  const open = [condition];
  const found: Expression[] = [];
  for (let next = open.shift(); next; next = open.shift()) {
    if (next.kind === "call" && next.operator === "and") open.unshift(...next.args);
    else found.push(next);
  }
  return found;
}

interface ColumnAt {
  readonly piece: number;
  readonly column: string;
}

class Taking {
  readonly #rowsOfUnit: (of: Relation) => number;
  readonly #pieces: Piece[] = [];
  readonly #places: Place[] = [];
  readonly #rules: Rule[] = [];
  readonly #conditions: ReadonlySet<number>[] = [];
  readonly #guessed: ReadonlySet<number>[] = [];
  readonly #asked: Looking[] = [];
  /** The pieces whose rows have a mark, by its source. */
  readonly #marked = new Map<string, ReadonlySet<number>>();
  readonly #bySource = new Map<string | null, number>();
  /** Columns that are equal, class by class. */
  #alike: (readonly ColumnAt[])[] = [];

  constructor(rowsOfUnit: (of: Relation) => number) {
    this.#rowsOfUnit = rowsOfUnit;
  }

  result(): Pieces {
    const owned = this.#pieces.flatMap(({ isOwned }, at) => (isOwned ? [at] : []));
    // Rows of one unit alone meet, whichever tables hold them.
    for (const a of owned) for (const b of owned) if (a < b) this.#conditions.push(new Set([a, b]));
    for (const alike of this.#alike)
      for (const x of alike) for (const y of alike) if (x.piece !== y.piece) this.#inferred(x, y);
    return {
      pieces: this.#pieces,
      places: this.#places,
      rules: this.#rules,
      conditions: this.#conditions,
      inferred: this.#guessed,
      asked: this.#asked,
    };
  }

  standFor(of: Relation, rows: number): void {
    const named = namedIn(of);
    const altogether = Number.POSITIVE_INFINITY;
    this.#pieces.push({ of: elementAt(named, 0), isOwned: true, aUnit: rows, altogether });
    for (const { source } of named) this.#bySource.set(source, 0);
  }

  take(relation: Relation): ReadonlySet<number> {
    if (relation.kind === "semijoin" || relation.kind === "marked") {
      this.#asked.push(relation);
      const of = this.take(relation.of);
      if (relation.kind === "marked") this.#marked.set(relation.source, of);
      return of;
    }
    // A condition that is looked at when all rows are made finds none of them.
    if (relation.kind === "filter" && relation.fenced) return this.take(relation.of);
    if (relation.kind === "filter")
      return this.join("inner", this.take(relation.of), new Set(), conjuncts(relation.where));
    if (relation.kind !== "join") return new Set([this.#named(relation)]);
    const [left, right] = [this.take(relation.left), this.take(relation.right)];
    const on = relation.on === null ? [] : conjuncts(relation.on);
    const both = this.join(relation.type, left, right, on);
    this.keys(relation.keys, null);
    return both;
  }

  /** Takes the keys of the last place. The limits of a table say nothing of the piece that stands for others. */
  keys(keys: JoinRelation["keys"], stands: number | null): void {
    for (const { left, right } of keys) {
      const [a, b] = [this.#bySource.get(left.source), this.#bySource.get(right.source)];
      if (a === undefined || b === undefined) continue;
      this.#conditions.push(new Set([a, b]));
      if (a !== stands) this.#byKey(a, left.column, b);
      if (b !== stands) this.#byKey(b, right.column, a);
    }
  }

  join(
    type: Place["type"],
    left: ReadonlySet<number>,
    right: ReadonlySet<number>,
    on: readonly Expression[],
  ): ReadonlySet<number> {
    const both = new Set([...left, ...right]);
    const below = this.#places.filter((place) => [...place.left, ...place.right].every((at) => both.has(at)));
    const place: Place = { type, left, right, within: new Set(below) };
    this.#places.push(place);
    for (const condition of on) this.#condition(condition, place);
    return both;
  }

  #named(of: Named): number {
    if (this.#pieces.length >= mostPieces) throw new RangeError("more sources than a question may join");
    const limits = of.kind === "table" ? (of.limits ?? []) : [];
    const stated = (per: "unit" | "table"): number =>
      limits.reduce(
        (least, limit) => (limit.per === per ? Math.min(least, limit.rows) : least),
        Number.POSITIVE_INFINITY,
      );
    const at = this.#pieces.length;
    this.#pieces.push({
      of,
      isOwned: [...tables(of)].some(({ unit }) => unit.kind !== "public"),
      aUnit: of.kind === "table" || of.kind === "list" ? stated("unit") : this.#rowsOfUnit(of),
      altogether: of.kind === "list" ? of.rows.length : stated("table"),
    });
    // A window shows the columns of its rows beside its own.
    for (const { source } of of.kind === "windowed" ? namedIn(of) : [of]) this.#bySource.set(source, at);
    return at;
  }

  #condition(condition: Expression, place: Place): void {
    const read = this.#read(condition);
    if (read.size > 1) this.#conditions.push(read);
    if (condition.kind !== "call" || condition.operator !== "=" || condition.args.length !== 2) return;
    const [a, b] = condition.args as readonly [Expression, Expression];
    // A mark may be there where some of the rows that it marks are missing.
    const needs = [a, b].flatMap((side) =>
      side.kind === "column" && this.#bySource.has(side.source ?? null) ? [...this.#read(side)] : [],
    );
    for (const [side, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const [found] = this.#read(side);
      const given = this.#read(other);
      if (side.kind !== "column" || !this.#bySource.has(side.source ?? null)) continue;
      if (found === undefined || given.has(found)) continue;
      this.#rule({ found, given, rows: this.#rowsWith(found, side.name), at: place, needs });
    }
    if (a.kind !== "column" || b.kind !== "column" || place.type !== "inner") return;
    if (![a, b].every(({ source = null }) => this.#bySource.has(source))) return;
    const at = (side: typeof a): ColumnAt => ({
      piece: elementAt([...this.#read(side)], 0),
      column: `${side.name}`,
    });
    this.#equal(at(a), at(b), [columnName(a), columnName(b)]);
  }

  #names: (readonly string[])[] = [];

  #equal(x: ColumnAt, y: ColumnAt, names: readonly [string, string]): void {
    const touched = this.#names.flatMap((known, at) =>
      names.some((name) => known.includes(name)) ? [at] : [],
    );
    const columns = new Map<string, ColumnAt>([
      [names[0], x],
      [names[1], y],
    ]);
    for (const at of touched)
      elementAt(this.#names, at).forEach((name, place) => {
        columns.set(name, elementAt(elementAt(this.#alike, at), place));
      });
    this.#names = [...this.#names.filter((_, at) => !touched.includes(at)), [...columns.keys()]];
    this.#alike = [...this.#alike.filter((_, at) => !touched.includes(at)), [...columns.values()]];
  }

  #inferred(x: ColumnAt, y: ColumnAt): void {
    this.#guessed.push(new Set([x.piece, y.piece]));
    const rows = this.#rowsWith(x.piece, x.column);
    this.#rule({ found: x.piece, given: new Set([y.piece]), rows, at: "inferred", needs: [] });
  }

  #byKey(found: number, column: string, other: number): void {
    const { of } = elementAt(this.#pieces, found);
    for (const limit of of.kind === "table" ? (of.limits ?? []) : [])
      if (limit.per === "unit-and-key" && limit.column === column)
        this.#rule({
          found,
          given: new Set([other]),
          rows: limit.rows,
          at: lastElement(this.#places),
          needs: [found, other],
        });
  }

  /** Rows of a public table with one value of a column, where it is read so that they are few. */
  #rowsWith(piece: number, column: string): number {
    const { of } = elementAt(this.#pieces, piece);
    if (of.kind === "list") return mostAlike(of, column);
    if (of.kind !== "table" || of.unit.kind !== "public") return Number.POSITIVE_INFINITY;
    return readWith(of, column);
  }

  #rule(rule: Rule): void {
    if (rule.rows < Number.POSITIVE_INFINITY) this.#rules.push(rule);
  }

  #read(expression: Expression): ReadonlySet<number> {
    const read = new Set<number>();
    for (const { source = null } of leaves(expression)) {
      const at = this.#bySource.get(source);
      if (at !== undefined) read.add(at);
      else for (const piece of this.#marked.get(source ?? "") ?? []) read.add(piece);
    }
    return read;
  }
}

/** The most rows of a list that share a value. */
function mostAlike({ names, rows }: ListRelation, column: string): number {
  const at = names.indexOf(column);
  if (at < 0) return Number.POSITIVE_INFINITY;
  const values = rows.map((row) => row[at]);
  return Math.max(0, ...values.map((value) => values.filter((other) => other === value).length));
}

function readWith({ oncePer, limits = [] }: TableRelation, column: string): number {
  const stated = limits.flatMap((limit) =>
    limit.per === "value" && limit.column === column ? [limit.rows] : [],
  );
  return Math.min(oncePer === column ? 1 : Number.POSITIVE_INFINITY, ...stated);
}

function columnName({ source, name }: Extract<Expression, { readonly kind: "column" }>): string {
  return JSON.stringify([source ?? null, name]);
}

/** Sources whose columns can be read above a relation. */
function namedIn(relation: Relation): readonly Named[] {
  if (relation.kind === "filter" || relation.kind === "semijoin") return namedIn(relation.of);
  if (relation.kind === "windowed" || relation.kind === "marked") return [relation, ...namedIn(relation.of)];
  if (relation.kind === "join") return [...namedIn(relation.left), ...namedIn(relation.right)];
  return [relation];
}
