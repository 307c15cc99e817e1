import type { Operands } from "../arity.ts";
import { type Domain, isIntegral, isTime, type NumberDomain } from "../domain.ts";
import type { ArithmeticOperator } from "../operator.ts";
import { cellAmong, cellTests } from "./bound-cells.ts";
import { numberDomain, timeDomain } from "./domains.ts";
import {
  contains,
  differenceOf,
  hull,
  type Interval,
  magnitude,
  maxExact,
  plain,
  productOf,
  quotientOf,
  sumOf,
  widened,
} from "./interval.ts";
import { constantOperand, numberOperand } from "./operand-domain.ts";
import type { OperatorRule, Rules } from "./operator-rule.ts";

const finite = (x: number): number | null => (Number.isFinite(x) ? plain(x) : null);

/** NULL where a result is not finite. */
const total = (result: number | null): number | null => (result === null ? null : finite(result));

/** A total function of one number: NULL for NULL, and NULL where the result is not finite. */
function unary(
  compute: (x: number) => number | null,
  domain: (x: NumberDomain) => NumberDomain,
  exact: boolean,
): OperatorRule<"one"> {
  return {
    takes: "number",
    gives: "number",
    exact,
    apply: ([x]) => (x === null ? null : total(compute(Number(x)))),
    domain: ([x]) => domain(numberOperand(x)),
  };
}

/** A total function of two numbers: NULL where one is NULL, and NULL where the result is not finite. */
function binary(
  compute: (x: number, y: number) => number | null,
  domain: (x: NumberDomain, y: NumberDomain) => NumberDomain,
  exact: boolean,
): OperatorRule<"two"> {
  return {
    takes: "number",
    gives: "number",
    exact,
    apply: ([x, y]) => (x === null || y === null ? null : total(compute(Number(x), Number(y)))),
    domain: ([x, y]) => domain(numberOperand(x), numberOperand(y)),
  };
}

type Combine = (a: Interval, b: Interval) => Interval | null;
function ring(compute: (x: number, y: number) => number, combine: Combine): OperatorRule<"two"> {
  return binary(
    compute,
    (a, b) =>
      numberDomain(
        a.bounds && b.bounds ? combine(a.bounds, b.bounds) : null,
        a.integer && b.integer,
        a.nullable || b.nullable,
      ),
    true,
  );
}

/** Returns the intervals of a divisor once 0 has become NULL: an integer is no closer to 0 than ±1. */
function nonZeroParts(divisor: NumberDomain): readonly Interval[] | null {
  const bounds = divisor.bounds ?? (divisor.integer ? ([-maxExact, maxExact] as const) : null);
  if (!bounds) return null;
  if (!contains(bounds, 0)) return [bounds];
  if (!divisor.integer) return null;
  const parts: Interval[] = [];
  if (bounds[0] <= -1) parts.push([bounds[0], -1]);
  if (bounds[1] >= 1) parts.push([1, bounds[1]]);
  return parts;
}

const mayBeZero = (x: NumberDomain): boolean => x.bounds === null || contains(x.bounds, 0);

function quotientDomain(a: NumberDomain, b: NumberDomain): NumberDomain {
  const { bounds } = a;
  const parts = nonZeroParts(b);
  const nullable = a.nullable || b.nullable || mayBeZero(b);
  if (!bounds || !parts || parts.length === 0) return numberDomain(null, false, true);
  const quotients = parts.map((part) => quotientOf(bounds, part));
  return numberDomain(
    quotients.reduce((x, y) => (x && y ? hull(x, y) : null)),
    false,
    nullable,
  );
}

/** The remainder has the sign of the dividend and is smaller than the divisor. */
function remainderDomain(a: NumberDomain, b: NumberDomain): NumberDomain {
  const nullable = a.nullable || b.nullable || mayBeZero(b);
  const limit = Math.min(
    a.bounds ? magnitude(a.bounds) : Number.POSITIVE_INFINITY,
    b.bounds ? magnitude(b.bounds) : Number.POSITIVE_INFINITY,
  );
  if (!Number.isFinite(limit)) return numberDomain(null, false, true);
  const lo = a.bounds && a.bounds[0] >= 0 ? 0 : -limit;
  const hi = a.bounds && a.bounds[1] <= 0 ? 0 : limit;
  return numberDomain([plain(lo), plain(hi)], a.integer && b.integer, nullable);
}

/** A monotone function, correctly rounded or widened by the caller. */
function monotone(domain: NumberDomain, f: (x: number) => number, integer: boolean): NumberDomain {
  if (!domain.bounds) return numberDomain(null, false, true);
  return numberDomain([plain(f(domain.bounds[0])), plain(f(domain.bounds[1]))], integer, domain.nullable);
}

/** Numbers computed in steps have public values where there are no more than these. */
const maxSteps = 400;

