import type { Plan, PlannedUnit } from "@lethe/query";
import { made, ownerOfRows, tables } from "../derive/rows-of-units.ts";
import { failed, passed, type Verdict } from "./check.ts";

/** Every row that is counted belongs to one unit, and no unit's rows depend on another's. */
export function rowsHaveOneUnit(plan: Plan): Verdict {
  const rows = plan.from;
  const sources = [...tables(rows), ...made(rows)].map(({ source }) => source);
  if (new Set(sources).size !== sources.length) return failed("two tables of the question have one name");
  const owner = ownerOfRows(rows);
  if (owner.kind === "nobody") return failed("the rows of the question are nobody's");
  const isOnlyRow = owner.kind === "row" || owner.once;
  if (isOnlyRow !== (plan.unit.kind === "row"))
    return failed("whether each row is a unit of its own is not as the plan says");
  if (owner.kind === "named" && !owner.once && !names(plan.unit, owner.by))
    return failed("the unit of the rows is not the plan's");
  return passed("every row is one unit's, and no unit's rows depend on another unit");
}

function names(unit: PlannedUnit, by: string): boolean {
  const [table, column] = JSON.parse(by) as [string, string];
  const written = (name: string): readonly string[] => [name, `"${name.replaceAll('"', '""')}"`];
  if (unit.kind !== "column") return false;
  if (unit.column === column) return true;
  return written(table).some((t) => written(column).some((c) => unit.column === `${t}.${c}`));
}
