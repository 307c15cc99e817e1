import { type KeptRows, type Policy, plural, writeName } from "@lethe/query";
import { tableNamed } from "../table-named.ts";
import { percent } from "./number.ts";

/**
 * Renders how much of a table the limits on a unit's rows keep, for the owner's eyes alone, with the private way to choose limits; empty where they
 * keep all.
 */
export function renderKeptRows(kept: KeptRows, table: string, policy: Policy): readonly string[] {
  const { units, beyond, limit, share, grouped } = kept;
  if (beyond === 0 && grouped.length === 0) return [];
  const { unit, contribution } = tableNamed(policy, table);
  const { maxGroups, maxRowsPerGroup } = contribution;
  const column = unit.kind === "column" || unit.kind === "through" ? unit.column : "";
  const ofTable = contribution.limit === "rows-before-filter";
  const name = ofTable
    ? `max_groups_contributed × max_rows_contributed_per_group, ${maxGroups} × ${maxRowsPerGroup}`
    : `max_rows_contributed_per_group, ${maxRowsPerGroup}`;
  const question =
    `SELECT PERCENTILE_CONT(LEAST(n, 100), 0.95) FROM ` +
    `(SELECT ${writeName(column)}, COUNT(*) AS n FROM ${writeName(table)} GROUP BY ${writeName(column)}) u`;
  return [
    `${beyond} of ${plural(units, "unit")} have more than ${plural(limit, "row")} (${name}): ` +
      `${ofTable ? "a question" : "a question without GROUP BY"} counts ${percent(share)} of the rows`,
    ...grouped.map(
      (by) =>
        `GROUP BY ${writeName(by.column)}: ${plural(by.beyond, "unit")} in more than ${plural(maxGroups, "group")} ` +
        `(max_groups_contributed): about ${percent(by.share)} of the rows count`,
    ),
    "A limit that you read off these numbers becomes public with the policy. The private way to choose one is a paid question:",
    `  lethe query ${JSON.stringify(question)}`,
  ];
}
