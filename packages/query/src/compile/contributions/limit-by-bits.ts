import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { type Join, join, named, places, rowsOf, select, table } from "../../sql/query.ts";
import { keyedNumber, placeInOrder } from "../physical/group-order.ts";
import type { GroupLimit } from "../physical/physical-plan.ts";
import { groupNumber } from "./group-number.ts";
import { hasRows, keptGroups } from "./kept-groups.ts";
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
  const short = stored === null ? [named("named.id", "unit")] : [];
  const place = dialect.narrow(
    placeInOrder(order, keyedNumber(number, dialect), group.number, dialect),
    0,
    order.modulus - 1,
  );
  const placed = selectRows(["question.*", ...short, named(place, "place")], rows, {
    joins,
    where: group.conditions,
  });
  const placedRows: QuestionRows = {
    ...rows,
    before: [...rows.before, { name: "placed", query: placed }],
    relation: table("placed", "question"),
    unit: stored === null ? "question.unit" : rows.unit,
    conditions: [],
  };
  const most = plan.contribution.groups;
  return {
    rows: placedRows,
    sortedBy: [],
    kept: keptGroups(placedRows, "question.place", most, groups, dialect),
    pairs: null,
  };
}

/**
 * Adds the numbers of the units' names, each computed once a unit, and an id that no other unit of the question has. Ids say who is
 * whom and nothing else: they take less to group and join by than names, and which unit has which does not show.
 */
function namedUnits(rows: QuestionRows, conditions: readonly string[], dialect: Dialect): Join {
  const { write } = dialect;
  const all = selectRows([named(rows.unit, "u")], rows, { where: conditions, groupBy: places(1) });
  const units = { ...all, havingAny: hasRows(dialect) };
  const number = named(dialect.textNumber(rows.unitName("own.u")), "n");
  const id = named(write.over(write.call("row_number"), { partitionBy: [], orderBy: [] }), "id");
  const numbered = rowsOf(select(["own.u", number, id], rowsOf(units, "own")), "named");
  return join(numbered, [write.compare(rows.unit, "=", "named.u")]);
}
