import { refuse } from "../../refusals/refuse.ts";
import type { QuestionOptions } from "../../resolve/names/resolved-query.ts";
import { hasTargetError } from "../merge-options.ts";

/** Refuses options that state an advantage and another word on the price. Errors: query.option. */
export function checkAdvantage(options: QuestionOptions): void {
  if (options.epsilon !== null)
    refuse(
      "query.option",
      "a price and an advantage are stated together, and one follows from the other",
      "leave epsilon out, or advantage",
    );
  if (hasTargetError(options))
    refuse(
      "query.option",
      "an advantage and a target error are stated together, and each sets the price",
      "leave advantage out, or the target error",
    );
}
