import { isEstimate, type ReleasedCell } from "../release.ts";

/** The number of a cell that holds an estimate; NaN, which fails every comparison, for any other. */
export function estimated(cell: ReleasedCell | undefined): number {
  return cell !== undefined && isEstimate(cell) && cell.value !== null ? cell.value : Number.NaN;
}
