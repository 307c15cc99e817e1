import type { Dialect } from "../../dialects/dialect.ts";
import { beside, named, rowsOf } from "../../sql/query.ts";
import { keyedNumber, placeInOrder } from "../physical/group-order.ts";
import type { GroupLimit, PhysicalPlan } from "../physical/physical-plan.ts";
import { groupNumber } from "./group-number.ts";
import type { LimitedGroups } from "./limited-groups.ts";
import { type QuestionRows, selectRows } from "./question-rows.ts";

/** Names that are longer than any that a policy accepts, and differ in their first letters, which are what PostgreSQL keeps. */
const placeName = "where the group of this row comes in the order that its unit's groups have";
const numberName = "number of the name of the unit that this row is of, under the seed";
const rankName = "first, second or a later one of the groups that the unit of this row has in order";

/**
 * Limits groups by one order of all rows: the rows of groups that their unit does not keep are gone, and the others are sorted by
 * unit and group. The number of a unit's name is made once a unit where the engine can; that needs a LATERAL subquery, with which
 * PostgreSQL starts no parallel workers, so parts of the units that lie apart make it once a row.
 */
export function limitByRank(
  { plan, isPart }: PhysicalPlan,
  rows: QuestionRows,
  { order }: Extract<GroupLimit, { readonly by: "rank" }>,
  dialect: Dialect,
): LimitedGroups {
  const { name, unit, keys } = rows;
  const group = groupNumber(plan, rows, order, dialect);
  const number = keyedNumber(rows.unitNumber ?? dialect.textNumber(rows.unitName(unit)), dialect);
  const { write } = dialect;
  const numberAs = dialect.identifier(numberName);
  const joins = isPart ? group.joins : [...group.joins, beside(number, "named")];
  const place = placeInOrder(order, isPart ? `${name}.${numberAs}` : "named.v", group.number, dialect);
  // Groups in one place come in the order of their keys; those of one rank are one group.
  const rank = write.over(write.call("dense_rank"), { partitionBy: [unit], orderBy: [place, ...keys] });
  const [placeAs, rankAs] = [dialect.identifier(placeName), dialect.identifier(rankName)];
  const ofRow = isPart ? [named(number, numberAs)] : [];
  const made = rowsOf(selectRows([`${name}.*`, ...ofRow], rows, { once: true }), name);
  const ranked = selectRows(
    [`${name}.*`, named(place, placeAs), named(rank, rankAs)],
    { ...rows, relation: made, conditions: [] },
    { joins, where: group.conditions },
  );
  const isKept = write.compare(`${name}.${rankAs}`, "<=", write.integer(plan.contribution.groups));
  return {
    rows: { ...rows, relation: rowsOf(ranked, name), conditions: [isKept] },
    sortedBy: [`${name}.${placeAs}`],
    kept: null,
    pairs: null,
  };
}
