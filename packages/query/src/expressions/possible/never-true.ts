import { elementAt } from "@lethe/core/numeric";
import type { Expression } from "../expression.ts";
import { writeSql } from "../write-sql.ts";
import { constantTest, isNone, type PossibleValues, valuesOf, valuesWhere } from "./possible-values.ts";

/** Conditions that no row can meet together, as far as the declared domains of the columns tell. */
export interface NeverTrue {
  /** The conditions as they were written; false ones stand behind NOT. */
  readonly conditions: readonly { readonly condition: Expression; readonly outcome: boolean }[];
  /** The expression that the conditions test; null where a condition is a constant. */
  readonly of: Expression | null;
}

interface Test {
  readonly condition: Expression;
  readonly outcome: boolean;
}

/**
 * Finds why a condition is true on no row that the domains of its columns allow; null where a row might meet it. It follows AND,
 * OR and NOT, and combines all tests of one expression; a test that it cannot judge counts as possible. The result depends on the
 * question and the policy alone.
 */
export function neverTrue(condition: Expression): NeverTrue | null {
  return impossible({ condition, outcome: true });
}

function impossible(whole: Test): NeverTrue | null {
  const asked = new Map<string, { left: PossibleValues; readonly tests: Test[]; readonly of: Expression }>();
  for (const test of required(whole)) {
    const { condition, outcome } = test;
    const alternatives = alternativesOf(test);
    if (alternatives) {
      const reasons = alternatives.map(impossible);
      if (reasons.every((reason) => reason !== null)) return reasons[0] ?? null;
      continue;
    }
    if (condition.kind === "literal") {
      if (condition.value !== outcome) return { conditions: [test], of: null };
      continue;
    }
    const of = testedBy(condition);
    if (of === null) continue;
    const sql = writeSql(of);
    const known = asked.get(sql) ?? { left: valuesOf(of.domain), tests: [], of };
    known.left = leftOf(known.left, test);
    known.tests.push(test);
    asked.set(sql, known);
    if (isNone(known.left)) {
      const alone = isNone(leftOf(valuesOf(of.domain), test));
      return { conditions: alone ? [test] : known.tests, of: of.kind === "literal" ? null : of };
    }
  }
  return null;
}

/** Returns the tests that must all hold for an AND to be true, or for an OR to be false. */
function required({ condition, outcome }: Test): readonly Test[] {
  if (condition.kind !== "call") return [{ condition, outcome }];
  const { operator, args } = condition;
  if (operator === "not") return required({ condition: elementAt(args, 0), outcome: !outcome });
  if (operator === "is-true" && outcome) return required({ condition: elementAt(args, 0), outcome: true });
  if (operator === "is-false" && outcome) return required({ condition: elementAt(args, 0), outcome: false });
  if (operator === (outcome ? "and" : "or"))
    return args.flatMap((arg) => required({ condition: arg, outcome }));
  return [{ condition, outcome }];
}

/** Returns the tests of which one is enough: for an OR to be true, or for an AND to be false. Null for any other condition. */
function alternativesOf({ condition, outcome }: Test): readonly Test[] | null {
  if (condition.kind !== "call" || condition.operator !== (outcome ? "or" : "and")) return null;
  return condition.args.map((arg) => ({ condition: arg, outcome }));
}

/** Returns the expression whose values a condition is about; null where there are several. */
function testedBy(condition: Expression): Expression | null {
  if (condition.kind === "column") return condition;
  if (condition.kind !== "call") return null;
  if (condition.operator === "is-null" || condition.operator === "is-not-null")
    return elementAt(condition.args, 0);
  return constantTest(condition)?.of ?? null;
}

function leftOf(left: PossibleValues, { condition, outcome }: Test): PossibleValues {
  if (condition.kind === "column") {
    return { ...left, values: left.values?.filter((value) => value === outcome) ?? null, orNull: false };
  }
  if (condition.kind === "call" && (condition.operator === "is-null" || condition.operator === "is-not-null"))
    return (condition.operator === "is-null") === outcome
      ? { ...left, values: [] }
      : { ...left, orNull: false };
  return valuesWhere(left, constantTest(condition)!, outcome);
}
