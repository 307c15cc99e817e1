import { LetheError } from "@lethe/core";
import type { Expression } from "../../expressions/expression.ts";
import type { Policy } from "../../policy/policy.ts";
import { keptSources, type Relation, sourcesRead } from "../relation.ts";
import { everyTrue } from "./join-graph.ts";
import { limitRows } from "./limit-rows.ts";
import type { PlaceOf } from "./refuse-work.ts";

/** A question's rows, with limits on those of its tables, and what is left of its WHERE. */
export interface LimitedQuestion {
  readonly from: Relation;
  readonly where: Expression | null;
}

/**
 * Returns a question's rows with the limits of {@link limitRows}. Where they do not bound the work only because a condition of WHERE names several tables, so that an engine might
 * join these first, that condition becomes a filter behind a fence: it is looked at when the joined rows are all made. The rows are the same. Conditions that equate are never
 * moved, since they bound rows. `all` returns the condition that several are true. Errors: those of limitRows for the question as it stands.
 */
export function limitQuestion(
  { from, where }: LimitedQuestion,
  policy: Policy,
  all: (conditions: readonly Expression[]) => Expression,
  placeOf?: PlaceOf,
): LimitedQuestion {
  try {
    return { from: limitRows(from, where, policy, placeOf), where };
  } catch (error) {
    const conditions = everyTrue(where);
    const moved = conditions.filter(isMovable);
    // Groups that an outer join keeps must not depend on a condition, wherever it stands.
    if (!(error instanceof LetheError) || moved.length === 0 || keptSources(from) !== null) throw error;
    const left = conditions.filter((condition) => !moved.includes(condition));
    const rest = left.length === 0 ? null : all(left);
    const limited = limitedBy(from, rest, policy);
    if (limited === null) throw error;
    return { from: { kind: "filter", of: limited, where: all(moved), fenced: true }, where: rest };
  }
}

function isMovable(condition: Expression): boolean {
  const equates = condition.kind === "call" && condition.operator === "=";
  return !equates && new Set(sourcesRead(condition)).size > 1;
}

function limitedBy(from: Relation, where: Expression | null, policy: Policy): Relation | null {
  try {
    return limitRows(from, where, policy);
  } catch (error) {
    if (error instanceof LetheError) return null;
    throw error;
  }
}
