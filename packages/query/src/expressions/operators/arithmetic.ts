import { elementAt } from "@lethe/core/numeric";
import { isIntegral, type NumberDomain, type TimeDomain } from "../domain.ts";
import type { ArithmeticOperator } from "../operator.ts";
import { cellAmong, cellTests } from "./bound-cells.ts";
import { finiteDomain, numberDomain, type Scalar, timeDomain } from "./domains.ts";
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
import type { OperatorRule, Rules } from "./operator-rule.ts";

const finite = (x: number): number | null => (Number.isFinite(x) ? plain(x) : null);

/** Makes a total function: it returns NULL for a NULL argument, and NULL where the result is not finite. */
function strict(compute: (...x: number[]) => number | null): (args: readonly Scalar[]) => Scalar {
  return (args) => {
    if (args.includes(null)) return null;
    const result = compute(...(args as number[]));
    return result === null ? null : finite(result);
  };
}

function rule(
  compute: (...x: number[]) => number | null,
  domain: (...args: NumberDomain[]) => NumberDomain,
  exact: OperatorRule["exact"],
): OperatorRule {
  return {
    takes: "number",
    gives: "number",
    exact,
    apply: strict(compute),
    domain: (args) => domain(...(args as NumberDomain[])),
  };
}

type Combine = (a: Interval, b: Interval) => Interval | null;
function ring(compute: (x: number, y: number) => number, combine: Combine): OperatorRule {
  return rule(
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
  const parts = a.bounds && nonZeroParts(b);
  const nullable = a.nullable || b.nullable || mayBeZero(b);
  if (!parts || parts.length === 0) return numberDomain(null, false, true);
  const quotients = parts.map((part) => quotientOf(a.bounds!, part));
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
function roundDomain(x: NumberDomain, digits: NumberDomain | undefined): NumberDomain {
  if (!x.bounds) return numberDomain(null, false, true);
  const [lo, hi] = x.bounds;
  // Any rule for ties lies between these.
  if (!digits)
    return numberDomain([plain(Math.ceil(lo - 0.5)), plain(Math.floor(hi + 0.5))], true, x.nullable);
  const places = digits.bounds![0];
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

function bucketDomain(x: NumberDomain, ...constants: readonly NumberDomain[]): NumberDomain {
  const [lo, hi, count] = constants.map(({ bounds }) => bounds![0]) as [number, number, number];
  const first = x.bounds ? bucketOf(x.bounds[0], lo, hi, count) : 0;
  const last = x.bounds ? bucketOf(x.bounds[1], lo, hi, count) : count + 1;
  const buckets = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return { ...(finiteDomain("number", buckets) as NumberDomain), nullable: x.nullable };
}

function cellDomain(x: NumberDomain, ...ends: readonly NumberDomain[]): NumberDomain {
  const most = cellTests(ends.map(({ bounds }) => bounds![0])).length;
  return numberDomain([0, most], true, x.nullable);
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
  const y = exponent.bounds![0];
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
function extreme(pick: (...x: number[]) => number, least: boolean): OperatorRule {
  return {
    takes: "ordered",
    gives: "same",
    exact: true,
    apply: (args) => {
      const present = args.filter((arg) => arg !== null) as number[];
      return present.length === 0 ? null : plain(pick(...present));
    },
    domain: (args) => {
      const numbers = args as readonly (NumberDomain | TimeDomain)[];
      const { type } = elementAt(numbers, 0);
      const nullable = numbers.every((domain) => domain.nullable);
      if (numbers.some((domain) => domain.bounds === null))
        return { ...numberDomain(null, false, nullable), nullable };
      const all = numbers.map((domain) => domain.bounds!);
      // An argument that is never NULL caps the result; one that may be NULL may also drop out.
      const sure = numbers.filter((domain) => !domain.nullable).map((domain) => domain.bounds!);
      const lows = all.map(([lo]) => lo);
      const highs = all.map(([, hi]) => hi);
      const caps = sure.map(([lo, hi]) => (least ? hi : lo));
      const lo = least ? Math.min(...lows) : Math.max(...(caps.length > 0 ? caps : [Math.min(...lows)]));
      const hi = least ? Math.min(...(caps.length > 0 ? caps : [Math.max(...highs)])) : Math.max(...highs);
      if (type !== "number") return timeDomain(type, [lo, hi], nullable);
      return numberDomain([lo, hi], numbers.every(isIntegral), nullable);
    },
  };
}

/** Division is real division (5 / 2 is 2.5), also of integers; write floor(a / b) for whole steps. */
export const arithmetic: Rules<ArithmeticOperator> = {
  "+": ring((x, y) => x + y, sumOf),
  "-": ring((x, y) => x - y, differenceOf),
  "*": ring((x, y) => x * y, productOf),
  "/": rule((x, y) => (y === 0 ? null : x / y), quotientDomain, true),
  "%": rule((x, y) => (y === 0 ? null : x % y), remainderDomain, true),
  negate: rule(
    (x) => -x,
    (x) => ({ ...x!, bounds: x.bounds && [plain(-x.bounds[1]), plain(-x.bounds[0])], values: null }),
    true,
  ),
  abs: rule((x) => Math.abs(x), absolute, true),
  sign: rule(
    (x) => Math.sign(x),
    (x) => {
      const [lo, hi] = x.bounds ?? signs;
      return { ...numberDomain([plain(Math.sign(lo)), plain(Math.sign(hi))], true, x.nullable) };
    },
    true,
  ),
  floor: rule(
    (x) => Math.floor(x),
    (x) => monotone(x, Math.floor, true),
    true,
  ),
  ceil: rule(
    (x) => Math.ceil(x),
    (x) => monotone(x, Math.ceil, true),
    true,
  ),
  round: rule(
    (x, digits) => (digits === undefined ? roundHalfAway(x) : roundTo(x, digits)),
    roundDomain,
    "unary",
  ),
  trunc: rule(
    (x) => Math.trunc(x),
    (x) => monotone(x, Math.trunc, true),
    true,
  ),
  width_bucket: rule(bucketOf, bucketDomain, true),
  "cell-among": rule(cellAmong, cellDomain, false),
  sqrt: rule(
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
  ln: rule(
    (x) => (x <= 0 ? null : Math.log(x)),
    (x) => logarithm(x, Math.log, 1),
    false,
  ),
  log10: rule(
    (x) => (x <= 0 ? null : Math.log10(x)),
    (x) => logarithm(x, Math.log10, Math.LOG10E),
    false,
  ),
  exp: rule(
    (x) => Math.exp(x),
    (x) => numberDomain(x.bounds && widened(Math.exp(x.bounds[0]), Math.exp(x.bounds[1])), false, x.nullable),
    false,
  ),
  power: rule((x, y) => powerOf(x, y), powerDomain, false),
  least: extreme(Math.min, true),
  greatest: extreme(Math.max, false),
};
