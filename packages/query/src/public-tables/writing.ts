import type { Node, RangeVar, SelectStmt } from "@pgsql/types";
import type { Dialect } from "../dialects/dialect.ts";
import { refuse } from "../refusals/refuse.ts";

/** What the parts of a statement about public tables are written with. */
export interface Writing {
  readonly dialect: Dialect;
  /** The names of WITH that are known here, in lower case. */
  readonly named: ReadonlySet<string>;
  /** Writes the rows of a public table, or of a view of public tables, as what stands in parentheses behind FROM. */
  readonly rowsOf: (range: { readonly table: string } | { readonly view: string }) => string;
  /** Returns the spelling of a column, which the grammar may have folded. */
  readonly spelled: (column: string) => string;
  /** Returns what a name of FROM means. Errors: query.unknown-table, query.unsupported. */
  readonly meant: (range: RangeVar) => { readonly table: string } | { readonly view: string };
  readonly select: (select: SelectStmt, writing: Writing) => string;
  readonly expression: (node: Node, writing: Writing) => string;
}

/** Refuses what a question of public tables cannot say. */
export function unknownHere(what: string, offset: number | undefined, fix = "leave it out"): never {
  return refuse("query.unsupported", `${what} is not known in a question of public tables`, fix, offset);
}
