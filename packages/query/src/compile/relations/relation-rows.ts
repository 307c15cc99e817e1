import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnExpression, Expression } from "../../expressions/expression.ts";
import {
  type FilterRelation,
  type GroupedRelation,
  type MarkedRelation,
  ownerOf,
  type Relation,
  type SemijoinRelation,
  type WindowedRelation,
} from "../../relations/relation.ts";
import {
  columnsOf,
  type FromItem,
  named,
  type Query,
  rowsOf,
  type SelectColumn,
  select,
  table,
  unionAll,
  withTables,
} from "../../sql/query.ts";
import type { StorageOf } from "../stored/storage-of.ts";
import { conditionText } from "./condition-text.ts";
import { groupedRows, type UnitValueNames } from "./grouped-rows.ts";
import { listRows } from "./list-rows.ts";
import { pairedRows } from "./paired-rows.ts";
import { keysMet, RelationNames } from "./relation-names.ts";
import { tableRows } from "./table-rows.ts";
import { unionRows } from "./union-rows.ts";
import { windowedRows } from "./windowed-rows.ts";

/** A SELECT of a relation's rows: its columns as stored, and where rows are units' u, which is never NULL. */
export interface RelationRows {
  readonly query: Query;
  /** The name that a column has there. */
  readonly column: (column: Pick<ColumnExpression, "source" | "name">) => string;
}

export function relationRows(relation: Relation, storageOf: StorageOf, dialect: Dialect): RelationRows {
  const names = new RelationNames(relation);
  const writer = new RelationWriter(names, storageOf, dialect);
  return { query: writer.select(relation), column: (column) => names.of(column) };
}

class RelationWriter {
  readonly #names: RelationNames;
  readonly #storageOf: StorageOf;
  readonly #dialect: Dialect;

  constructor(names: RelationNames, storageOf: StorageOf, dialect: Dialect) {
    this.#names = names;
    this.#storageOf = storageOf;
    this.#dialect = dialect;
  }

