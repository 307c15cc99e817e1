/** The units of PostgreSQL's times, in milliseconds, the longest first. */
const units = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000, ms: 1, us: 0.001 } as const;

const form = /^\s*(\d{1,15}(?:\.\d{0,9})?|\.\d{1,9})\s*(d|h|min|s|ms|us)?\s*$/;

/** The longest time of a setting, in milliseconds. */
export const longestMs = 2_147_483_647;

/** Reads a time as PostgreSQL's settings have it: a number of milliseconds, or of the unit behind it. Null for what is none, or longer than {@link longestMs}. */
export function durationMs(text: string): number | null {
  const [, number, unit = "ms"] = form.exec(text) ?? [];
  if (number === undefined) return null;
  const ms = Math.round(Number(number) * units[unit as keyof typeof units]);
  return ms <= longestMs ? ms : null;
}

/**
 * The time in the longest unit in which it is a whole number, as PostgreSQL shows it; null for what is none.
 * @example shownDuration("5000") // => "5s"
 */
export function shownDuration(text: string): string | null {
  const ms = durationMs(text);
  if (ms === null) return null;
  const whole = Object.entries(units).find(([, length]) => ms >= length && ms % length === 0);
  return ms === 0 || !whole ? "0" : `${ms / whole[1]}${whole[0]}`;
}
