import { isOther, type ReleasedCell } from "@lethe/gateway";

const marks = { null: "(null)", other: "(other)", all: "(all)" } as const;

/**
 * A key as people read it: what is missing, what stands for all groups that are not released, and what for all groups there
 * are, in words of ours; a text that reads like one of those is put in quotes.
 * @example keyText({ other: true }) // => "(other)"
 */
export function keyText(cell: ReleasedCell, isGroupedAway = false): string {
  if (isGroupedAway) return marks.all;
  if (cell === null) return marks.null;
  if (typeof cell === "object") return isOther(cell) ? marks.other : String(cell.value);
  return isMark(cell) ? JSON.stringify(cell) : String(cell);
}

function isMark(cell: string | number | boolean): boolean {
  return Object.values<unknown>(marks).includes(cell);
}