/** The whole numbers between the bounds, listed where fractions were rounded to few. Whole numbers that nothing has rounded are data. */
function steps(rounded: NumberDomain, { integer }: NumberDomain): NumberDomain {
  const { bounds } = rounded;
  if (integer || !rounded.integer || bounds === null || !(bounds[1] - bounds[0] < maxSteps)) return rounded;
  const values = Array.from({ length: bounds[1] - bounds[0] + 1 }, (_, at) => bounds[0] + at);
  return { ...rounded, values };
}

/** Half away from zero, as PostgreSQL's numeric and DuckDB do. */
function roundHalfAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

function roundTo(x: number, digits: number): number {
  const scale = 10 ** Math.abs(digits);
  const scaled = digits < 0 ? x / scale : x * scale;
  if (!Number.isFinite(scaled)) return x;
  const rounded = roundHalfAway(scaled);
  return digits < 0 ? rounded * scale : rounded / scale;
}

/** The second argument is a constant (the resolver sees to it); a result moves by at most half a unit of the last digit. */
function roundDomain([rounded, digits]: Operands<"one or two", Domain>): NumberDomain {
  const x = numberOperand(rounded);
  if (!x.bounds) return numberDomain(null, false, true);
  const [lo, hi] = x.bounds;
  // Any rule for ties lies between these.
  if (digits === undefined)
    return steps(
      numberDomain([plain(Math.ceil(lo - 0.5)), plain(Math.floor(hi + 0.5))], true, x.nullable),
      x,
    );
  const places = constantOperand(digits);
  if (x.integer && places >= 0) return x;
  const slack = 0.5 * 10 ** -places;
  return numberDomain(widened(lo - slack, hi + slack), x.integer, x.nullable);
}

/** Equal parts of [lo, hi), counted from 1; 0 below, and one more than there are from hi on. All but x are constant. */
function bucketOf(x: number, lo: number, hi: number, count: number): number {
  if (x < lo) return 0;
  if (x >= hi) return count + 1;
  return Math.min(Math.floor(((x - lo) / (hi - lo)) * count), count - 1) + 1;
}

function bucketDomain(x: NumberDomain, lo: number, hi: number, count: number): NumberDomain {
  const first = x.bounds ? bucketOf(x.bounds[0], lo, hi, count) : 0;
  const last = x.bounds ? bucketOf(x.bounds[1], lo, hi, count) : count + 1;
  const values = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return { type: "number", bounds: [first, last], integer: true, nullable: x.nullable, values };
}

const smallestLn = -745.2;
const largestLn = 709.8;

/** x ≤ 0 is NULL; every positive double has a logarithm within [−745.2, 709.8], so even unbounded columns get bounds. */
function logarithm(x: NumberDomain, f: (x: number) => number, scale: number): NumberDomain {
  const lowest = x.integer ? 0 : smallestLn * scale;
  const lo = x.bounds && x.bounds[0] > 0 ? f(x.bounds[0]) : lowest;
  const hi = x.bounds ? (x.bounds[1] > 0 ? f(x.bounds[1]) : lowest) : largestLn * scale;
  return numberDomain(widened(lo, hi), false, x.nullable || !x.bounds || x.bounds[0] <= 0);
}

function powerOf(x: number, y: number): number | null {
  if (x < 0 && !Number.isInteger(y)) return null;
  if (x === 0 && y < 0) return null;
  return x ** y;
}

/** The exponent is a constant. On each side of 0 the power is monotone, so its extremes are at the ends and at 0. */
function powerDomain(x: NumberDomain, exponent: NumberDomain): NumberDomain {
  const y = constantOperand(exponent);
  if (!x.bounds || (y < 0 && contains(x.bounds, 0))) return numberDomain(null, false, true);
  const lowest = Number.isInteger(y) ? x.bounds[0] : Math.max(0, x.bounds[0]);
  const nullable = x.nullable || lowest !== x.bounds[0];
  if (x.bounds[1] < lowest) return numberDomain([0, 0], true, true);
  const ends = [lowest, x.bounds[1], ...(contains(x.bounds, 0) ? [0] : [])].map((end) => end ** y);
  return numberDomain(widened(Math.min(...ends), Math.max(...ends)), false, nullable);
}

function absolute(x: NumberDomain): NumberDomain {
  if (!x.bounds) return { ...numberDomain(null, false, x.nullable), nullable: x.nullable };
  const lo = contains(x.bounds, 0) ? 0 : Math.min(Math.abs(x.bounds[0]), Math.abs(x.bounds[1]));
  return numberDomain([lo, magnitude(x.bounds)], x.integer, x.nullable);
}

const signs: Interval = [-1, 1];

