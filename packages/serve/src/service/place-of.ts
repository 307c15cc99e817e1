import { invalidParameter } from "@lethe/core";

/** A place in a list, from a page's text. Errors: parameter.invalid. */
export function placeOf(before: string | null): number | null {
  if (before === null) return null;
  if (!/^\d{1,15}$/.test(before)) throw invalidParameter("before", before, "what the page before gave");
  return Number(before);
}
