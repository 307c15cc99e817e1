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
    let members = "";
    // Without a comparison, texts are sorted by UTF-16 code unit.
    for (const key of Object.keys(value).sort()) {
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (member === undefined) continue;
      if (members !== "") members += ",";
      members += `${JSON.stringify(key)}:${canonicalJson(member)}`;
    }
    return `{${members}}`;
  }
  throw new LetheError("internal.invariant", `canonical JSON has no form for a ${typeof value}`, {
    fix: "report this: a record holds something that JSON cannot say",
  });
}
