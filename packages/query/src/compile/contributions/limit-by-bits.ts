import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { type Join, join, named, places, rowsOf, select, table } from "../../sql/query.ts";
import { keyedNumber, placeInOrder } from "../physical/group-order.ts";
import type { GroupLimit } from "../physical/physical-plan.ts";
import { groupNumber } from "./group-number.ts";
import { keptGroups } from "./kept-groups.ts";
import type { LimitedGroups } from "./limited-groups.ts";
import { type QuestionRows, selectRows } from "./question-rows.ts";

/**
 * The place of each row's group in its unit's order is computed once, and kept with what is asked of the row: it takes
 * longer than to read the row, and is needed to find the groups that a unit keeps and again to find their rows.
 */
export function limitByBits(
  plan: Plan,
  rows: QuestionRows,
  groups: Extract<GroupLimit, { readonly by: "bits" }>,
  dialect: Dialect,
): LimitedGroups {
  const { order } = groups;
  const group = groupNumber(plan, rows, order, dialect);
  const stored = rows.unitNumber;
  const number = stored ?? "named.n";
  const joins = stored === null ? [...group.joins, namedUnits(rows, group.conditions, dialect)] : group.joins;
  const place = dialect.narrow(
    placeInOrder(order, keyedNumber(number, dialect), group.number, dialect),
    0,
    order.modulus - 1,
  );
  const placed = selectRows(["question.*", named(place, "place")], rows, { joins, where: group.conditions });
  const placedRows: QuestionRows = {
    ...rows,
    before: [...rows.before, { name: "placed", query: placed }],
    relation: table("placed", "question"),
    conditions: [],
  };
  const most = plan.contribution.groups;
  return {
    rows: placedRows,
    sortedBy: [],
    kept: keptGroups(placedRows, "question.place", most, groups, dialect),
  };
}

/** Adds the numbers of the units' names, each computed once a unit. */
function namedUnits(rows: QuestionRows, conditions: readonly string[], dialect: Dialect): Join {
  const units = selectRows([named(rows.unit, "u")], rows, { where: conditions, groupBy: places(1) });
  const number = named(dialect.textNumber(rows.unitName("own.u")), "n");
  const numbered = rowsOf(select(["own.u", number], rowsOf(units, "own")), "named");
  return join(numbered, [dialect.write.compare(rows.unit, "=", "named.u")]);
}
