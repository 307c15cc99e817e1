import type { OperatorText } from "../dialect.ts";
import { evaluatedOnce } from "./let.ts";
import { double } from "./literals.ts";
import { times } from "./times.ts";

/** The magnitude up to which every integer is a double. */
const largestInteger = 2 ** 53;

const plainDecimal = String.raw`'^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$'`;
// Counted repetition costs PostgreSQL a hundred times as much, and 255 is its limit.
const upTo300 = "{0,255}[0-9]{0,45}";
const countedDecimal = String.raw`'^[+-]?([0-9]?[0-9]${upTo300.replace("45", "44")}(\.[0-9]${upTo300})?|\.[0-9]${upTo300})([eE][+-]?[0-9]{1,3})?$'`;

/**
 * The double that a text spells, for texts that match a pattern of decimals: NULL where it overflows, 0 where it
 * underflows, for both of which a cast raises. `text` is a name, cheap to repeat and no constant: PostgreSQL would compute
 * casts of constants before it looks at the CASE around them.
 */
export function decimalValue(text: string, matches: string): string {
  return (
    `CASE WHEN ${matches} THEN CASE ` +
    `WHEN pg_input_is_valid(${text}, 'double precision') THEN CAST(${text} AS double precision) ` +
    // Too large or too small for a double. A numeric has exponents of five digits; beyond, the exponent's sign decides.
    `WHEN NOT pg_input_is_valid(${text}, 'numeric') THEN CASE WHEN ${text} ~ '[eE]-' THEN ${double(0)} END ` +
    `WHEN abs(CAST(${text} AS numeric)) < 1 THEN ${double(0)} END END`
  );
}

/** Parses a text of the question: plain decimals of at most 300 digits before and behind the point. */
function parsed(text: string): string {
  return evaluatedOnce({ sql: text }, (v) => {
    const isShort = `length(${v}) <= 300 AND ${v} ~ ${plainDecimal}`;
    return decimalValue(v, `${isShort} OR length(${v}) > 300 AND ${v} ~ ${countedDecimal}`);
  });
}

const fromBoolean = (x: string): string => `CAST(CAST(${x} AS integer) AS double precision)`;

/** Takes a text or a boolean: the resolver leaves out casts to the type that is there. */
export const toNumber: OperatorText<"one"> = ([x], { args: [{ domain }] }) =>
  domain.type === "text" ? parsed(x) : fromBoolean(x);

/** PostgreSQL's round of a double goes half to even. */
export const toInteger: OperatorText<"one"> = ([x], { args: [{ domain }] }) => {
  if (domain.type === "boolean") return fromBoolean(x);
  const rounded = `round(${domain.type === "text" ? parsed(x) : x})`;
  const isSmall =
    domain.type === "number" && domain.bounds?.every((bound) => Math.abs(bound) <= largestInteger);
  if (isSmall) return rounded;
  return evaluatedOnce(
    { sql: rounded },
    (v) => `CASE WHEN abs(${v}) <= ${double(largestInteger)} THEN ${v} END`,
  );
};

/** Takes integers, dates and booleans alone; the text is compared byte by byte as all texts are, and not by the database's collation. */
export const toText: OperatorText<"one"> = ([x], { args: [{ domain }] }) => {
  const { type } = domain;
  const value = type === "date" ? times.date(x) : type === "number" ? `CAST(${x} AS bigint)` : x;
  return `(CAST(${value} AS text) COLLATE "C")`;
};
