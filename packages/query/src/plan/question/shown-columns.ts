import { familyOf } from "../../aggregates/family-of.ts";
import type { Domain } from "../../expressions/domain.ts";
import { type OverColumnKind, overColumns } from "../../over/over-columns.ts";
import { byName } from "../../refusals/by-name.ts";
import { answerColumns } from "../../resolve/names/answer-columns.ts";
import type { Plan } from "../plan.ts";

/** Returns the columns that a question shows: those of the answer, or of the SELECT over it. */
export function shownColumns({
  outputs,
  keys,
  aggregates,
  over,
}: Pick<Plan, "outputs" | "keys" | "aggregates" | "over">): readonly OverColumnKind[] {
  const typeOf = (name: string): Domain["type"] => {
    const aggregate = byName(aggregates, name);
    return familyOf(aggregate).reading(aggregate)?.time ?? "number";
  };
  return overColumns(over ?? { kind: "answer" }, answerColumns(outputs, keys.parts, typeOf));
}
