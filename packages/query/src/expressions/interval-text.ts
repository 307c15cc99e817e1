import { elementAt } from "@lethe/core/numeric";
import type { Expression } from "./expression.ts";

/** An interval in the parts that PostgreSQL keeps apart, since months and days have no fixed length. */
export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly microseconds: number;
}

type Part = keyof Interval;
const units: Readonly<Record<string, readonly [part: Part, size: number]>> = {
  year: ["months", 12],
  month: ["months", 1],
  mon: ["months", 1],
  week: ["days", 7],
  day: ["days", 1],
  hour: ["microseconds", 3_600_000_000],
  minute: ["microseconds", 60_000_000],
  second: ["microseconds", 1_000_000],
  microsecond: ["microseconds", 1],
};

/** The largest parts of an interval, some 250 years: added to a time within the limits, each part stays an exact double. */
const largest: Interval = { months: 3_000, days: 91_000, microseconds: 7_900_000_000_000_000 };

/**
 * Reads whole numbers with their units; a bare number has the unit given. Null for anything else.
 * @example readInterval("1year -2 days", null) // => { months: 12, days: -2, microseconds: 0 }
 */
export function readInterval(text: string, unit: string | null): Interval | null {
  const words = text
    .trim()
    .toLowerCase()
    .replace(/(\d)(?=[a-z])/g, "$1 ")
    .split(/\s+/);
  if (unit !== null && words.length === 1) words.push(unit);
  if (words.length % 2 !== 0 || words.length > 20) return null;
  const found = { months: 0, days: 0, microseconds: 0 };
  for (let at = 0; at < words.length; at += 2) {
    const name = elementAt(words, at + 1).replace(/s$/, "");
    const known = Object.hasOwn(units, name) ? units[name] : undefined;
    if (!known || !/^[+-]?\d{1,16}$/.test(elementAt(words, at))) return null;
    const [part, size] = known;
    found[part] += Number(words[at]) * size;
    if (!(Math.abs(found[part]) <= largest[part])) return null;
  }
  return found;
}

/** Writes the three literals of an added interval as SQL that is read back as the same literals. */
export function writeInterval(parts: readonly Expression[]): string {
  const [months = 0, days = 0, microseconds = 0] = parts.map((part) =>
    part.kind === "literal" ? Number(part.value) : 0,
  );
  const said = [
    ...(months === 0 ? [] : [`${months} months`]),
    ...(days === 0 ? [] : [`${days} days`]),
    ...(microseconds === 0 ? [] : [`${microseconds} microseconds`]),
  ];
  return `INTERVAL '${said.join(" ") || "0 days"}'`;
}
