import type { Dialect } from "../dialects/dialect.ts";
import { printStatement } from "../dialects/print-statement.ts";
import type { Plan } from "../plan/plan.ts";
import { brandCompiled, type CompiledQuery } from "./compiled-query.ts";
import { limitGroups } from "./contributions/limit-groups.ts";
import { physicalPlan } from "./physical/physical-plan.ts";
import { rowSource } from "./relations/row-source.ts";
import type { StorageOf } from "./stored/storage-of.ts";
import { rowsAddUp } from "./values/rows-add-up.ts";
import { textKeys } from "./values/text-keys.ts";
import { withDistinct } from "./values/with-distinct.ts";

/**
 * The one statement that computes a plan's sums: k0 … (keys), units, s0 … (sums); without GROUP BY always one row. Every
 * expression is total and every sum an integer. The text depends on plan, layout and dialect alone.
 * `storageOf` is asked for the tables of tablesRead(plan).
 * @example compilePlan(plan, () => storage, dialects[engine.dialect]).sql
 */
export function compilePlan(plan: Plan, storageOf: StorageOf, dialect: Dialect): CompiledQuery {
  const physical = physicalPlan(plan, rowSource(plan, storageOf, dialect), dialect);
  const limited = limitGroups(physical, dialect);
  const query =
    physical.addsUp === "rows"
      ? rowsAddUp(plan, limited.rows, dialect)
      : withDistinct(plan, limited, dialect);
  return brandCompiled({
    dialect: dialect.name,
    sql: printStatement(query, dialect),
    keys: plan.keys.parts.length,
    textKeys: textKeys(plan),
    sums: plan.sums.length,
    needsSeed: physical.needsSeed,
  });
}
