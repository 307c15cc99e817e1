import type { Node } from "@pgsql/types";
import { refused } from "../refuse.ts";
import type { Tuple } from "../types/values.ts";
import type { Expr } from "./expr.ts";
import type { Frame } from "./frame.ts";
import type { Level } from "./level.ts";
import type { WithQuery } from "./with-query.ts";

export interface SourceColumn {
  readonly name: string;
  readonly expr: Expr;
  /** The slots that the expression names. */
  readonly slots: ReadonlySet<number>;
  /** Whether * leaves it out, as it does with ctid. */
  readonly isHidden?: boolean;
}

/** What a name before a point means. */
export interface Source {
  readonly name: string;
  readonly schema: string | null;
  readonly columns: readonly SourceColumn[];
  /** The type of its rows as values. */
  readonly rowType: number;
  /** Whether a row stands there: an outer join may have none. */
  readonly isPresent: (frame: Frame) => boolean;
}

/** What an aggregate, a window function or a function that returns sets is told of by the expression that holds it. */
export interface Collector {
  readonly aggregates: Aggregate[];
  readonly windows: Window[];
  readonly sets: { rows(frame: Frame): readonly Tuple[] | readonly Tuple[number][] }[];
}

/** Adds up the values of one group. */
export interface Accumulator {
  add(values: Tuple, run: Frame["run"]): void;
  result(run: Frame["run"]): Tuple[number];
}

export interface Aggregate {
  readonly arguments: readonly Expr[];
  readonly isDistinct: boolean;
  readonly order: readonly SortKey[];
  readonly filter: Expr | null;
  readonly begin: () => Accumulator;
}

export interface Window {
  readonly partition: readonly Expr[];
  readonly order: readonly SortKey[];
  /** Returns the value of each row of a partition that is in order; `peers` are the groups of rows that the order does not tell apart. */
  readonly values: (rows: readonly Frame[], peers: readonly number[]) => readonly Tuple[number][];
}

export interface SortKey {
  readonly expr: Expr;
  readonly isDescending: boolean;
  readonly areNullsFirst: boolean;
}

/** What names mean at one place of a query. */
export class Scope {
  readonly level: Level;
  readonly parent: Scope | null;
  readonly sources: Source[] = [];
  /** The columns of * in order. */
  readonly star: SourceColumn[] = [];
  readonly withQueries: Map<string, WithQuery> = new Map();
  /** The windows that a WINDOW clause names. */
  readonly windows: Map<string, Node> = new Map();
  collector: Collector | null = null;

  constructor(level: Level, parent: Scope | null) {
    this.level = level;
    this.parent = parent;
  }

  withQuery(name: string): { readonly query: WithQuery; readonly scope: Scope } | null {
    const query = this.withQueries.get(name);
    if (query) return { query, scope: this };
    return this.parent?.withQuery(name) ?? null;
  }

  /** Returns a column as an expression of the level of `from`. Null where there is none of this name. Errors: query.unknown-column for one that several sources have. */
  column(table: string | null, name: string, from: Level = this.level): Expr | null {
    const found = table === null ? this.#bare(name) : this.#qualified(table, name);
    if (found) return this.seenFrom(found.expr, found.slots, from);
    return this.parent?.column(table, name, from) ?? null;
  }

  /** Returns a source with the level that it stands in; null where there is none of this name. */
  source(
    name: string,
    schema: string | null = null,
  ): { readonly source: Source; readonly scope: Scope } | null {
    const source = this.sources.find(
      (each) => each.name === name && (schema === null || each.schema === schema),
    );
    if (source) return { source, scope: this };
    return this.parent?.source(name, schema) ?? null;
  }

  #bare(name: string): SourceColumn | null {
    let found: SourceColumn | null = null;
    for (const column of this.star)
      if (column.name === name) {
        if (found !== null)
          refused("query.unknown-column", `the column ${JSON.stringify(name)} is ambiguous`);
        found = column;
      }
    if (found !== null) return found;
    for (const { columns } of this.sources)
      for (const column of columns) if (column.isHidden && column.name === name) return column;
    return null;
  }

  #qualified(table: string, name: string): SourceColumn | null {
    for (const source of this.sources)
      if (source.name === table) {
        const column = source.columns.find((each) => each.name === name);
        if (column) return column;
      }
    return null;
  }

  /** Returns an expression of this scope as it is seen from a level within. */
  seenFrom(expr: Expr, slots: Iterable<number>, from: Level): Expr {
    this.level.note(slots);
    from.touch(this.level.depth);
    const up = from.depth - this.level.depth;
    if (up === 0) return expr;
    return { ...expr, run: climbing(expr.run, up) };
  }
}

function climbing(run: Expr["run"], up: number): Expr["run"] {
  if (up === 1) return (frame) => run(frame.outer as Frame);
  return (frame) => {
    let there = frame;
    for (let left = up; left > 0; left -= 1) there = there.outer as Frame;
    return run(there);
  };
}
