import { lossToJson, type Rational, toText } from "@lethe/core";
import { canonicalJson } from "@lethe/core/canonical";
import type { GrantedText, StatedBudget } from "../records/entry.ts";
import { requireAmount, requireName } from "../request-limits.ts";
import { type AccountBudget, capOf } from "./budget.ts";

/** A budget as the chain holds it. Errors: parameter.invalid for one that its measure cannot mean. */
export function statedBudget(budget: AccountBudget): StatedBudget {
  const analysts = Object.entries(budget.analysts)
    .map(([name, cap]) => subCap(name, cap))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return { cap: lossToJson(capOf(budget)), analysts, closed: budget.closed ?? false };
}

/** Returns the budget that a ledger was made with, as its policy stated it then. */
export function statedAtFirst({ cap, analysts }: GrantedText): StatedBudget {
  return { cap, analysts, closed: false };
}

/** Whether two budgets are the same, number by number: 0.5 and 1/2 are. */
export function sameBudget(one: StatedBudget, other: StatedBudget): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function subCap(name: string, cap: Rational): { name: string; cap: string } {
  return {
    name: requireName(name, "an analyst's name"),
    cap: toText(requireAmount(cap, `${name}'s sub-cap`)),
  };
}
