import { LetheError } from "../errors/lethe-error.ts";
import { type Rational, toText } from "../numeric/rational.ts";

function isRational(value: object): value is Rational {
  return "num" in value && typeof value.num === "bigint" && "den" in value && typeof value.den === "bigint";
}

/**
 * The one text of a value, so that it can be hashed and signed: keys sorted by UTF-16 code unit, no blanks, rationals and bigints as texts, −0 as 0,
 * undefined members left out; otherwise as RFC 8785 (numbers in JavaScript's shortest form).
 * Errors: internal.invariant for NaN, ±Infinity, functions and symbols.
 * @example canonicalJson({ b: 1, a: [ratio(1n, 3n)] }) // => '{"a":["1/3"],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value === 0 ? 0 : value);
  if (typeof value === "bigint") return JSON.stringify(value.toString());
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") {
    if (isRational(value)) return JSON.stringify(toText(value));
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  throw new LetheError("internal.invariant", `canonical JSON has no form for a ${typeof value}`, {
    fix: "report this: a record holds something that JSON cannot say",
  });
}
