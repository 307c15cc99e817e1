import type { Domain } from "../expressions/domain.ts";

declare const compiled: unique symbol;

/**
 * Engine SQL that reads public tables alone, and nothing else: only ../public-tables/compile-public.ts makes one. Names are quoted and texts are literals, so text of a user never
 * reaches an engine as it is.
 */
export interface CompiledPublic {
  readonly [compiled]: true;
  readonly dialect: string;
  readonly sql: string;
  /** The most rows that are read: more are an error. */
  readonly mostRows: number;
}

/** Makes a compiled question of public tables. For ../public-tables/compile-public.ts alone. */
export function brandPublic(query: Omit<CompiledPublic, typeof compiled>): CompiledPublic {
  return query as CompiledPublic;
}

/** A value of a public row; dates and timestamps are texts, integers beyond 2^53 too. */
export type PublicCell = string | number | boolean | null;

/** Rows of public tables, as the database gives them. */
export interface PublicRows {
  readonly columns: readonly { readonly name: string; readonly type: Domain["type"] }[];
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly PublicCell[])[];
}
