import { microsecondsPerDay } from "./times.ts";

/** A moment, in microseconds of UTC, from which on the clocks of a zone are so far ahead of UTC. */
export interface ZoneChange {
  readonly from: number;
  readonly ahead: number;
}

/** No zone changes its clocks twice within so long. */
const step = 2 * microsecondsPerDay;

/** Returns a function from a moment to how far a zone's clocks are ahead then; null for a zone that is not known. */
function offsetsOf(zone: string): ((moment: number) => number) | null {
  if (!/^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)+$/.test(zone)) return null;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: zone, hourCycle: "h23", era: "short", year: "numeric", month: "numeric" },
      ...{ day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
    });
  } catch {
    return null;
  }
  return (moment) => {
    const seconds = Math.floor(moment / 1_000_000);
    const parts = new Map(format.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]));
    const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
    const local =
      Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second")) / 1000;
    return (local - seconds) * 1_000_000;
  };
}

/** Whether a zone of the time zone database has this name, an area and a place. */
export function isZone(name: string): boolean {
  return offsetsOf(name) !== null;
}

/**
 * Returns the changes of a zone's clocks from one moment to another: the first holds at `first`. Null for a zone that is not known, or that changes more
 * often than `most` times. The rules are those of the time zone database that this program was built with.
 */
export function zoneChanges(
  zone: string,
  first: number,
  last: number,
  most: number,
): readonly ZoneChange[] | null {
  const ahead = offsetsOf(zone);
  if (ahead === null) return null;
  const changes: ZoneChange[] = [{ from: first, ahead: ahead(first) }];
  for (let at = first; at < last; at += step) {
    const end = Math.min(last, at + step);
    const after = ahead(end);
    if (after === changes.at(-1)?.ahead) continue;
    changes.push({ from: changeBetween(at, end, ahead), ahead: after });
    if (changes.length > most) return null;
  }
  return changes;
}

/** The first whole second at which the offset is no longer that of `from`. */
function changeBetween(from: number, to: number, ahead: (moment: number) => number): number {
  const before = ahead(from);
  let [lo, hi] = [Math.floor(from / 1e6), Math.ceil(to / 1e6)];
  while (hi - lo > 1) {
    const middle = Math.floor((lo + hi) / 2);
    if (ahead(middle * 1e6) === before) lo = middle;
    else hi = middle;
  }
  return hi * 1e6;
}
