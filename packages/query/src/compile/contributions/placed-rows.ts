import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { groupNumber } from "./group-number.ts";
import { groupOrder, keyedNumber, placeInOrder } from "./group-order.ts";
import { type QuestionRows, rowsFrom } from "./question-rows.ts";

/**
 * The place of each row's group in its unit's order is computed once, and kept with what is asked of the row: it takes
 * longer than to read the row, and is needed to find the groups that a unit keeps and again to find their rows.
 */
export function placedRows(plan: Plan, rows: QuestionRows, dialect: Dialect): QuestionRows {
  const order = groupOrder(plan);
  const group = groupNumber(plan, rows, dialect);
  const stored = rows.unitNumber;
  const number = stored ?? "named.n";
  const joins =
    stored === null ? `${group.joins}${namedUnits(rows, group.conditions, dialect)}` : group.joins;
  const place = dialect.narrow(
    placeInOrder(order, keyedNumber(number, dialect), group.number),
    0,
    order.modulus - 1,
  );
  const placed = `SELECT question.*, ${place} AS place ${rowsFrom(rows, joins, group.conditions)}`;
  const kept = `placed AS MATERIALIZED (${placed}) `;
  return {
    ...rows,
    before: rows.before === "" ? `WITH ${kept}` : `${rows.before.trimEnd()}, ${kept}`,
    relation: "placed AS question",
    conditions: [],
    place: "question.place",
  };
}

/** Behind a relation: the numbers of its units' names, each computed once a unit. */
function namedUnits(rows: QuestionRows, conditions: readonly string[], dialect: Dialect): string {
  const units = `SELECT ${rows.unit} AS u ${rowsFrom(rows, "", conditions)} GROUP BY 1`;
  const named = `SELECT own.u, ${dialect.textNumber(rows.unitName("own.u"))} AS n FROM (${units}) AS own`;
  return ` JOIN (${named}) AS named ON ${rows.unit} = named.u`;
}
