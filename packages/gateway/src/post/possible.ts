import type { KeyValue } from "@lethe/core/mechanisms";
import { applyOperator, type NumberRange, type PostExpression, type PostOperator } from "@lethe/query";
import { compareValues, type PostValue } from "./evaluate.ts";

/** The values that an expression may have while its parts stay within their intervals; may hold more, never less. */
export interface Possible {
  readonly numbers: NumberRange | null;
  readonly others: ReadonlySet<string | boolean>;
  readonly nullable: boolean;
}

const nothing: ReadonlySet<never> = new Set();

/** A number within a range. */
export function within(numbers: NumberRange): Possible {
  return { numbers, others: nothing, nullable: false };
}

function exactly(value: PostValue): Possible {
  if (value === null) return { numbers: null, others: nothing, nullable: true };
  if (typeof value === "number" || typeof value === "bigint")
    return within({ lo: Number(value), hi: Number(value) });
  return { numbers: null, others: new Set([value]), nullable: false };
}

/**
 * Interval arithmetic over released rows. `known` gives the range of a part whose interval is known; keys and constants are
 * what they are. Source: Moore 1966, Interval Analysis, the fundamental theorem: the ranges of the parts contain their
 * values, so the range of the whole contains its value.
 */
export function possibleValues(
  expression: PostExpression,
  key: readonly KeyValue[],
  known: (part: PostExpression) => Possible | null,
): Possible {
  const range = known(expression);
  if (range) return range;
  const of = (part: PostExpression): Possible => possibleValues(part, key, known);
  switch (expression.kind) {
    case "literal":
      return exactly(expression.value);
    case "key":
      return exactly(key[expression.key] ?? null);
    case "aggregate":
      return { ...within(all), nullable: true };
    case "call":
      return operators[expression.operator](expression.args.map(of));
    case "case": {
      let result: Possible | null = null;
      for (const { when, then } of expression.branches) {
        const met = of(when);
        if (met.others.has(true)) result = either(result, of(then));
        if (!met.others.has(false) && !met.nullable && met.others.has(true)) return result!;
      }
      return either(result, of(expression.otherwise));
    }
  }
}

/** Returns the union of two sets of possible values. */
function either(a: Possible | null, b: Possible): Possible {
  if (a === null) return b;
  return {
    numbers: hull(a.numbers, b.numbers),
    others: new Set([...a.others, ...b.others]),
    nullable: a.nullable || b.nullable,
  };
}

function hull(a: NumberRange | null, b: NumberRange | null): NumberRange | null {
  if (a === null || b === null) return a ?? b;
  return { lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) };
}

const all: NumberRange = { lo: Number.NEGATIVE_INFINITY, hi: Number.POSITIVE_INFINITY };
const isAll = ({ lo, hi }: NumberRange): boolean => !(Number.isFinite(lo) && Number.isFinite(hi));
const holds = ({ lo, hi }: NumberRange, x: number): boolean => lo <= x && x <= hi;

type Rule = (args: readonly Possible[]) => Possible;
/** The range over arguments that are numbers, and whether some of them have no value. */
type OverNumbers = (
  ...ranges: readonly NumberRange[]
) => NumberRange | null | { readonly range: NumberRange | null; readonly undefinedToo: boolean };

/** A rule whose result is NULL where an argument is; results beyond the doubles are NULL too. */
function strict(over: OverNumbers): Rule {
  return (args) => {
    const ranges = args.flatMap(({ numbers }) => (numbers ? [numbers] : []));
    const nullable = args.some((arg) => arg.nullable);
    if (ranges.length < args.length || args.length === 0)
      return { numbers: null, others: nothing, nullable: true };
    const found = over(...ranges);
    const { range, undefinedToo } =
      found !== null && "range" in found ? found : { range: found, undefinedToo: false };
    return {
      numbers: range && ordered(range),
      others: nothing,
      nullable: nullable || undefinedToo || range === null || isAll(range),
    };
  };
}

/** ∞ − ∞ and 0·∞ may be anything. */
function ordered({ lo, hi }: NumberRange): NumberRange {
  return { lo: Number.isNaN(lo) ? all.lo : lo, hi: Number.isNaN(hi) ? all.hi : hi };
}

/** A function that grows with its argument, at both ends; where it has no value at an end, what `beyond` says. */
function growing(operator: PostOperator, beyond: NumberRange = all): Rule {
  return strict((x, ...rest) => {
    const at = (end: number): number | null => {
      const value = Number.isFinite(end) ? applyOperator(operator, [end, ...rest.map(({ lo }) => lo)]) : null;
      return typeof value === "number" ? value : null;
    };
    const [lo, hi] = [at(x!.lo), at(x!.hi)];
    return {
      range: { lo: lo ?? beyond.lo, hi: hi ?? beyond.hi },
      undefinedToo: lo === null || hi === null,
    };
  });
}

