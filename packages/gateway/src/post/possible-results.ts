import { elementAt } from "@lethe/core/numeric";
import { applyOperator, type NumberRange, type PostOperator } from "@lethe/query";
import { applyPost, compareValues, type PostValue } from "./evaluate.ts";
import { all, holds, isAll, power, product, quotient, type Ranged, remainder } from "./number-ranges.ts";
import { either, exactly, nothing, type Possible } from "./possible.ts";

type Rule = (args: readonly Possible[]) => Possible;

/** A rule whose result is NULL where an argument is; results beyond the doubles are NULL too. */
function strict(over: (ranges: readonly NumberRange[]) => Ranged): Rule {
  return (args) => {
    const ranges = args.flatMap(({ numbers }) => (numbers ? [numbers] : []));
    const nullable = args.some((arg) => arg.nullable);
    if (ranges.length < args.length || args.length === 0)
      return { numbers: null, others: nothing, nullable: true };
    const found = over(ranges);
    const { range, undefinedToo } =
      found !== null && "range" in found ? found : { range: found, undefinedToo: false };
    return {
      numbers: range && ordered(range),
      others: nothing,
      nullable: nullable || undefinedToo || range === null || isAll(range),
    };
  };
}

/** A strict rule of one number. */
function ofOne(over: (x: NumberRange) => Ranged): Rule {
  return strict((ranges) => over(elementAt(ranges, 0)));
}

/** A strict rule of two numbers. */
function ofTwo(over: (x: NumberRange, y: NumberRange) => Ranged): Rule {
  return strict((ranges) => over(elementAt(ranges, 0), elementAt(ranges, 1)));
}

/** ∞ − ∞ and 0·∞ may be anything. */
function ordered({ lo, hi }: NumberRange): NumberRange {
  return { lo: Number.isNaN(lo) ? all.lo : lo, hi: Number.isNaN(hi) ? all.hi : hi };
}

/** A function that grows with its argument, at both ends; where it has no value at an end, what `beyond` says. */
function growing(operator: PostOperator, beyond: NumberRange = all): Rule {
  return strict((ranges) => {
    const rest = ranges.slice(1).map(({ lo }) => lo);
    const at = (end: number): number | null => {
      const value = Number.isFinite(end) ? applyOperator(operator, [end, ...rest]) : null;
      return typeof value === "number" ? value : null;
    };
    const x = elementAt(ranges, 0);
    const [lo, hi] = [at(x.lo), at(x.hi)];
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

/** The smallest (largest) of what is not NULL: what may be NULL may also drop out. */
function extreme(least: boolean): Rule {
  return (args) => {
    const present = args.flatMap(({ numbers, nullable }) => (numbers ? [{ ...numbers, nullable }] : []));
    if (present.length === 0) return exactly(null);
    const sure = present.filter(({ nullable }) => !nullable);
    const [los, his] = [present.map(({ lo }) => lo), present.map(({ hi }) => hi)];
    const numbers = least
      ? {
          lo: Math.min(...los),
          hi: sure.length > 0 ? Math.min(...sure.map(({ hi }) => hi)) : Math.max(...his),
        }
      : {
          lo: sure.length > 0 ? Math.max(...sure.map(({ lo }) => lo)) : Math.min(...los),
          hi: Math.max(...his),
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

/** The most combinations of values that are tried. */
const mostCombinations = 256;

/** Thrown where the values that an expression may have cannot be listed: texts made of a noisy number. */
export class Unlisted extends Error {}

/** A rule of an operator on texts: every value that its arguments may have is tried. Errors: Unlisted. */
function tried(operator: PostOperator): Rule {
  return (args) => {
    let combinations: readonly (readonly PostValue[])[] = [[]];
    for (const { numbers, others, nullable } of args) {
      if (numbers && numbers.lo !== numbers.hi) throw new Unlisted();
      const values: PostValue[] = [...others, ...(numbers ? [numbers.lo] : []), ...(nullable ? [null] : [])];
      combinations = combinations.flatMap((before) => values.map((value) => [...before, value]));
      if (combinations.length > mostCombinations) throw new Unlisted();
    }
    const results = combinations.map((values) => exactly(applyPost(operator, values)));
    return results.reduce<Possible | null>(either, null) ?? exactly(null);
  };
}

const equals = comparison((order) => order === 0);

/** Returns the possible results of every operator over arguments of which so much is known. */
export const possibleResults: Readonly<Record<PostOperator, Rule>> = {
  "+": ofTwo((a, b) => ({ lo: a.lo + b.lo, hi: a.hi + b.hi })),
  "-": ofTwo((a, b) => ({ lo: a.lo - b.hi, hi: a.hi - b.lo })),
  "*": ofTwo(product),
  "/": ofTwo(quotient),
  "%": ofTwo(remainder),
  negate: ofOne((a) => ({ lo: -a.hi, hi: -a.lo })),
  abs: ofOne((a) => ({
    lo: holds(a, 0) ? 0 : Math.min(Math.abs(a.lo), Math.abs(a.hi)),
    hi: Math.max(Math.abs(a.lo), Math.abs(a.hi)),
  })),
  sign: ofOne((a) => ({ lo: Math.sign(a.lo), hi: Math.sign(a.hi) })),
  floor: growing("floor"),
  ceil: growing("ceil"),
  round: growing("round"),
  sqrt: ofPositive("sqrt", 0),
  ln: ofPositive("ln", Number.NEGATIVE_INFINITY),
  log10: ofPositive("log10", Number.NEGATIVE_INFINITY),
  exp: growing("exp", { lo: 0, hi: Number.POSITIVE_INFINITY }),
  power: ofTwo(power),
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
  like: tried("like"),
  lower: tried("lower"),
  upper: tried("upper"),
  initcap: tried("initcap"),
  trim: tried("trim"),
  ltrim: tried("ltrim"),
  rtrim: tried("rtrim"),
  length: tried("length"),
  left: tried("left"),
  right: tried("right"),
  substr: tried("substr"),
  replace: tried("replace"),
  strpos: tried("strpos"),
  split_part: tried("split_part"),
  concat: tried("concat"),
  "to-text": tried("to-text"),
  "date-trunc": tried("date-trunc"),
  extract: tried("extract"),
};
