import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { beside, columnsOf, named, type Query, rowsOf, select } from "../../sql/query.ts";
import { keyedNumber, placeInOrder } from "../physical/group-order.ts";
import type { GroupLimit } from "../physical/physical-plan.ts";
import { groupNumber } from "./group-number.ts";
import type { GroupedRows, LimitedGroups } from "./limited-groups.ts";
import type { QuestionRows } from "./question-rows.ts";

/**
 * Limits groups once rows are grouped by unit and group. An engine of several machines groups what each of them reads, hands it to the
 * machine of its unit, and has all of a unit's groups there to put them in order: rows are handed on once, and a place is computed once
 * a group of a unit. Which groups a unit keeps is the same as by {@link limitByRank}: places, and of groups in one place the keys, decide.
 */
export function limitByPairs(
  plan: Plan,
  rows: QuestionRows,
  groups: Extract<GroupLimit, { readonly by: "pairs" }>,
  dialect: Dialect,
): LimitedGroups {
  const { conditions } = groupNumber(plan, rows, groups.order, dialect);
  const declared = { ...rows, conditions: [...rows.conditions, ...conditions] };
  const pairs = (grouped: GroupedRows): Query => firstPairs(plan, rows, groups, grouped, dialect);
  return { rows: declared, sortedBy: [], kept: null, pairs };
}

function firstPairs(
  plan: Plan,
  rows: QuestionRows,
  { order }: Extract<GroupLimit, { readonly by: "pairs" }>,
  { query, unit, columns, isOneEach }: GroupedRows,
  dialect: Dialect,
): Query {
  const { write, textNumber } = dialect;
  const keys = rows.keys.map((_, at) => `owned.k${at}`);
  const owned = rowsOf(query, "owned");
  const pairs = { ...rows, relation: owned, name: "owned", conditions: [], unit: "owned.u", keys };
  const group = groupNumber(plan, pairs, order, dialect);
  const number = unit === rows.unitNumber ? "owned.u" : textNumber(rows.unitName("owned.u"));
  const place = placeInOrder(order, "named.v", group.number, dialect);
  const rank = write.over(write.call(isOneEach ? "row_number" : "dense_rank"), {
    partitionBy: ["owned.u"],
    // No two groups of a unit have one place where groups have different numbers.
    orderBy: order.distinct ? [place] : [place, ...keys],
  });
  const ranked = select([...columnsOf("owned", columns), named(rank, "place")], owned, {
    joins: [...group.joins, beside(keyedNumber(number, dialect), "named")],
  });
  const isKept = write.compare("ranked.place", "<=", write.integer(plan.contribution.groups));
  return select(columnsOf("ranked", columns), rowsOf(ranked, "ranked"), { where: [isKept] });
}
