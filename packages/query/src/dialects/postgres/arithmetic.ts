import { constant } from "../constant.ts";
import type { OperatorText } from "../dialect.ts";
import { numberDomain } from "../number-domain.ts";
import { bothEvaluatedOnce, evaluatedOnce } from "./let.ts";
import { double } from "./literals.ts";
import { largestExponent, sizeOf } from "./size.ts";

/*
 * PostgreSQL raises where a double's + − × ÷ overflows, where × ÷ of numbers that are not 0 gives 0, and for a divisor
 * of 0. Each guard below asks whether that would happen, in terms that cannot raise themselves: operands are brought
 * near 1 by exact powers of two. What domains prove needs no guard. Operands are finite or NULL, never NaN.
 */

const power2 = (exponent: number): string => double(2 ** exponent);
const magnitudeAtLeast1 = (x: string): string => `greatest(abs(${x}), ${double(1)})`;
const magnitudeAtMost1 = (x: string): string => `least(abs(${x}), ${double(1)})`;
/** 1 for 0 and for NULL, which least passes over. */
const nonZeroAtMost1 = (x: string): string => `least(nullif(abs(${x}), ${double(0)}), ${double(1)})`;

/** Half of x, 0 for what is too small to matter beside 2^1022. */
const half = (x: string): string =>
  `CASE WHEN abs(${x}) < ${double(1)} THEN ${double(0)} ELSE ${x} * ${double(0.5)} END`;

/** Sums of halves never overflow, and round as sums do. */
export function sum(symbol: "+" | "-"): OperatorText<"two"> {
  return ([x, y], call) => {
    if (numberDomain(call).bounds !== null) return `(${x} ${symbol} ${y})`;
    const [left, right] = call.args;
    return bothEvaluatedOnce(
      { sql: x, bound: left },
      { sql: y, bound: right },
      (a, b) =>
        `CASE WHEN abs(${half(a)} ${symbol} ${half(b)}) < ${power2(1023)} THEN ${a} ${symbol} ${b} END`,
    );
  };
}

/** |ab| ≥ 2^1024 after rounding. */
const productOverflows = (a: string, b: string): string =>
  `${magnitudeAtLeast1(a)} * ${power2(-512)} * (${magnitudeAtLeast1(b)} * ${power2(-512)}) >= ${double(1)}`;

/** |ab| ≤ 2^−1075, which rounds to 0 (one quotient in 2^53 next to that end is taken for smaller than it is). */
const productUnderflows = (a: string, b: string): string =>
  `${nonZeroAtMost1(b)} * ${power2(537)} <= ${power2(-538)} / ${nonZeroAtMost1(a)}`;

export const product: OperatorText<"two"> = ([x, y], call) => {
  const [left, right] = call.args;
  const mayOverflow = numberDomain(call).bounds === null;
  const mayUnderflow = sizeOf(left).least + sizeOf(right).least < -1074;
  if (!mayOverflow && !mayUnderflow) return `(${x} * ${y})`;
  return bothEvaluatedOnce({ sql: x, bound: left }, { sql: y, bound: right }, (a, b) => {
    const overflow = mayOverflow ? `WHEN ${productOverflows(a, b)} THEN NULL ` : "";
    const underflow = mayUnderflow ? `WHEN ${productUnderflows(a, b)} THEN ${double(0)} ` : "";
    return `CASE ${overflow}${underflow}ELSE ${a} * ${b} END`;
  });
};

/** |a/b| ≥ 2^1024: no quotient of doubles lies between the largest double and that. */
const quotientOverflows = (a: string, b: string): string =>
  `greatest(abs(${a}), ${double(1e-100)}) * ${power2(-512)} >= ${magnitudeAtMost1(b)} * ${power2(512)}`;

/** |a/b| ≤ 2^−1075. */
const quotientUnderflows = (a: string, b: string): string =>
  `${magnitudeAtMost1(a)} * ${power2(537)} <= ${magnitudeAtLeast1(b)} * ${power2(-538)}`;

export const quotient: OperatorText<"two"> = ([x, y], call) => {
  const [left, right] = call.args;
  const [dividend, divisor] = [numberDomain(call, 0), numberDomain(call, 1)];
  const mayBeZero = divisor.bounds === null || (divisor.bounds[0] <= 0 && divisor.bounds[1] >= 0);
  const mayOverflow = numberDomain(call).bounds === null || dividend.bounds === null;
  const mayUnderflow = sizeOf(left).least - largestExponent(divisor) < -1074;
  if (!mayOverflow && !mayUnderflow) {
    return mayBeZero ? `(${x} / nullif(${y}, ${double(0)}))` : `(${x} / ${y})`;
  }
  return bothEvaluatedOnce({ sql: x, bound: left }, { sql: y, bound: right }, (a, b) => {
    const zero = mayBeZero ? `WHEN ${b} = ${double(0)} THEN NULL ` : "";
    const overflow = mayOverflow ? `WHEN ${quotientOverflows(a, b)} THEN NULL ` : "";
    // NULL where an operand is: greatest and least pass over it.
    return (
      `CASE ${zero}WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL ${overflow}` +
      `WHEN ${quotientUnderflows(a, b)} THEN ${double(0)} ELSE ${a} / ${b} END`
    );
  });
};

/**
 * The exact remainder of two doubles, as C's fmod: PostgreSQL has none. Integers are divided as such. Other doubles are
 * taken apart into m·2^e by their bits, and the remainder of integers m·2^k taken in numerics of at most 650 digits.
 */
