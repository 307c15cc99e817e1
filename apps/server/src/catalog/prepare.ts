import type { SelectStmt } from "@pgsql/types";
import type { Catalog } from "./catalog.ts";
import { Budget } from "./evaluate/budget.ts";
import { Run } from "./evaluate/frame.ts";
import { makeCompiler } from "./evaluate/make-compiler.ts";
import { refused } from "./refuse.ts";
import type { CatalogSession } from "./relations/catalog-session.ts";
import { readValue } from "./resolve/convert.ts";
import type { Column } from "./system/system.ts";
import { oids } from "./types/oids.ts";
import type { Tuple, Value } from "./types/values.ts";

/** A query of the catalog that was read, and can be run with values. */
export interface PreparedCatalogQuery {
  readonly columns: readonly Column[];
  /** The types of its parameters. */
  readonly parameters: readonly number[];
  /** Runs it, and counts what it costs in `budget`. Errors: query.too-large for more than that, query.type, query.option. */
  run(values: readonly Value[], session: CatalogSession, budget?: Budget): readonly Tuple[];
}

/**
 * Reads a query of the catalog, whose steps are bounded whatever it asks.
 * @param types the types of its parameters that the client states; 0 of those that it leaves open
 * @param budget counts what reading it costs
 * Errors: query.unsupported for what is not known, query.unknown-table, query.unknown-column, query.unknown-function, query.type, query.syntax.
 */
export function prepareCatalogQuery(
  select: SelectStmt,
  catalog: Catalog,
  session: CatalogSession,
  types: readonly number[] = [],
  budget: Budget = new Budget(catalog.columns),
): PreparedCatalogQuery {
  const parameters = types.map((type) => (type === oids.unknown ? 0 : type));
  const query = shallow(() =>
    makeCompiler({ catalog, session }, parameters, budget).select(select, null, null),
  );
  return {
    columns: query.columns,
    parameters: parameters.map((type) => (type === 0 ? oids.text : type)),
    run: (values, asking, cost = new Budget(catalog.columns)) => {
      const run = new Run(catalog, asking, values, cost);
      const rows: Tuple[] = [];
      shallow(() =>
        query.each(null, run, (row) => {
          run.budget.hold(1 + row.length);
          rows.push(row);
          return false;
        }),
      );
      return rows;
    },
  };
}

/** Errors: query.too-large where a query nests more deeply than the stack allows. */
function shallow<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof RangeError)
      return refused("query.too-large", "the query of the catalog nests too deeply");
    throw error;
  }
}

/** Reads the text of a parameter's value. Errors: query.type. */
export function parameterValue(
  text: string | null,
  type: number,
  catalog: Catalog,
  session: CatalogSession,
): Value {
  return text === null ? null : readValue(text, type, { catalog, session });
}
