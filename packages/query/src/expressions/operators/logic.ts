import { elementAt } from "@lethe/core/numeric";
import type { Domain } from "../domain.ts";
import type { LogicOperator } from "../operator.ts";
import { alwaysNull, booleanDomain, type Scalar } from "./domains.ts";
import { matchesPattern } from "./like-pattern.ts";
import type { OperatorRule, Rules } from "./operator-rule.ts";

const anyNullable = (args: readonly Domain[]): Domain => booleanDomain(args.some((arg) => arg.nullable));
const never = (): Domain => booleanDomain(false);

/** The code point of a character that is not empty. */
const codePoint = (character: string): number => character.codePointAt(0) ?? 0;

/** Texts by code point (UTF-8 order), false before true. */
export function compareValues(a: Scalar, b: Scalar): number {
  if (typeof a !== "string" || typeof b !== "string") return Number(a) - Number(b);
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const difference = codePoint(elementAt(left, i)) - codePoint(elementAt(right, i));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function comparison(holds: (order: number) => boolean): OperatorRule<"two"> {
  return {
    takes: "same",
    gives: "boolean",
    exact: true,
    apply: ([a, b]) => (a === null || b === null ? null : holds(compareValues(a, b))),
    domain: anyNullable,
  };
}

/** A test of one value, which is never unknown. */
function test(takes: OperatorRule["takes"], holds: (value: Scalar) => boolean): OperatorRule<"one"> {
  return { takes, gives: "boolean", exact: true, apply: ([a]) => holds(a), domain: never };
}

/** A test of two values, which is never unknown. */
function testOfTwo(holds: (a: Scalar, b: Scalar) => boolean): OperatorRule<"two"> {
  return { takes: "same", gives: "boolean", exact: true, apply: ([a, b]) => holds(a, b), domain: never };
}

/** Kleene's three values: NULL is "unknown". */
function connective(deciding: boolean): OperatorRule<"some"> {
  return {
    takes: "boolean",
    gives: "boolean",
    exact: true,
    apply: (args) => (args.includes(deciding) ? deciding : args.includes(null) ? null : !deciding),
    domain: anyNullable,
  };
}

export const logic: Rules<LogicOperator> = {
  "=": comparison((order) => order === 0),
  "<>": comparison((order) => order !== 0),
  "<": comparison((order) => order < 0),
  "<=": comparison((order) => order <= 0),
  ">": comparison((order) => order > 0),
  ">=": comparison((order) => order >= 0),
  "is-distinct": testOfTwo((a, b) => a !== b),
  "is-not-distinct": testOfTwo((a, b) => a === b),
  and: connective(false),
  or: connective(true),
  not: {
    takes: "boolean",
    gives: "boolean",
    exact: true,
    apply: ([a]) => (a === null ? null : !a),
    domain: anyNullable,
  },
  "is-null": test("any", (a) => a === null),
  "is-not-null": test("any", (a) => a !== null),
  "is-true": test("boolean", (a) => a === true),
  "is-false": test("boolean", (a) => a === false),
  /** The first argument among the others. */
  in: {
    takes: "same",
    gives: "boolean",
    exact: true,
    apply: ([a, ...list]) => {
      if (a === null) return null;
      if (list.some((b) => b === a)) return true;
      return list.includes(null) ? null : false;
    },
    domain: anyNullable,
  },
  /** The pattern is a literal whose escape character is the backslash. */
  like: {
    takes: "text",
    gives: "boolean",
    exact: true,
    apply: ([a, pattern]) => (typeof a === "string" ? matchesPattern(a, String(pattern)) : null),
    domain: ([a]) => booleanDomain(a.nullable || alwaysNull(a)),
  },
};