export const remainder: OperatorText<"two"> = ([x, y], { args }) => {
  if (args.every(({ domain }) => domain.type === "number" && domain.integer))
    return `CAST(mod(CAST(${x} AS bigint), nullif(CAST(${y} AS bigint), 0)) AS double precision)`;
  const [left, right] = args;
  const bits = (x: string): string =>
    `CAST(CAST('x' || encode(float8send(abs(${x})), 'hex') AS bit(64)) AS bigint)`;
  const exponent = (b: string): string => `greatest(${b} >> 52, 1)`;
  const mantissa = (b: string): string =>
    `((${b} & 4503599627370495) + CASE WHEN ${b} >> 52 > 0 THEN 4503599627370496 ELSE 0 END)`;
  const integer = (b: string): string =>
    `${mantissa(b)} * power(numeric '2', ${exponent(b)} - least(${exponent("parts.x")}, ${exponent("parts.y")}))`;
  const rest =
    `SELECT CAST(mod(${integer("parts.x")}, ${integer("parts.y")}) AS double precision)` +
    ` * power(${double(2)}, least(${exponent("parts.x")}, ${exponent("parts.y")}) - 1075)`;
  return bothEvaluatedOnce(
    { sql: x, bound: left },
    { sql: y, bound: right },
    (a, b) =>
      `CASE WHEN ${b} = ${double(0)} THEN NULL WHEN abs(${a}) < abs(${b}) THEN ${a} ` +
      `ELSE sign(${a}) * (${rest} FROM (SELECT ${bits(a)} AS x, ${bits(b)} AS y OFFSET 0) AS parts) END`,
  );
};

/** Half away from zero; PostgreSQL's own round of doubles goes to even. */
const halfAway = (x: string): string =>
  `(trunc(${x}) + CASE WHEN abs(${x} - trunc(${x})) >= ${double(0.5)} THEN sign(${x}) ELSE ${double(0)} END)`;

export const round: OperatorText<"one or two"> = ([sql], { args: [bound, digits] }) => {
  if (!digits) return evaluatedOnce({ sql, bound }, halfAway);
  const places = Number(constant(digits));
  const scale = double(10 ** Math.abs(places));
  const rounded = (value: string): string => evaluatedOnce({ sql: value }, halfAway);
  return evaluatedOnce({ sql, bound }, (x) =>
    places < 0
      ? // A magnitude below 1 is less than half a step, and its quotient could underflow.
        `CASE WHEN abs(${x}) < ${double(1)} THEN ${double(0)} ELSE ` +
        evaluatedOnce(
          { sql: rounded(`${x} / ${scale}`) },
          (r) => `CASE WHEN ${productOverflows(r, scale)} THEN NULL ELSE ${r} * ${scale} END`,
        ) +
        " END"
      : `CASE WHEN ${productOverflows(x, scale)} THEN ${x} ELSE ${rounded(`${x} * ${scale}`)} / ${scale} END`,
  );
};

/** Below this e^x rounds to 0, above the other it overflows. */
const [leastExponent, mostExponent] = [-745.13, 709.78];

export const exp: OperatorText<"one"> = ([sql], call) => {
  const { bounds } = numberDomain(call, 0);
  if (bounds && bounds[0] > leastExponent && bounds[1] < mostExponent) return `exp(${sql})`;
  return evaluatedOnce(
    { sql, bound: call.args[0] },
    (x) =>
      `CASE WHEN ${x} > ${double(mostExponent)} THEN NULL WHEN ${x} < ${double(leastExponent)} THEN ${double(0)} ELSE exp(${x}) END`,
  );
};

/**
 * The exponent is a constant. A base so near an end that libraries may disagree whether its power is beyond counts as
 * beyond; never ±1, nor a base on the other side of it.
 */
export const power: OperatorText<"two"> = ([sql], { args: [bound, exponent] }) => {
  const y = Number(constant(exponent));
  const slack = 2 ** -40 / Math.max(1, Math.abs(y));
  const [belowOne, aboveOne] = [1 - 2 ** -53, 1 + 2 ** -52];
  /** The base whose power is 2^log2, moved towards 1. */
  const end = (log2: number): number => {
    const base = 2 ** (log2 / y);
    return log2 / y > 0 ? Math.max(base * (1 - slack), aboveOne) : Math.min(base * (1 + slack), belowOne);
  };
  return evaluatedOnce({ sql, bound }, (x) => {
    const branches = [
      `WHEN ${x} = ${double(0)} THEN ${y < 0 ? "NULL" : double(y === 0 ? 1 : 0)}`,
      ...(Number.isInteger(y) ? [] : [`WHEN ${x} < ${double(0)} THEN NULL`]),
    ];
    const beyond = (limit: number, isAbove: boolean, value: string): void => {
      if (!(limit > 0 && Number.isFinite(limit))) return;
      branches.push(`WHEN abs(${x}) ${isAbove ? ">=" : "<="} ${double(limit)} THEN ${value}`);
    };
    if (y !== 0) {
      beyond(end(1024), y > 0, "NULL");
      beyond(end(-1074), y < 0, double(0));
    }
    return `CASE ${branches.join(" ")} ELSE power(${x}, ${double(y)}) END`;
  });
};

/** NULL for what lies at or below a limit, where a function would raise; greatest passes over NULL and gives the limit. */
export function above(limit: number): (x: string) => string {
  return (x) => `nullif(greatest(${x}, ${double(limit)}), ${double(limit)})`;
}
