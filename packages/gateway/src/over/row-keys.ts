import type { PostValue } from "../post/evaluate.ts";

/** Returns a text that two lists of values share where they are equal, NULL being equal to NULL. */
export function keyOf(values: readonly PostValue[]): string {
  return JSON.stringify(values.map((value) => (typeof value === "bigint" ? ["integer", `${value}`] : value)));
}
