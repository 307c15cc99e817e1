import { demandType } from "../../expressions/build/build-expression.ts";
import type { Expression } from "../../expressions/expression.ts";
import { spellPattern } from "../../expressions/operators/like-pattern.ts";
import { refuse } from "../../refusals/refuse.ts";
import { constantText } from "./constant-text.ts";
import { constantNumber } from "./resolve-literal.ts";
import { substringOf } from "./resolve-regular.ts";
import { type RowFunction, rowFunction } from "./row-function.ts";

/** Returns a whole number that is the same on every row. */
export function constantCount(
  arg: Expression,
  what: string,
  least: number,
  offset: number | undefined,
): number {
  const value = constantNumber(arg);
  if (value === null || !Number.isInteger(value) || value < least || value > maxCount)
    refuse(
      "query.type",
      `${what} must be a constant`,
      `write a whole number from ${least} to ${maxCount}`,
      offset,
    );
  return value;
}
/** The most characters, or buckets, that a call may ask for. */
export const maxCount: number = 10_000;

/** SUBSTR(x, from) goes to the end. SUBSTRING(x FROM 'pattern') is another function of the same name. */
export const substr: RowFunction = rowFunction("two or three", ([text, from, count], build, offset) => {
  if (!count && from.domain.type === "text") return substringOf([text, from], build, offset);
  demandType(text, "text", offset);
  const start = constantCount(from, "the place where SUBSTR begins", 1, offset);
  const most = count ? constantCount(count, "the number of characters of SUBSTR", 0, offset) : maxCount;
  return build.call("substr", [text, build.literal(start), build.literal(most)], offset);
});

/** SPLIT_PART(x, separator, number). */
export const splitPart: RowFunction = rowFunction("three", ([text, separator, number], build, offset) => {
  demandType(text, "text", offset);
  const between = constantText(separator, "the separator of SPLIT_PART", offset);
  const at = constantNumber(number);
  if (at === null || !Number.isInteger(at) || at === 0 || Math.abs(at) > mostParts)
    refuse(
      "query.type",
      "the number of the part of SPLIT_PART must be a constant",
      `write a whole number from 1 to ${mostParts}, or from -1 to -${mostParts} to count from the end`,
      offset,
    );
  return build.call("split_part", [text, build.literal(between), build.literal(at)], offset);
});
const mostParts = 1000;

export const replace: RowFunction = rowFunction("three", ([text, from, to], build, offset) => {
  const sought = constantText(from, "what REPLACE looks for", offset);
  const put = constantText(to, "what REPLACE puts there", offset, 0);
  return build.call("replace", [text, build.literal(sought), build.literal(put)], offset);
});

/** The grammar writes POSITION(a IN x) as position(x, a). */
export const strpos: RowFunction = rowFunction("two", ([text, part], build, offset) => {
  const sought = constantText(part, "what STRPOS looks for", offset);
  return build.call("strpos", [text, build.literal(sought)], offset);
});

/** STARTS_WITH and its kin are LIKE. */
export const like = (before: string, after: string): RowFunction =>
  rowFunction("two", ([text, part], build, offset) => {
    demandType(text, "text", offset);
    const literal = [...constantText(part, "what is looked for", offset)];
    const pattern = `${before}${spellPattern(literal)}${after}`;
    return build.call("like", [text, build.literal(pattern)], offset);
  });
