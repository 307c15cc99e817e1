import { writeTime } from "../calendar/times.ts";
import type { Domain, NumberDomain } from "../domain.ts";
import type { CastOperator } from "../operator.ts";
import { booleanDomain, numberDomain, textDomain } from "./domains.ts";
import { type Interval, maxExact, plain } from "./interval.ts";
import type { Rules } from "./operator-rule.ts";

/** Plain decimals; every engine reads these alike. Anything else (blanks, Infinity, 0x…, 1_000) is NULL. */
const decimal = /^[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][+-]?\d{1,3})?$/;

function numberOf(value: string): number | null {
  const number = decimal.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? plain(number) : null;
}

/** Ties to even, as PostgreSQL and DuckDB cast a double; beyond 2^53 NULL. */
function nearestInteger(x: number): number | null {
  const below = Math.floor(x);
  const rest = x - below;
  const nearest = rest < 0.5 || (rest === 0.5 && below % 2 === 0) ? below : below + 1;
  return Math.abs(nearest) <= maxExact ? plain(nearest) : null;
}

const unboundedInteger: NumberDomain = {
  type: "number",
  bounds: null,
  integer: true,
  nullable: true,
  values: null,
};
const zeroOrOne = (domain: Domain): NumberDomain => numberDomain([0, 1], true, domain.nullable);

function integerDomain(x: NumberDomain): NumberDomain {
  if (!x.bounds) return unboundedInteger;
  const lo = Math.ceil(x.bounds[0] - 0.5);
  const hi = Math.floor(x.bounds[1] + 0.5);
  const kept: Interval = [plain(Math.max(lo, -maxExact)), plain(Math.min(hi, maxExact))];
  // All beyond 2^53: nothing but NULL is left.
  if (kept[0] > kept[1]) return { type: "number", bounds: [0, 0], integer: true, nullable: true, values: [] };
  return numberDomain(kept, true, x.nullable || kept[0] !== plain(lo) || kept[1] !== plain(hi));
}

/** A text that is no number becomes NULL, never an error. The resolver leaves out casts to the type that is there. */
export const casts: Rules<CastOperator> = {
  "to-number": {
    takes: "any",
    gives: "number",
    exact: true,
    apply: ([a]) => (typeof a === "string" ? numberOf(a) : a === null ? null : Number(a)),
    domain: ([a]) => (a.type === "boolean" ? zeroOrOne(a) : numberDomain(null, false, true)),
  },
  "to-integer": {
    takes: "any",
    gives: "number",
    exact: true,
    apply: ([a]) => {
      const number = typeof a === "string" ? numberOf(a) : a === null ? null : Number(a);
      return number === null ? null : nearestInteger(number);
    },
    domain: ([a]) =>
      a.type === "number" ? integerDomain(a) : a.type === "boolean" ? zeroOrOne(a) : unboundedInteger,
  },
  /** Takes integers, booleans and dates alone: engines write other numbers differently. */
  "to-text": {
    takes: "any",
    gives: "text",
    exact: true,
    apply: ([a], written) => {
      if (a === null) return null;
      return written?.[0].domain.type === "date" ? writeTime("date", Number(a)) : String(a);
    },
    domain: ([a]) => textDomain(a.type === "boolean" ? 5 : a.type === "date" ? 10 : 17, a.nullable),
  },
  "to-boolean": {
    takes: "number",
    gives: "boolean",
    exact: true,
    apply: ([a]) => (a === null ? null : a !== 0),
    domain: ([a]) => booleanDomain(a.nullable),
  },
};
