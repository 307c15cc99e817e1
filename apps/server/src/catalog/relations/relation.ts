import type { Column } from "../system/system.ts";
import { keyOf } from "../types/compare.ts";
import type { Tuple } from "../types/values.ts";
import type { CatalogSession } from "./catalog-session.ts";

/** How the rows of a relation come about. `private` are those of the policy's own tables, which no catalog query reads. */
export type Content =
  | { readonly kind: "rows"; readonly rows: () => readonly Tuple[] }
  | { readonly kind: "session"; readonly rows: (session: CatalogSession) => readonly Tuple[] }
  | { readonly kind: "view"; readonly text: string }
  | { readonly kind: "private" }
  /** PostgreSQL has it, and its rows are not held here. */
  | { readonly kind: "absent" };

type Index = ReadonlyMap<ReturnType<typeof keyOf>, readonly Tuple[]>;

/** A relation that a query may name. */
export class Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly Column[];
  readonly content: Content;
  #rows: readonly Tuple[] | null = null;
  readonly #indexes = new Map<number, Index>();

  constructor(
    { oid, schema, name, columns }: Pick<Relation, "oid" | "schema" | "name" | "columns">,
    content: Content,
  ) {
    this.oid = oid;
    this.schema = schema;
    this.name = name;
    this.columns = columns;
    this.content = content;
  }

  /** Returns its rows: none of what has none of its own. */
  rows(session: CatalogSession): readonly Tuple[] {
    if (this.content.kind === "session") return this.content.rows(session);
    if (this.content.kind !== "rows") return [];
    this.#rows ??= this.content.rows();
    return this.#rows;
  }

  /** Returns its rows by the values of a column, without those that are NULL. What differs between sessions has no index that stays. */
  index(column: number, session: CatalogSession): Index {
    if (this.content.kind !== "rows") return indexOf(this.rows(session), column);
    const known = this.#indexes.get(column);
    if (known) return known;
    const made = indexOf(this.rows(session), column);
    this.#indexes.set(column, made);
    return made;
  }
}

/** Returns rows by the values of a column, without those that are NULL. */
export function indexOf(rows: readonly Tuple[], column: number): Index {
  const index = new Map<ReturnType<typeof keyOf>, Tuple[]>();
  for (const row of rows) {
    const key = keyOf(row[column] ?? null);
    if (key === null) continue;
    const same = index.get(key);
    if (same) same.push(row);
    else index.set(key, [row]);
  }
  return index;
}
