import { invalidParameter } from "../../errors/lethe-error.ts";
import { addAt } from "../../numeric/elements/element-at.ts";
import { checkOption } from "./chances.ts";
import { type AggregateRequest, type Frequencies, frequencies, type Support } from "./frequencies.ts";

/** Checks support counts against the options, and makes them shares. */
export function sharesOf(
  support: Support,
  options: number,
): (supporting: readonly number[], reports: number, request?: AggregateRequest) => Frequencies {
  return (supporting, reports, request) => {
    if (supporting.length !== options) {
      throw invalidParameter("supporting", `${supporting.length} counts`, `${options} counts, one an option`);
    }
    return frequencies(support, supporting, reports, request);
  };
}

/**
 * Counts of support from reports that are sets of options, each written in strictly rising order.
 * Errors: parameter.invalid for anything else, and for a set of another size where `size` is given.
 */
export function countSets(
  reports: Iterable<readonly number[]>,
  options: number,
  size: number | null,
): { readonly supporting: number[]; readonly count: number } {
  const supporting = new Float64Array(options);
  let count = 0;
  for (const report of reports) {
    if (!Array.isArray(report) || (size !== null && report.length !== size)) {
      throw invalidParameter("report", "something else", `a list of ${size ?? "some"} options`);
    }
    let before = -1;
    for (const option of report) {
      checkOption(option, options, "report's option");
      if (!(option > before))
        throw invalidParameter("report", "a list out of order", "in strictly rising order");
      before = option;
    }
    for (const option of report) addAt(supporting, option, 1);
    count += 1;
  }
  return { supporting: [...supporting], count };
}
