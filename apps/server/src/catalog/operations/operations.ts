import type { Catalog } from "../catalog.ts";
import type { Frame } from "../evaluate/frame.ts";
import { unsupported } from "../refuse.ts";
import { compareValues, keyOf } from "../types/compare.ts";
import { oids } from "../types/oids.ts";
import { ArrayValue, type Value } from "../types/values.ts";
import { writeText } from "../types/write-text.ts";
import { arithmetic, isArithmetic } from "./arithmetic.ts";
import { matchesLike } from "./like.ts";
import { matchesPattern } from "./patterns.ts";

type Act = (left: Value, right: Value, frame: Frame) => Value;
type Present = NonNullable<Value>;

const orders: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** The categories whose values are held so that they compare as PostgreSQL compares them. */
const ordered: ReadonlySet<string> = new Set(["B", "N", "S", "A", "D", "P", "C", "E", "Z"]);
/** Types of other categories that are at least equal where their texts are. */
const alike: ReadonlySet<string> = new Set(["U", "I"]);

/** Returns what an operator does with two values that are not NULL. Errors: query.unsupported where it is not known for the types. */
export function operation(
  name: string,
  left: number,
  right: number,
  result: number,
  catalog: Catalog,
  offset?: number,
): Act {
  const { types } = catalog;
  const category = types.categoryOf(left);
  const unknown = (): never =>
    unsupported(`the operator ${name} of the type ${types.fact(left).name}`, offset);
  const text = category === "S" || left === oids.char;
  switch (name) {
    case "=":
    case "<>":
    case "!=": {
      if (!ordered.has(category) && !alike.has(category)) return unknown();
      const isEqual = name === "=";
      return (a, b) => (compareValues(a as Present, b as Present) === 0) === isEqual;
    }
    case "<":
    case "<=":
    case ">":
    case ">=": {
      if (!ordered.has(category)) return unknown();
      const holds = orders[name] ?? unknown();
      return (a, b) => holds(compareValues(a as Present, b as Present));
    }
    case "||":
      return concatenation(left, right, result, catalog) ?? unknown();
    case "~":
    case "!~":
    case "~*":
    case "!~*": {
      if (!text) return unknown();
      const [isNegated, ignoresCase] = [name.startsWith("!"), name.endsWith("*")];
      return (a, b, { run }) => matchesPattern(String(a), String(b), ignoresCase, run.budget) !== isNegated;
    }
    case "~~":
    case "!~~":
    case "~~*":
    case "!~~*": {
      if (!text) return unknown();
      const [isNegated, ignoresCase] = [name.startsWith("!"), name.endsWith("*")];
      return (a, b, { run }) => matchesLike(String(a), String(b), ignoresCase, run.budget) !== isNegated;
    }
    case "^@":
      return text ? (a, b) => String(a).startsWith(String(b)) : unknown();
    case "@>":
    case "<@":
    case "&&":
      return category === "A" ? arrayTest(name) : unknown();
    default:
      return isArithmetic(name, left, right, types) ? arithmetic(name, left, result) : unknown();
  }
}

function arrayTest(name: "@>" | "<@" | "&&"): Act {
  const keys = (array: Value): ReadonlySet<ReturnType<typeof keyOf>> =>
    new Set((array as ArrayValue).items.map(keyOf));
  const holds = (all: Value, some: Value, frame: Frame): boolean => {
    const known = keys(all);
    frame.run.budget.step(known.size + (some as ArrayValue).items.length);
    return (some as ArrayValue).items.every((item) => item !== null && known.has(keyOf(item)));
  };
  if (name === "@>") return holds;
  if (name === "<@") return (a, b, frame) => holds(b, a, frame);
  return (a, b, frame) => {
    const known = keys(a);
    frame.run.budget.step(known.size + (b as ArrayValue).items.length);
    return (b as ArrayValue).items.some((item) => item !== null && known.has(keyOf(item)));
  };
}

function concatenation(left: number, right: number, result: number, { types }: Catalog): Act | null {
  if (types.categoryOf(result) === "A" || result === oids.anyarray) {
    const [isLeft, isRight] = [types.elementOf(left) !== 0, types.elementOf(right) !== 0];
    const items = (value: Value, isArray: boolean): readonly Value[] =>
      isArray ? (value === null ? [] : (value as ArrayValue).items) : [value];
    return (a, b, { run }) => {
      if (isLeft && isRight && (a === null || b === null)) return a ?? b;
      const all = [...items(a, isLeft), ...items(b, isRight)];
      run.budget.step(all.length);
      run.budget.hold(all.length);
      return new ArrayValue(all);
    };
  }
  if (result !== oids.text) return null;
  const isText = (type: number): boolean => types.categoryOf(type) === "S";
  const written = (value: Value, type: number, frame: Frame): string =>
    typeof value === "string" && isText(type)
      ? value
      : typeof value === "boolean"
        ? String(value)
        : writeText(value as Present, type, frame.run);
  return (a, b, frame) => {
    const whole = written(a, left, frame) + written(b, right, frame);
    frame.run.budget.step(1 + (whole.length >> 4));
    frame.run.budget.hold(whole.length >> 4);
    return whole;
  };
}
