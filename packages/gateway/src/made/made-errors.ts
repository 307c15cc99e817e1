import { answerSetting, byName, familyOf, type Plan } from "@lethe/query";
import type { MadeError } from "./made-answer.ts";
import type { Making } from "./making.ts";
import { reachOfDraws } from "./total-of-draws.ts";

/** The most by which an answer that nobody asked to be made of releases may be wider than one that is paid for. */
export const mostWider = 2;

/** Returns, for each column of counts or sums, how far it may be off as it is made of so many releases, and as it would be measured. Both follow from the plans alone. */
export function madeErrors(
  asked: Plan,
  released: Plan,
  { groups, read }: Making,
  releases: number,
  confidence: number,
): readonly MadeError[] {
  const setting = answerSetting(asked, confidence);
  return asked.outputs.flatMap((output) => {
    const found = output.kind === "aggregate" ? read.get(output.aggregate) : undefined;
    if (output.kind !== "aggregate" || found?.kind !== "total") return [];
    const aggregate = byName(asked.aggregates, output.aggregate);
    const { halfWidth } = familyOf(aggregate).widths(aggregate, setting);
    const { total, step } = found.total;
    const reach = reachOfDraws(released, total, { groups, releases }, confidence);
    const here = (reach / releases) * step;
    return halfWidth === null ? [] : [{ column: output.name, here, anew: halfWidth }];
  });
}

/** Whether no column is much wider than in an answer that is paid for. How wide averages are depends on what is averaged, so that is told of none. */
export function isCloseEnough({ outputs }: Plan, errors: readonly MadeError[]): boolean {
  const isTold = outputs.filter(({ kind }) => kind === "aggregate").length === errors.length;
  return isTold && errors.every(({ here, anew }) => here <= mostWider * anew);
}
