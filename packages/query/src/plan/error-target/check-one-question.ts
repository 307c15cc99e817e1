import { refuse } from "../../refusals/refuse.ts";
import type { ResolvedQuery } from "../../resolve/names/resolved-query.ts";

/** A target error sets the price of one question, and a text that asks several has one price for all. Errors: query.option. */
export function checkOneQuestion({ others }: ResolvedQuery): void {
  if (others)
    refuse(
      "query.option",
      "the text asks several private questions, and a target error sets the price of one",
      "state epsilon, or ask each question by itself",
    );
}
