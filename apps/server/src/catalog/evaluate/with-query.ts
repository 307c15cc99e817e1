import type { SelectStmt } from "@pgsql/types";
import type { Column } from "../system/system.ts";
import type { Tuple } from "../types/values.ts";
import type { Query } from "./query.ts";

/** A query that WITH names. */
export interface WithQuery {
  readonly name: string;
  readonly select: SelectStmt;
  /** The names of its columns, as far as they are stated. */
  readonly columnNames: readonly string[];
  readonly isRecursive: boolean;
  /** The rows that it names itself by, while its recursive part is read and run. */
  working: { readonly columns: readonly Column[]; readonly key: { rows?: readonly Tuple[] } } | null;
  /** What was made of it where it was named first, and depends on nothing outside. */
  made: Query | null;
}
