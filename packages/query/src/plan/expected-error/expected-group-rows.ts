import { elementAt } from "@lethe/core/numeric";
import { publicKeys } from "../../expressions/domain.ts";
import { entryOf } from "../../policy/entry-of.ts";
import type { Policy } from "../../policy/policy.ts";
import { tablesOf } from "../../relations/relation.ts";
import type { Plan } from "../plan.ts";

/**
 * Returns the rows that the policy expects in a group: the table's expected_rows, shared out evenly over all public groups. A WHERE that excludes
 * some of them takes their rows away too. Null where nothing is expected, where groups are data, or where several owned tables are joined.
 */
export function expectedGroupRows(plan: Plan, policy: Policy): number | null {
  const rows = expectedRows(plan, policy);
  const { program } = plan.keys;
  if (rows === null || program.kind === "private") return null;
  if (program.kind === "none") return rows;
  const groups = plan.keys.parts.reduce(
    (all, { expression }) => all * (publicKeys(expression.domain)?.length ?? 1),
    1,
  );
  return Math.max(1, Math.round(rows / groups));
}

/** The policy's expected_rows of the one owned table that is read. */
export function expectedRows(plan: Plan, policy: Policy): number | null {
  const owned = tablesOf(plan.from).filter(({ unit }) => unit.kind !== "public");
  return owned.length === 1 ? entryOf(policy.tables, elementAt(owned, 0).table).expectedRows : null;
}
