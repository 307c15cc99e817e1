/**
 * Returns when a window of the budget ends, in milliseconds since 1970: windows follow the UTC calendar, and weeks begin on Monday. Null for what has no end.
 * @example windowEnd("month", Date.UTC(2026, 10, 28)) // => Date.UTC(2026, 11, 1)
 */
export function windowEnd(per: string, now: number): number | null {
  const at = new Date(now);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (per === "day") return Date.UTC(year, month, day + 1);
  if (per === "week") return Date.UTC(year, month, day + 7 - ((at.getUTCDay() + 6) % 7));
  if (per === "month") return Date.UTC(year, month + 1, 1);
  if (per === "quarter") return Date.UTC(year, month - (month % 3) + 3, 1);
  return null;
}

/**
 * Writes how long something takes, in its largest unit, rounded up.
 * @example spanWords(5_400_000) // => "2 hours"
 */
export function spanWords(ms: number): string {
  for (const [unit, size] of units) {
    if (ms >= size || unit === "minute") {
      const count = Math.max(1, Math.ceil(ms / size));
      return `${count} ${unit}${count === 1 ? "" : "s"}`;
    }
  }
  return "";
}

/**
 * Writes how old something is.
 * @example ageWords("2026-11-28T04:00:00Z", Date.parse("2026-11-28T06:30:00Z")) // => "2 hours ago"
 */
export function ageWords(iso: string, now: number): string {
  const ms = now - Date.parse(iso);
  if (!(ms >= 60_000)) return "just now";
  const [unit, size] = units.find(([, each]) => ms >= each) ?? ["minute", 60_000];
  const count = Math.floor(ms / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