  select(relation: Relation): Query {
    const [names, dialect] = [this.#names, this.#dialect];
    switch (relation.kind) {
      case "table":
        return tableRows(relation, { names, storageOf: this.#storageOf, dialect });
      case "list":
        return listRows(relation, names, dialect);
      case "filter":
        return this.#filter(relation);
      case "semijoin":
        return this.#semijoin(relation);
      case "union":
        return unionRows(relation, (part) => this.select(part), names, dialect);
      case "grouped":
        return groupedRows(relation, this.select(relation.of), this.#namesIn(relation), dialect);
      case "windowed": {
        const carried = names.shown(relation.of);
        return windowedRows(relation, this.select(relation.of), carried, this.#namesIn(relation), dialect);
      }
      case "marked":
        return this.#marked(relation, this.select(relation.of));
      case "join": {
        const [left, right] = [relation.left, relation.right].map((side) => ({
          query: this.select(side),
          isOwned: isOwned(side),
        }));
        return pairedRows(relation, left!, right!, names, dialect);
      }
    }
  }

  #namesIn({ source }: GroupedRelation | WindowedRelation): UnitValueNames {
    return {
      stored: (column) => `part.${this.#names.of(column)}`,
      own: (name) => this.#names.ofSource(source, name),
    };
  }

  #filter({ of, where, fenced }: FilterRelation): Query {
    const kept = of.kind === "marked" && !fenced ? markKept(of, where) : null;
    if (of.kind === "marked" && kept !== null)
      return this.#withMark(of, kept, rowsOf(this.select(of.of), "kept"));
    const condition = conditionText(where, of, (column) => `kept.${this.#names.of(column)}`, this.#dialect);
    const rows = fenced
      ? select(this.#list(of, "made"), rowsOf(this.select(of), "made"), { fenced })
      : this.select(of);
    return select(this.#list(of, "kept"), rowsOf(rows, "kept"), { where: [condition] });
  }

  /**
   * Rows with a mark are those that meet a row and those that meet none: engines find each of these by a hash of what is equal. Where the rows would be
   * made anew for each part, every row is asked instead.
   */
  #marked(relation: MarkedRelation, of: Query): Query {
    if (this.#dialect.copiesTables) return this.#askedForMark(relation, of);
    const kept = table("kept");
    return withTables(
      [{ name: "kept", query: of }],
      unionAll([true, false].map((mark) => this.#withMark(relation, mark, kept))),
    );
  }

  /** The rows, named `kept`, whose mark is the one asked for. */
  #withMark(relation: MarkedRelation, mark: boolean, kept: FromItem): Query {
    const { write, semijoin } = this.#dialect;
    return semijoin(
      {
        columns: this.#withMarkOf(relation, write.truth(mark)),
        kept,
        met: rowsOf(this.select(relation.among), "met"),
        on: this.#meeting(relation),
        found: mark,
      },
      write,
    );
  }

  /** All rows, each with its mark. */
  #askedForMark(relation: MarkedRelation, of: Query): Query {
    const { write } = this.#dialect;
    const met = rowsOf(this.select(relation.among), "met");
    const mark = write.exists(select(["1"], met, { where: this.#meeting(relation) }));
    return select(this.#withMarkOf(relation, mark), rowsOf(of, "kept"));
  }

  /** The columns of rows named `kept`, and their mark. */
  #withMarkOf({ of, source, columns }: MarkedRelation, mark: string): readonly SelectColumn[] {
    const [name = ""] = Object.keys(columns);
    return [...this.#list(of, "kept"), named(mark, this.#names.ofSource(source, name))];
  }

  /** The conditions under which a row named `kept` meets one named `met`. */
  #meeting(relation: MarkedRelation): readonly string[] {
    const [names, dialect] = [this.#names, this.#dialect];
    const { write } = dialect;
    const { of, among, on } = relation;
    const ofKept = new Set(names.shown(of));
    const at = (name: string): string => `${ofKept.has(name) ? "kept" : "met"}.${name}`;
    return [
      ...(isOwned(among) ? [write.compare("met.u", "=", "kept.u")] : []),
      ...keysMet(relation).map((pair) =>
        write.compare(at(names.ofKey(pair.left)), "=", at(names.ofKey(pair.right))),
      ),
      ...(on === null ? [] : [conditionText(on, relation, (column) => at(names.of(column)), dialect)]),
    ];
  }

  #semijoin({ of, among, on, not }: SemijoinRelation): Query {
    const { write } = this.#dialect;
    const ofKept = new Set(this.#names.shown(of));
    const stored = (column: ColumnExpression): string => {
      const name = this.#names.of(column);
      return `${ofKept.has(name) ? "kept" : "met"}.${name}`;
    };
    const condition = conditionText(on, { kind: "semijoin", of, among, on, not }, stored, this.#dialect);
    const request = {
      columns: this.#list(of, "kept"),
      kept: rowsOf(this.select(of), "kept"),
      met: rowsOf(this.select(among), "met"),
      on: [condition],
      found: !not,
    };
    return this.#dialect.semijoin(request, write);
  }

  #list(relation: Relation, of: string): readonly SelectColumn[] {
    return columnsOf(of, [...this.#names.shown(relation), ...(isOwned(relation) ? ["u"] : [])]);
  }
}

/** The mark of the rows that a condition keeps, where it asks for the mark alone; null for other conditions. */
function markKept({ source }: MarkedRelation, where: Expression): boolean | null {
  if (where.kind === "column") return where.source === source ? true : null;
  if (where.kind !== "call" || where.operator !== "not") return null;
  const [asked] = where.args;
  return asked?.kind === "column" && asked.source === source ? false : null;
}

/** Whether a relation's rows name their unit. */
function isOwned(relation: Relation): boolean {
  return ownerOf(relation) === "column";
}
