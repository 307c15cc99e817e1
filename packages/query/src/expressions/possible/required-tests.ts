import { elementAt } from "@lethe/core/numeric";
import type { Expression } from "../expression.ts";
import { constantTest, type PossibleValues, valuesWhere } from "./possible-values.ts";

/** A condition, and what it must come to: true, or false. */
export interface RequiredTest {
  readonly condition: Expression;
  readonly outcome: boolean;
}

/** Returns the tests that must all hold for an AND to be true, or for an OR to be false. */
export function requiredTests({ condition, outcome }: RequiredTest): readonly RequiredTest[] {
  if (condition.kind !== "call") return [{ condition, outcome }];
  const { operator, args } = condition;
  if (operator === "not") return requiredTests({ condition: elementAt(args, 0), outcome: !outcome });
  if (operator === "is-true" && outcome)
    return requiredTests({ condition: elementAt(args, 0), outcome: true });
  if (operator === "is-false" && outcome)
    return requiredTests({ condition: elementAt(args, 0), outcome: false });
  if (operator === (outcome ? "and" : "or"))
    return args.flatMap((arg) => requiredTests({ condition: arg, outcome }));
  return [{ condition, outcome }];
}

/** Returns the expression whose values a condition is about; null where there are several. */
export function testedBy(condition: Expression): Expression | null {
  if (condition.kind === "column") return condition;
  if (condition.kind !== "call") return null;
  if (condition.operator === "is-null" || condition.operator === "is-not-null")
    return elementAt(condition.args, 0);
  return constantTest(condition)?.of ?? null;
}

/** Returns the values of what a test is about that it leaves. */
export function leftBy(left: PossibleValues, { condition, outcome }: RequiredTest): PossibleValues {
  if (condition.kind === "column") {
    return { ...left, values: left.values?.filter((value) => value === outcome) ?? null, orNull: false };
  }
  if (condition.kind === "call" && (condition.operator === "is-null" || condition.operator === "is-not-null"))
    return (condition.operator === "is-null") === outcome
      ? { ...left, values: [] }
      : { ...left, orNull: false };
  return valuesWhere(left, constantTest(condition)!, outcome);
}
