import type { HalfWidthCurve } from "@lethe/core/accuracy";

/** The width that the interval of one answer will have, in the question's units. */
export interface Widths {
  /** The half-width, whatever the group's size; null where it depends on that. */
  readonly halfWidth: number | null;
  /** Maps a number of rows to the half-width, where the width depends on the group's size; null where the noise drowns such a group. */
  readonly widthAt: ((rows: number) => HalfWidths | null) | null;
  /** The least and the greatest answer that data within its bounds can give; null where they are not stated. */
  readonly bounds: readonly [number, number] | null;
}

export interface HalfWidths {
  /** The half-width for values around the middle of their bounds. */
  readonly typical: number;
  /** The half-width for the least favourable values within their bounds; for quantiles, for values spread evenly over them. */
  readonly worst: number;
}

/** Converts half-widths in grid units to the question's. */
export function scaledWidths(widthAt: HalfWidthCurve, unit: number): (rows: number) => HalfWidths {
  return (rows) => {
    const { typical, worst } = widthAt(rows);
    return { typical: typical * unit, worst: worst * unit };
  };
}