/** Functions of positive numbers: NULL at 0 and below (of √: below). */
function ofPositive(operator: "sqrt" | "ln" | "log10", least: number): Rule {
  const inside = growing(operator, { lo: least, hi: Number.POSITIVE_INFINITY });
  return (args) => {
    const [x] = args;
    if (!x?.numbers || x.numbers.lo > 0) return inside(args);
    const isIn = operator === "sqrt" ? x.numbers.hi >= 0 : x.numbers.hi > 0;
    if (!isIn) return { numbers: null, others: nothing, nullable: true };
    const positive = inside([
      { ...x, numbers: { lo: Number.MIN_VALUE, hi: Math.max(x.numbers.hi, Number.MIN_VALUE) } },
    ]);
    return {
      numbers: positive.numbers && { lo: least, hi: positive.numbers.hi },
      others: nothing,
      nullable: x.nullable || x.numbers.lo < 0 || operator !== "sqrt" || positive.nullable,
    };
  };
}

const times = (x: number, y: number): number => (x === 0 || y === 0 ? 0 : x * y);

function product(a: NumberRange, b: NumberRange): NumberRange {
  const corners = [times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)];
  return { lo: Math.min(...corners), hi: Math.max(...corners) };
}

function quotient(a: NumberRange, b: NumberRange): ReturnType<OverNumbers> {
  if (b.lo === 0 && b.hi === 0) return { range: null, undefinedToo: true };
  if (!holds(b, 0)) {
    const corners = [a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi];
    if (corners.some(Number.isNaN)) return all;
    return { lo: Math.min(...corners), hi: Math.max(...corners) };
  }
  const inverse: NumberRange =
    b.lo === 0
      ? { lo: 1 / b.hi, hi: Number.POSITIVE_INFINITY }
      : b.hi === 0
        ? { lo: Number.NEGATIVE_INFINITY, hi: 1 / b.lo }
        : all;
  return { range: product(a, inverse), undefinedToo: true };
}

/** The remainder has the sign of the dividend and is smaller than the divisor. */
function remainder(a: NumberRange, b: NumberRange): ReturnType<OverNumbers> {
  const size = ({ lo, hi }: NumberRange): number => Math.max(Math.abs(lo), Math.abs(hi));
  const most = Math.min(size(a), size(b));
  if (a.lo === a.hi && b.lo === b.hi && b.lo !== 0) return { lo: a.lo % b.lo, hi: a.lo % b.lo };
  return { range: { lo: a.lo >= 0 ? 0 : -most, hi: a.hi <= 0 ? 0 : most }, undefinedToo: holds(b, 0) };
}

/** Returns the range of a power. On each side of 0 a power is monotone, so its extremes are at the ends and at 0. */
function power(x: NumberRange, { lo: exponent }: NumberRange): ReturnType<OverNumbers> {
  const fractional = !Number.isInteger(exponent);
  const lo = fractional ? Math.max(0, x.lo) : x.lo;
  if (x.hi < lo) return { range: null, undefinedToo: true };
  const undefinedToo = fractional && x.lo < 0;
  if (exponent < 0 && lo <= 0 && x.hi >= 0) return { range: all, undefinedToo: true };
  const ends = [lo, x.hi, ...(lo <= 0 && x.hi >= 0 ? [0] : [])].map((end) => end ** exponent);
  return { range: { lo: Math.min(...ends), hi: Math.max(...ends) }, undefinedToo };
}

/** The smallest (largest) of what is not NULL: what may be NULL may also drop out. */
function extreme(least: boolean): Rule {
  return (args) => {
    const present = args.filter(({ numbers }) => numbers !== null);
    if (present.length === 0) return exactly(null);
    const sure = present.filter(({ nullable }) => !nullable).map(({ numbers }) => numbers!);
    const ranges = present.map(({ numbers }) => numbers!);
    const numbers = least
      ? {
          lo: Math.min(...ranges.map(({ lo }) => lo)),
          hi:
            sure.length > 0 ? Math.min(...sure.map(({ hi }) => hi)) : Math.max(...ranges.map(({ hi }) => hi)),
        }
      : {
          lo:
            sure.length > 0 ? Math.max(...sure.map(({ lo }) => lo)) : Math.min(...ranges.map(({ lo }) => lo)),
          hi: Math.max(...ranges.map(({ hi }) => hi)),
        };
    return { numbers, others: nothing, nullable: sure.length === 0 };
  };
}

