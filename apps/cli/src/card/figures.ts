import { decimalsFor, fixed } from "../render/number.ts";

/** A number to about three digits; a whole one as it is. */
export function figure(x: number): string {
  return fixed(x, Number.isInteger(x) ? 0 : decimalsFor(Math.abs(x) / 10));
}

/** A public bound, as the policy writes it. */
export function bound(x: number): string {
  return Number.isInteger(x) ? fixed(x, 0) : String(x);
}

/** A value and the ends of its interval, to the digits that the interval deserves; ends are null where nothing is known. */
export function withInterval(
  value: number,
  interval: { readonly lower: number; readonly upper: number } | null,
): readonly [string, string] {
  if (interval === null) return [figure(value), "—"];
  const decimals = decimalsFor((interval.upper - interval.lower) / 2);
  return [fixed(value, decimals), `${fixed(interval.lower, decimals)} … ${fixed(interval.upper, decimals)}`];
}

/** Names a list in words. @example listed(["a", "b", "c"]) // => "a, b and c" */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** @example counted(1, "column") // => "1 column" */
export function counted(count: number, noun: string): string {
  return `${fixed(count, 0)} ${noun}${count === 1 ? "" : "s"}`;
}
