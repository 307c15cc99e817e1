import { invalidParameter } from "@lethe/core";

/**
 * The one JSON text of a value: keys sorted by code unit, no blanks, no undefined, integers that a double holds exactly.
 * Two values with the same text are the same value, so the text can be hashed.
 * @example canonicalJson({ b: 1, a: ["x"] }) // => '{"a":["x"],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      throw invalidParameter("a number in a record", value, "a safe integer");
    }
    return String(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object") throw invalidParameter("a value in a record", typeof value, "plain JSON");
  const entries = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${entries.join(",")}}`;
}
