import type { Catalog } from "../catalog.ts";
import type { CatalogSession } from "../relations/catalog-session.ts";
import type { Tuple, Value } from "../types/values.ts";
import type { Budget } from "./budget.ts";

/** One execution of a query. */
export class Run {
  readonly catalog: Catalog;
  readonly session: CatalogSession;
  readonly parameters: readonly Value[];
  readonly budget: Budget;
  /** What is computed once: rows of sub-selects that depend on nothing outside, their indexes, and what stands in a recursive WITH. */
  readonly memo: Map<object, unknown> = new Map();

  constructor(catalog: Catalog, session: CatalogSession, parameters: readonly Value[], budget: Budget) {
    this.catalog = catalog;
    this.session = session;
    this.parameters = parameters;
    this.budget = budget;
  }

  /** Returns what was computed for a key, or computes it. */
  once<T>(key: object, make: () => T): T {
    const known = this.memo.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    this.memo.set(key, made);
    return made;
  }
}

/** The rows that stand side by side while one SELECT is evaluated. */
export class Frame {
  readonly run: Run;
  readonly outer: Frame | null;
  /** One row of each source; null where an outer join has none. */
  tuples: (Tuple | null)[];
  /** The values of aggregates, of window functions and of functions that return sets, in the order in which the SELECT names them. */
  aggregates: readonly Value[] = [];
  windows: readonly Value[] = [];
  sets: Value[] = [];

  constructor(run: Run, outer: Frame | null, tuples: (Tuple | null)[]) {
    this.run = run;
    this.outer = outer;
    this.tuples = tuples;
  }
}
