import type { TimeType } from "../expressions/calendar/times.ts";

/** The words of questions of public tables, which the engine answers as they are written. */
export interface PublicWords {
  readonly cast: (x: string, type: string) => string;
  readonly functionName: (name: string) => string;
  /** The functions and aggregates that this engine does not have. */
  readonly lacks: ReadonlySet<string>;
  /** Whether it knows QUALIFY. */
  readonly qualifies: boolean;
  /** Writes the date of so many days, or the timestamp of so many microseconds, since 1970. */
  readonly time: (type: TimeType, number: string) => string;
}
