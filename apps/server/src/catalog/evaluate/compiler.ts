import type { Node, SelectStmt } from "@pgsql/types";
import type { Place } from "../names/reg-names.ts";
import type { ParameterTypes } from "../resolve/coerce.ts";
import type { Budget } from "./budget.ts";
import type { Expr } from "./expr.ts";
import type { Level } from "./level.ts";
import type { Query } from "./query.ts";
import type { Scope } from "./scope.ts";
import type { WithQuery } from "./with-query.ts";

/** What reads the parts of a query. Each part is handed it, so that none needs to know the others. */
export interface Compiler {
  readonly place: Place;
  readonly parameters: ParameterTypes;
  /** What reading the whole query may cost. */
  readonly budget: Budget;
  /** Reads an expression. Errors: query.unsupported, query.type, query.unknown-column, query.unknown-function. */
  expression(node: Node, scope: Scope): Expr;
  /** Reads a SELECT that stands within a level, or outermost. `names` are those that it may use. */
  select(select: SelectStmt, outer: Level | null, names: Scope | null): Query;
  /** Reads a query that WITH names, as it is named within a level. `names` are those where it was defined. */
  withQuery(query: WithQuery, outer: Level, names: Scope): Query;
}
