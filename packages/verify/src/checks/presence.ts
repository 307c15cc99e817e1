import { elementAt } from "@lethe/core/numeric";
import type { Plan, Policy } from "@lethe/query";
import { failed, notMade, passed, type Verdict } from "./check.ts";
import { sensitivitiesHold } from "./noise.ts";

/**
 * Checks the assumption that every unit has rows in the table that is read. Under replace-one it keeps a count of all units from moving, and lets a
 * sum move by the width of its bounds alone. It is certain only where the policy has no other private table: else somebody may be replaced by
 * somebody whose rows lie there. Whatever the plan says, its sensitivities are derived again for units that may have no row, and if they do not hold
 * then, the policy must have one private table.
 */
export function presenceIsCertain(plan: Plan, policy: Policy | null): Verdict {
  const mayBeAbsent: Plan = { ...plan, unit: { ...plan.unit, shared: true } };
  if (sensitivitiesHold(mayBeAbsent).outcome === "passed")
    return passed("no sensitivity rests on every unit's having rows in what is read");
  if (policy === null)
    return notMade(
      "that every unit has rows in the table that is read is the policy's word, and none was given",
    );
  const held = Object.entries(policy.tables).filter(([, { unit }]) => unit.kind !== "public");
  if (held.length > 1)
    return failed(
      "every unit is said to have rows in what is read, and may have all of its rows in another private table",
    );
  const [name, { trusted }] = elementAt(held, 0);
  return trusted
    ? failed(`every unit is said to have rows in ${name}, and the database computes which rows those are`)
    : passed(`every unit has rows in ${name}, the policy's one private table`);
}
