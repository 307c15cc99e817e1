import {
  type Estimate,
  holdsEstimates,
  isEstimate,
  isGroupedAway,
  isOther,
  isTimeEstimate,
  type Release,
  type ReleasedCell,
  type TimeEstimate,
} from "@lethe/gateway";
import { keyText } from "./key-text.ts";

/** The rows of an answer that is shown. */
export type ShownAnswer = Pick<Release, "columns" | "rows" | "groupings" | "certificate">;

/** A value of a flat row. */
export type FlatValue = string | number | boolean | null;

/** An answer as a table of plain values: a column a key, three an estimate (value, lower, upper). */
export interface FlatAnswer {
  readonly names: readonly string[];
  /** Makes the rows one after the other: an answer may have many. */
  rows(): Iterable<readonly FlatValue[]>;
}

/**
 * Makes an answer flat: NULL is null; (other) stands for all groups that are not released, (all) for a key that is grouped away, and a text that reads
 * so has quotes within.
 * @example flatAnswer(release).names // => ["sector", "mean", "mean_lower", "mean_upper"]
 */
export function flatAnswer(release: ShownAnswer): FlatAnswer {
  const { columns, rows } = release;
  const names = columns.flatMap((column) => {
    const { name } = column;
    return holdsEstimates(column) ? [name, `${name}_lower`, `${name}_upper`] : [name];
  });
  return {
    names,
    *rows() {
      for (const [at, row] of rows.entries())
        yield row.flatMap((cell, column) =>
          isEstimate(cell) || isTimeEstimate(cell)
            ? [cell.value, cell.lower, cell.upper]
            : [flatKey(cell, isGroupedAway(release, at, column))],
        );
    },
  };
}

/** A label computed from the answer may read like a mark, too, and then has the quotes as well. */
function flatKey(cell: Exclude<ReleasedCell, Estimate | TimeEstimate>, isAway: boolean): FlatValue {
  if (isOther(cell) || isAway) return keyText(cell, isAway);
  return cell === "(other)" || cell === "(all)" ? keyText(cell) : cell;
}
