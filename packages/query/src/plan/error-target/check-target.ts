import { refuse } from "../../refusals/refuse.ts";
import type { QuestionOptions } from "../../resolve/names/resolved-query.ts";

/** Whether options that state a target say one thing, and all of it. Errors: query.option. */
export function checkTarget({
  epsilon,
  targetError,
  targetErrorRelative,
  targetRelease,
  pilotEpsilon,
  maxEpsilon,
}: QuestionOptions): void {
  if (epsilon !== null)
    refuse(
      "query.option",
      "a price and a target error are stated together, and one follows from the other",
      "leave epsilon out, or the target",
    );
  if (targetError !== null && targetErrorRelative !== null)
    refuse("query.option", "two target errors are stated", "leave target_error or target_error_relative out");
  if (targetErrorRelative === null && (targetRelease !== null || pilotEpsilon !== null))
    refuse(
      "query.option",
      "target_release and pilot_epsilon say what a relative target is a share of, but no relative target is stated",
      "write target_error = '5%' too, or leave them out",
    );
  if (targetRelease !== null && pilotEpsilon !== null)
    refuse(
      "query.option",
      "a target is a share of an earlier release or of a pilot, not of both",
      "leave target_release or pilot_epsilon out",
    );
  if (pilotEpsilon !== null && maxEpsilon === null)
    refuse(
      "query.option",
      "nothing limits the price that a pilot may suggest",
      "write max_epsilon = 1 too: the most that the question may cost beside its pilot",
    );
  if (maxEpsilon !== null && pilotEpsilon === null)
    refuse(
      "query.option",
      "max_epsilon limits the price that a pilot suggests, but no pilot is stated",
      "write pilot_epsilon = 0.05 too, or leave max_epsilon out",
    );
  if (targetError === null && targetErrorRelative === null)
    refuse(
      "query.option",
      "target_rows says for which groups a target is meant, but no target is stated",
      "write target_error = 50 too, or leave target_rows out",
    );
}
