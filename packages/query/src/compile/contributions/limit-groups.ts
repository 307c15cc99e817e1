import type { Dialect } from "../../dialects/dialect.ts";
import type { PhysicalPlan } from "../physical/physical-plan.ts";
import { limitByBits } from "./limit-by-bits.ts";
import { limitByPairs } from "./limit-by-pairs.ts";
import { limitByRank } from "./limit-by-rank.ts";
import type { LimitedGroups } from "./limited-groups.ts";
import { questionRows } from "./question-rows.ts";

/** Limits the groups of each unit in the way that the physical plan chose. */
export function limitGroups(physical: PhysicalPlan, dialect: Dialect): LimitedGroups {
  const rows = questionRows(physical, dialect);
  const { plan, groups } = physical;
  switch (groups.by) {
    case "nothing":
      return { rows, sortedBy: [], kept: null, pairs: null };
    case "rank":
      return limitByRank(physical, rows, groups, dialect);
    case "bits":
      return limitByBits(plan, rows, groups, dialect);
    case "pairs":
      return limitByPairs(plan, rows, groups, dialect);
  }
}
