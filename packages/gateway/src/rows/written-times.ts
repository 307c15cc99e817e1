import { familyOf, type PlannedAggregate, type TimeType, writeTime } from "@lethe/query";
import type { Estimate, TimeEstimate } from "../release.ts";

type Known = { readonly [Part in keyof Estimate]: number };
/** To a whole unit of time. */
type Round = (x: number) => number;

/** Whether an aggregate is a time, and of which type. */
export function timeOf(aggregate: PlannedAggregate): TimeType | null {
  return familyOf(aggregate).reading(aggregate)?.time ?? null;
}

/**
 * A quantile of days or seconds as times. Days are whole already. Seconds are read off a grid: the value is cut to the second,
 * and the ends go outward to it, so that the interval holds what it held.
 */
export function writtenTimes(type: TimeType, { value, lower, upper }: Known): TimeEstimate {
  const write = (x: number, round: Round): string => {
    const whole = round(x);
    return writeTime(type, type === "date" ? whole : whole * microsecondsPerSecond);
  };
  return {
    value: write(value, Math.floor),
    lower: write(lower, Math.floor),
    upper: write(upper, Math.ceil),
  };
}

const microsecondsPerSecond = 1_000_000;
