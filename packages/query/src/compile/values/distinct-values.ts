import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan, SumColumn } from "../../plan/plan.ts";
import { rowsOfKeptGroups } from "../contributions/kept-groups.ts";
import type { QuestionRows } from "../contributions/question-rows.ts";
import { hashedKey, unitHash } from "../stored/unit-hash.ts";

/**
 * The values that units bring to a COUNT(DISTINCT …): k0 …, v. Of each unit the k groups that its other aggregates keep too,
 * in each of them the values of least keyed hash, `most` at most; both depend on the unit's own rows and the seed alone.
 * The same value of several units stands there several times.
 */
export function distinctValues(
  plan: Plan,
  { argument, most }: Extract<SumColumn, { readonly kind: "distinct" }>,
  rows: QuestionRows,
  dialect: Dialect,
): string {
  const keys = rows.keys.map((_, at) => `k${at}`);
  const hashed = keys.map((key, at) => hashedKey(`owned.${key}`, plan.keys.expressions[at]!));

  // A group is a unit's by any of its rows, also by one without a value.
  const read = [
    `${rows.named} AS u`,
    ...rows.keys.map((key, at) => `${key} AS k${at}`),
    `${rows.valued(argument)} AS v`,
  ];
  const from = rowsOfKeptGroups(plan, rows, dialect);
  const pairs = `SELECT ${read.join(", ")} ${from} GROUP BY ${read.map((_, at) => at + 1).join(", ")}`;
  // NULL comes behind all values, and stays where a group has nothing else.
  const nullLast = argument.domain.nullable ? "CASE WHEN owned.v IS NULL THEN 1 ELSE 0 END, " : "";
  const order = `${nullLast}${unitHash(rows.unitName("owned.u"), [...hashed, hashedKey("owned.v", argument)], dialect)}`;
  const place = `row_number() OVER (PARTITION BY ${owned(["u", ...keys])} ORDER BY ${order})`;
  const ranked = `SELECT ${owned([...keys, "v"])}, ${place} AS place FROM (${pairs}) AS owned`;
  return `${rows.before}SELECT ${owned([...keys, "v"])} FROM (${ranked}) AS owned WHERE owned.place <= ${most}`;
}

const owned = (names: readonly string[]): string => names.map((column) => `owned.${column}`).join(", ");
