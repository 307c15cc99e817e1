import { type Plan, writeSql } from "@lethe/query";
import { rowSource } from "../derive/row-source.ts";

/** Yields notes on the groups that the rows of coarser groupings are made of. */
export function* totals(plan: Plan): Iterable<string> {
  const { groupings, keys } = plan;
  if (!groupings) return;
  const most = Math.max(...groupings.map((set) => rowSource(set, plan).draws));
  const names = keys.parts.map(({ expression }) => writeSql(expression)).join(", ");
  if (plan.totals) {
    yield `each total is measured by itself over all groups by ${names}, released or not, and counts only what units contribute to these; a total is listed if one of its groups is released`;
    yield "(other) is the total minus its released groups, so that groups and (other) add up to the total; it has the noise of all of them";
    if (most > 1)
      yield `totals by public keys alone are sums of up to ${most} noisy groups; the more groups a total has, the wider is its interval`;
  } else if (most > 1)
    yield `totals are sums of up to ${most} noisy groups by ${names}, and count only what units contribute to these; the more groups a total has, the wider is its interval`;
}
