import type { Expression } from "../expression.ts";
import { writeSql } from "../write-sql.ts";
import { isNone, type PossibleValues, valuesOf } from "./possible-values.ts";
import { leftBy, type RequiredTest, requiredTests, testedBy } from "./required-tests.ts";

/** Conditions that no row can meet together, as far as the declared domains of the columns tell. */
export interface NeverTrue {
  /** The conditions as they were written; false ones stand behind NOT. */
  readonly conditions: readonly RequiredTest[];
  /** The expression that the conditions test; null where a condition is a constant. */
  readonly of: Expression | null;
}

/**
 * Finds why a condition is true on no row that the domains of its columns allow; null where a row might meet it. It follows AND,
 * OR and NOT, and combines all tests of one expression; a test that it cannot judge counts as possible. The result depends on the
 * question and the policy alone.
 */
export function neverTrue(condition: Expression): NeverTrue | null {
  return impossible({ condition, outcome: true });
}

function impossible(whole: RequiredTest): NeverTrue | null {
  const asked = new Map<
    string,
    { left: PossibleValues; readonly tests: RequiredTest[]; readonly of: Expression }
  >();
  for (const test of requiredTests(whole)) {
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
    known.left = leftBy(known.left, test);
    known.tests.push(test);
    asked.set(sql, known);
    if (isNone(known.left)) {
      const alone = isNone(leftBy(valuesOf(of.domain), test));
      return { conditions: alone ? [test] : known.tests, of: of.kind === "literal" ? null : of };
    }
  }
  return null;
}

/** Returns the tests of which one is enough: for an OR to be true, or for an AND to be false. Null for any other condition. */
function alternativesOf({ condition, outcome }: RequiredTest): readonly RequiredTest[] | null {
  if (condition.kind !== "call" || condition.operator !== (outcome ? "or" : "and")) return null;
  return condition.args.map((arg) => ({ condition: arg, outcome }));
}
