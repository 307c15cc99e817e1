import { sumKindOf } from "../../aggregates/family-of.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { keyExpressions } from "../../plan/groupings.ts";
import type { Plan } from "../../plan/plan.ts";
import type { RowSource } from "../relations/row-source.ts";
import { type GroupOrder, groupOrder } from "./group-order.ts";
import { isStoredSum, storedKey } from "./stored-values.ts";

/**
 * The way in which one statement computes a plan's sums: what is chosen from the plan, the layout of its tables and the abilities of
 * the dialect, before the statement is written. No choice changes which rows count.
 */
export interface PhysicalPlan {
  readonly plan: Plan;
  readonly source: RowSource;
  /**
   * The values that sums and keys read.
   *   stored    they are columns of the source, which is read as it lies
   *   computed  an inner SELECT computes them
   *   kept      the same, and its rows are kept, since making them again would be dear
   */
  readonly values: "stored" | "computed" | "kept";
  readonly groups: GroupLimit;
  /** Whether sums add up rows, or what is left of each unit's rows in each group. */
  readonly addsUp: "rows" | "units";
  /** Whether the source holds some of the units, and others are computed beside it. */
  readonly isPart: boolean;
  /** Whether the statement needs the secret seed of the keyed hash. */
  readonly needsSeed: boolean;
}

/** The way to leave out the groups in which a unit may not count: see PlannedContribution. */
export type GroupLimit =
  /** No unit can be in more groups than it may contribute to, or its rows were limited before. */
  | { readonly by: "nothing" }
  /** All rows are sorted by unit and order of groups, and those of the first ranks stay. */
  | { readonly by: "rank"; readonly order: GroupOrder }
  /** Bits say in which places of its order a unit has groups, and a join leaves those up to the kth. */
  | { readonly by: "bits"; readonly order: GroupOrder; readonly bitCount: (x: string) => string }
  /** Rows are grouped by unit and group, and of each unit the groups of the first ranks stay. */
  | { readonly by: "pairs"; readonly order: GroupOrder };

export function physicalPlan(plan: Plan, source: RowSource, dialect: Dialect, isPart = false): PhysicalPlan {
  const groups = groupLimit(plan, dialect);
  const ofRows = plan.unit.kind === "row" || plan.contribution.limit === "rows-before-filter";
  const choosesValues = !ofRows && plan.sums.some((sum) => sumKindOf(sum).overUnit === null);
  return {
    plan,
    source,
    values: valuesRead(plan, source, groups),
    groups,
    addsUp: ofRows ? "rows" : "units",
    isPart,
    needsSeed: source.needsSeed || groups.by !== "nothing" || choosesValues,
  };
}

/** A plan without keys has one group, also where its contribution speaks of several. */
function groupLimit(plan: Plan, { firstGroups }: Dialect): GroupLimit {
  const { keys, contribution } = plan;
  if (!contribution.choosesGroups || keys.program.kind === "none") return { by: "nothing" };
  return { ...firstGroups, order: groupOrder(plan) };
}

/** Groups that are found by bits, or by a rank that keys share, are found by reading the rows more than once; by pairs, once. */
function valuesRead(plan: Plan, source: RowSource, groups: GroupLimit): PhysicalPlan["values"] {
  const isReadTwice = groups.by === "bits" || (groups.by === "rank" && !groups.order.distinct);
  if (isReadTwice && source.isDear) return "kept";
  const areStored =
    keyExpressions(plan).every((key) => storedKey(key, source) !== null) &&
    plan.sums.every((sum) => isStoredSum(sum, source));
  return areStored && groups.by !== "bits" ? "stored" : "computed";
}
