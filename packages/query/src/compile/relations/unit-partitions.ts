import { sumKindOf } from "../../aggregates/family-of.ts";
import type { Plan } from "../../plan/plan.ts";
import { type TableRelation, tablesOf } from "../../relations/relation.ts";
import type { Partitions, StorageOf } from "../stored/storage-of.ts";

/** A statement of so many parts is still planned in milliseconds. */
const mostParts = 64;

/**
 * Returns how the tables lie in each part of a plan's units: all rows of a unit in one of them. One part with all units where the tables are not
 * partitioned by the unit, all in the same way, or where what the plan adds up is not a sum over units.
 *
 * A unit's rows do not depend on another's (see Relation), so the parts may be computed apart and added up. A table whose
 * units are found through another is in no part: which of several owners a row has depends on all rows of that table.
 */
export function unitPartitions(
  plan: Pick<Plan, "from" | "unit" | "contribution" | "sums">,
  storageOf: StorageOf,
): readonly StorageOf[] {
  const whole = [storageOf];
  if (plan.unit.kind !== "column" || !addUpOverUnits(plan)) return whole;
  const owned = tablesOf(plan.from).filter(({ unit }) => unit.kind !== "public");
  const found = owned.map((relation) => partitionsByUnit(relation, storageOf));
  const [first] = found;
  if (!first || !found.every((each) => each !== null && areAlike(each, first))) return whole;
  const parted = new Set(owned.map(({ table }) => table));
  return first.relations.map((_, place) => (table) => {
    const storage = storageOf(table);
    const relation = parted.has(table) ? storage.partitions?.relations[place] : undefined;
    return relation === undefined ? storage : { ...storage, relation };
  });
}

/** Values that units bring together are told apart over all units. Where rows are bounded before the filter, one flat aggregate does so. */
function addUpOverUnits({ contribution, sums }: Pick<Plan, "contribution" | "sums">): boolean {
  return (
    contribution.limit === "groups-after-filter" || sums.every((sum) => sumKindOf(sum).overUnit !== null)
  );
}

/** Returns the partitions of a table where they lie apart by its units. */
function partitionsByUnit({ table, unit }: TableRelation, storageOf: StorageOf): Partitions | null {
  const { layout, partitions } = storageOf(table);
  if (layout !== "raw" || partitions === undefined) return null;
  const isByUnit = unit.kind === "column" && unit.path.length === 0 && unit.column === partitions.column;
  const { length } = partitions.relations;
  return isByUnit && length >= 2 && length <= mostParts ? partitions : null;
}

function areAlike(a: Partitions, b: Partitions): boolean {
  return a.placement === b.placement && a.relations.length === b.relations.length;
}