/** The smallest (largest) of the arguments that are not NULL, as PostgreSQL and DuckDB do. */
function extreme(pick: (...x: number[]) => number, least: boolean): OperatorRule<"some"> {
  return {
    takes: "ordered",
    gives: "same",
    exact: true,
    apply: (args) => {
      const present = args.filter((arg) => arg !== null).map(Number);
      return present.length === 0 ? null : plain(pick(...present));
    },
    domain: (args) => {
      const [{ type }] = args;
      const ordered = args.map((arg) => (isTime(arg) ? arg : numberOperand(arg)));
      const nullable = ordered.every((domain) => domain.nullable);
      const all = ordered.flatMap(({ bounds, nullable }) => (bounds ? [{ bounds, nullable }] : []));
      if (all.length < ordered.length) return { ...numberDomain(null, false, nullable), nullable };
      // An argument that is never NULL caps the result; one that may be NULL may also drop out.
      const sure = all.filter((domain) => !domain.nullable);
      const lows = all.map(({ bounds: [lo] }) => lo);
      const highs = all.map(({ bounds: [, hi] }) => hi);
      const caps = sure.map(({ bounds: [lo, hi] }) => (least ? hi : lo));
      const lo = least ? Math.min(...lows) : Math.max(...(caps.length > 0 ? caps : [Math.min(...lows)]));
      const hi = least ? Math.min(...(caps.length > 0 ? caps : [Math.max(...highs)])) : Math.max(...highs);
      if (type === "date" || type === "timestamp") return timeDomain(type, [lo, hi], nullable);
      return numberDomain([lo, hi], ordered.every(isIntegral), nullable);
    },
  };
}

/** Division is real division (5 / 2 is 2.5), also of integers; write floor(a / b) for whole steps. */
export const arithmetic: Rules<ArithmeticOperator> = {
  "+": ring((x, y) => x + y, sumOf),
  "-": ring((x, y) => x - y, differenceOf),
  "*": ring((x, y) => x * y, productOf),
  "/": binary((x, y) => (y === 0 ? null : x / y), quotientDomain, true),
  "%": binary((x, y) => (y === 0 ? null : x % y), remainderDomain, true),
  negate: unary(
    (x) => -x,
    (x) => ({ ...x, bounds: x.bounds && [plain(-x.bounds[1]), plain(-x.bounds[0])], values: null }),
    true,
  ),
  abs: unary((x) => Math.abs(x), absolute, true),
  sign: unary(
    (x) => Math.sign(x),
    (x) => {
      const [lo, hi] = x.bounds ?? signs;
      return { ...numberDomain([plain(Math.sign(lo)), plain(Math.sign(hi))], true, x.nullable) };
    },
    true,
  ),
  floor: unary(
    (x) => Math.floor(x),
    (x) => steps(monotone(x, Math.floor, true), x),
    true,
  ),
  ceil: unary(
    (x) => Math.ceil(x),
    (x) => steps(monotone(x, Math.ceil, true), x),
    true,
  ),
  round: {
    takes: "number",
    gives: "number",
    exact: "unary",
    apply: ([x, digits]) => {
      if (x === null || digits === null) return null;
      return finite(digits === undefined ? roundHalfAway(Number(x)) : roundTo(Number(x), Number(digits)));
    },
    domain: roundDomain,
  },
  trunc: unary(
    (x) => Math.trunc(x),
    (x) => steps(monotone(x, Math.trunc, true), x),
    true,
  ),
  width_bucket: {
    takes: "number",
    gives: "number",
    exact: true,
    apply: ([x, lo, hi, count]) =>
      x === null ? null : bucketOf(Number(x), Number(lo), Number(hi), Number(count)),
    domain: ([x, lo, hi, count]) =>
      bucketDomain(numberOperand(x), constantOperand(lo), constantOperand(hi), constantOperand(count)),
  },
  "cell-among": {
    takes: "number",
    gives: "number",
    exact: false,
    apply: ([x, ...ends]) => (x === null ? null : cellAmong(Number(x), ...ends.map(Number))),
    domain: ([x, ...ends]) =>
      numberDomain([0, cellTests(ends.map(constantOperand)).length], true, x.nullable),
  },
  sqrt: unary(
    (x) => (x < 0 ? null : Math.sqrt(x)),
    (x) => {
      if (!x.bounds) return numberDomain(null, false, true);
      const [lo, hi] = x.bounds;
      return numberDomain(
        [Math.sqrt(Math.max(0, lo)), Math.sqrt(Math.max(0, hi))],
        false,
        x.nullable || lo < 0,
      );
    },
    true,
  ),
  ln: unary(
    (x) => (x <= 0 ? null : Math.log(x)),
    (x) => logarithm(x, Math.log, 1),
    false,
  ),
  log10: unary(
    (x) => (x <= 0 ? null : Math.log10(x)),
    (x) => logarithm(x, Math.log10, Math.LOG10E),
    false,
  ),
  exp: unary(
    (x) => Math.exp(x),
    (x) => numberDomain(x.bounds && widened(Math.exp(x.bounds[0]), Math.exp(x.bounds[1])), false, x.nullable),
    false,
  ),
  power: binary(powerOf, powerDomain, false),
  least: extreme(Math.min, true),
  greatest: extreme(Math.max, false),
};
