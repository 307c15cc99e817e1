import type { Column } from "../system/system.ts";
import type { Tuple } from "../types/values.ts";
import type { Frame, Run } from "./frame.ts";
import type { Level } from "./level.ts";

/** Takes a row; true where no more is wanted. */
export type Emit = (row: Tuple) => boolean;

/** A SELECT that can be run. */
export interface Query {
  readonly columns: readonly Column[];
  readonly level: Level;
  /** Which columns are literals whose type nothing decided. */
  readonly literals?: readonly boolean[];
  /** Gives its rows one after the other, as seen from a row outside; true where it was stopped. */
  each(outer: Frame | null, run: Run, emit: Emit): boolean;
}

/** Returns all rows of a query: once where they are the same from everywhere. */
export function rowsOfQuery(query: Query, frame: Frame): readonly Tuple[] {
  const { run } = frame;
  const collect = (): readonly Tuple[] => {
    const rows: Tuple[] = [];
    query.each(frame, run, (row) => {
      run.budget.hold(1 + row.length);
      rows.push(row);
      return false;
    });
    return rows;
  };
  return query.level.isClosed ? run.once(query, collect) : collect();
}
