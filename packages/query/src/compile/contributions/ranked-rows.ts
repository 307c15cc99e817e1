import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { beside, named, rowsOf } from "../../sql/query.ts";
import type { RowSource } from "../relations/row-source.ts";
import { boundsGroups } from "./bounds-groups.ts";
import { groupNumber } from "./group-number.ts";
import { groupOrder, keyedNumber, placeInOrder } from "./group-order.ts";
import { placedRows } from "./placed-rows.ts";
import { type QuestionRows, questionRows, selectRows } from "./question-rows.ts";

/** Names that are longer than any that a policy accepts, and differ in their first letters, which are what PostgreSQL keeps. */
const placeName = "where the group of this row comes in the order that its unit's groups have";
const rankName = "first, second or a later one of the groups that the unit of this row has in order";

/**
 * The rows that a question is about; where its units' groups are bounded and the engine finds the first of them in one order of
 * all rows, without those of other groups.
 */
export function rankedRows(plan: Plan, source: RowSource, dialect: Dialect): QuestionRows {
  const { firstGroups } = dialect;
  if (!boundsGroups(plan)) return questionRows(plan, source, dialect);
  if (firstGroups.by === "bits") return placedRows(plan, questionRows(plan, source, dialect, true), dialect);
  const order = groupOrder(plan);
  const rows = questionRows(plan, source, dialect, !order.distinct);
  const { name, unit, keys } = rows;
  const group = groupNumber(plan, rows, dialect);
  const number = keyedNumber(dialect.textNumber(rows.unitName(unit)), dialect);
  const { write } = dialect;
  const joins = [...group.joins, beside(number, "named")];
  const place = placeInOrder(order, "named.v", group.number, dialect);
  // Groups in one place come in the order of their keys; those of one rank are one group.
  const rank = write.over(write.call("dense_rank"), { partitionBy: [unit], orderBy: [place, ...keys] });
  const [placeAs, rankAs] = [dialect.identifier(placeName), dialect.identifier(rankName)];
  const made = rowsOf(selectRows([`${name}.*`], rows, { once: true }), name);
  const ranked = selectRows(
    [`${name}.*`, named(place, placeAs), named(rank, rankAs)],
    { ...rows, relation: made, conditions: [] },
    { joins, where: group.conditions },
  );
  return {
    ...rows,
    relation: rowsOf(ranked, name),
    conditions: [write.compare(`${name}.${rankAs}`, "<=", write.integer(plan.contribution.groups))],
    placed: [`${name}.${placeAs}`],
  };
}
