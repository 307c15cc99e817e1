import { familyOf } from "../../aggregates/family-of.ts";
import type { Domain } from "../../expressions/domain.ts";
import { type OverColumnKind, overColumns } from "../../over/over-columns.ts";
import { byName } from "../../refusals/by-name.ts";
import { answerColumns } from "../../resolve/names/answer-columns.ts";
import type { Plan } from "../plan.ts";

/** Returns the columns that a question shows: those of the answer, or of the SELECT over it and others. */
export function shownColumns(plan: ShownPlan): readonly OverColumnKind[] {
  const { over = { kind: "answer" } } = plan;
  return overColumns(over, (name) => {
    const answered = name === undefined ? plan : byName(plan.others ?? [], name).plan;
    return columnsOf(answered);
  });
}

type AnsweredPlan = Pick<Plan, "outputs" | "keys" | "aggregates">;
type ShownPlan = AnsweredPlan & Pick<Plan, "over" | "others">;

function columnsOf({ outputs, keys, aggregates }: AnsweredPlan): ReturnType<typeof answerColumns> {
  const typeOf = (name: string): Domain["type"] => {
    const aggregate = byName(aggregates, name);
    return familyOf(aggregate).reading(aggregate)?.time ?? "number";
  };
  return answerColumns(outputs, keys.parts, typeOf);
}
