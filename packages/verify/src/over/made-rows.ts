import { hidden, type Seen, type SeenRow } from "../derive/released/released-value.ts";
import type { Cell, Column } from "../format/release.ts";

/** Rows that a SELECT over an answer makes on its way, and what is known of their columns. */
export interface MadeRows {
  readonly columns: readonly MadeColumn[];
  readonly rows: readonly MadeRow[];
}

export interface MadeColumn {
  readonly name: string;
  readonly isNumber: boolean;
  /** The kind of the answer's columns that this one is a copy of; null of one that is made. */
  readonly copied: Column["kind"] | null;
}

export type MadeRow = readonly MadeCell[];

export interface MadeCell {
  /** The value as expressions see it. */
  readonly value: Seen;
  /** The cell of the answer, where the column is a copy. */
  readonly cell: Cell;
}

export const madeCell = (value: Seen): MadeCell => ({ value, cell: null });

/** Prepares row ↦ what expressions see of it, in which `key` names its columns. */
export function seenBy(columns: readonly MadeColumn[]): (row: MadeRow) => SeenRow {
  const places = new Map(columns.map(({ name }, at) => [name, at]));
  return (row) => ({
    key: ({ key }) => {
      const place = places.get(key);
      const cell = place === undefined ? undefined : row[place];
      return cell === undefined ? hidden : cell.value;
    },
    aggregate: () => hidden,
  });
}