/** Returns the possible results of a comparison: of numbers by their ranges, of texts and booleans by each pair. */
function comparison(says: (order: number) => boolean): Rule {
  return ([a = exactly(null), b = exactly(null)]) => {
    const orders: number[] = [];
    if (a.numbers && b.numbers) {
      if (a.numbers.lo < b.numbers.hi) orders.push(-1);
      if (a.numbers.hi > b.numbers.lo) orders.push(1);
      if (a.numbers.lo <= b.numbers.hi && b.numbers.lo <= a.numbers.hi) orders.push(0);
    }
    for (const x of a.others) for (const y of b.others) orders.push(compareValues(x, y) ?? 0);
    if (a.numbers && b.others.size > 0) orders.push(-1, 1);
    if (b.numbers && a.others.size > 0) orders.push(-1, 1);
    return { numbers: null, others: new Set(orders.map(says)), nullable: a.nullable || b.nullable };
  };
}

/** Returns the rule of AND or OR in SQL's three-valued logic: `ruling` decides, NULL is unknown. */
function connective(ruling: boolean): Rule {
  return (args) => {
    const canRule = args.some(({ others }) => others.has(ruling));
    const mustRule = args.some(
      ({ others, nullable }) => others.has(ruling) && others.size === 1 && !nullable,
    );
    const canPass = args.every(({ others }) => others.has(!ruling));
    const canBeUnknown =
      !mustRule &&
      args.some(({ nullable }) => nullable) &&
      args.every(({ others, nullable }) => nullable || others.has(!ruling));
    return {
      numbers: null,
      others: new Set([...(canRule ? [ruling] : []), ...(canPass ? [!ruling] : [])]),
      nullable: canBeUnknown,
    };
  };
}

const isNull =
  (says: boolean): Rule =>
  ([a = exactly(null)]) => ({
    numbers: null,
    others: new Set([...(a.nullable ? [says] : []), ...(a.numbers || a.others.size > 0 ? [!says] : [])]),
    nullable: false,
  });

const equals = comparison((order) => order === 0);

const operators: Readonly<Record<PostOperator, Rule>> = {
  "+": strict((a, b) => ({ lo: a!.lo + b!.lo, hi: a!.hi + b!.hi })),
  "-": strict((a, b) => ({ lo: a!.lo - b!.hi, hi: a!.hi - b!.lo })),
  "*": strict((a, b) => product(a!, b!)),
  "/": strict((a, b) => quotient(a!, b!)),
  "%": strict((a, b) => remainder(a!, b!)),
  negate: strict((a) => ({ lo: -a!.hi, hi: -a!.lo })),
  abs: strict((a) => ({
    lo: holds(a!, 0) ? 0 : Math.min(Math.abs(a!.lo), Math.abs(a!.hi)),
    hi: Math.max(Math.abs(a!.lo), Math.abs(a!.hi)),
  })),
  sign: strict((a) => ({ lo: Math.sign(a!.lo), hi: Math.sign(a!.hi) })),
  floor: growing("floor"),
  ceil: growing("ceil"),
  round: growing("round"),
  sqrt: ofPositive("sqrt", 0),
  ln: ofPositive("ln", Number.NEGATIVE_INFINITY),
  log10: ofPositive("log10", Number.NEGATIVE_INFINITY),
  exp: growing("exp", { lo: 0, hi: Number.POSITIVE_INFINITY }),
  power: strict((a, b) => power(a!, b!)),
  "to-integer": growing("to-integer"),
  least: extreme(true),
  greatest: extreme(false),
  coalesce: (args) => {
    let result: Possible | null = null;
    for (const arg of args) {
      result = either(result, { ...arg, nullable: false });
      if (!arg.nullable) return result;
    }
    return { ...(result ?? exactly(null)), nullable: true };
  },
  nullif: ([a = exactly(null), b = exactly(null)]) => {
    const same = equals([a, b]);
    if (!same.others.has(true)) return a;
    if (!same.others.has(false) && !same.nullable) return exactly(null);
    return { ...a, nullable: true };
  },
  "=": equals,
  "<>": comparison((order) => order !== 0),
  "<": comparison((order) => order < 0),
  "<=": comparison((order) => order <= 0),
  ">": comparison((order) => order > 0),
  ">=": comparison((order) => order >= 0),
  and: connective(false),
  or: connective(true),
  not: ([a = exactly(null)]) => ({
    numbers: null,
    others: new Set([...a.others].map((value) => !value)),
    nullable: a.nullable,
  }),
  "is-null": isNull(true),
  "is-not-null": isNull(false),
  in: ([needle = exactly(null), ...list]) => connective(true)(list.map((item) => equals([needle, item]))),
};
