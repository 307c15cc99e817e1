import { type Plan, writeSql } from "@lethe/query";
import { rowSource } from "../derive/row-source.ts";

/** Yields notes on the groups that the rows of coarser groupings are made of. */
export function* totals(plan: Plan): Iterable<string> {
  const { groupings, keys } = plan;
  if (!groupings) return;
  const most = Math.max(...groupings.map((set) => rowSource(set, plan).draws));
  const names = keys.expressions.map(writeSql).join(", ");
  if (plan.totals) {
    yield `totals are measured by themselves, over all groups by ${names}, released or not, and of what each unit contributes to those; a total is listed where one of its groups is released`;
    yield "(other) is a total less its released groups: what is left for all that are not, with the noise of all of them, so that groups and (other) add up to the total";
    if (most > 1)
      yield `totals by public keys alone are sums of up to ${most} of their noisy groups, and their intervals widen with that number`;
  } else if (most > 1)
    yield `totals are sums of the noisy groups by ${names}, up to ${most} of them, and of what each unit contributes to those: they add up, and their intervals widen with the number of groups in them`;
}
