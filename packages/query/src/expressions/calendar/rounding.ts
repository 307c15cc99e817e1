import { bucketOf } from "./parts.ts";
import { isWithin, type TimeType } from "./times.ts";

/**
 * The begin of the bucket that a time lies in; buckets are `length` long, in the unit of the type, and counted as TIME_BUCKET counts them. Monotone. A time whose bucket begins before the limits of times stays.
 * @example roundedDown("date", 10_961, 7) // => 10_959
 */
export function roundedDown(type: TimeType, value: number, length: number): number {
  const [, origin] = type === "date" ? bucketOf(type, length, 0) : bucketOf(type, 0, length);
  // A remainder of doubles is exact, where a quotient of large ones is not.
  const past = (value - origin) % length;
  const begin = value - (past < 0 ? past + length : past);
  return isWithin(type, begin) ? begin : value;
}

/** The milliseconds of a length, in the unit of a type. */
export function lengthOf(type: TimeType, milliseconds: number): number {
  return type === "date" ? milliseconds / 86_400_000 : milliseconds * 1000;
}

/** A length in words, in the unit of a type: 15 minutes, 1 hour, 7 days. */
export function lengthWords(type: TimeType, length: number): string {
  const minutes = type === "date" ? length * 1440 : length / 60_000_000;
  const [count, unit] =
    minutes % 1440 === 0
      ? [minutes / 1440, "day"]
      : minutes % 60 === 0
        ? [minutes / 60, "hour"]
        : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
