import type { ColumnPolicy } from "./policy.ts";

/** The declarations of a database about its relations, as `init` may know them: names, types and keys; no row and no statistics. */
export interface Catalog {
  readonly relations: readonly CatalogRelation[];
}

export interface CatalogRelation {
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view";
  /** The columns in the order of the database. */
  readonly columns: readonly CatalogColumn[];
  /** The keys: columns that are unique together. */
  readonly keys: readonly CatalogKey[];
  readonly foreignKeys: readonly CatalogForeignKey[];
}

export interface CatalogColumn {
  readonly name: string;
  /** The name by which the database calls the type; for words alone. */
  readonly native: string;
  /** The type by which a policy may declare it; null where it cannot be asked. */
  readonly type: ColumnPolicy["type"] | null;
  /**
   * The spelling of its values: values of two columns with one spelling are equal exactly where their texts are. Null where one
   * value may be written in two ways, as 7 and 7.0: keys of such a type would name one person twice.
   */
  readonly spelling: string | null;
  /** The labels of an enumeration, which may say something of the data; empty for every other type. */
  readonly labels: readonly string[];
}

export interface CatalogKey {
  readonly columns: readonly string[];
  readonly primary: boolean;
}

export interface CatalogForeignKey {
  readonly columns: readonly string[];
  readonly references: {
    readonly schema: string;
    readonly name: string;
    readonly columns: readonly string[];
  };
}
