import type { TimeType } from "../../expressions/calendar/times.ts";

/** A quantile that an answer reads from a tree of cells. */
export interface TreeReading {
  readonly tree: string;
  readonly share: number;
  readonly standsFor: "min" | "max" | null;
  /** Present where the answer is a time. */
  readonly time?: TimeType;
}
