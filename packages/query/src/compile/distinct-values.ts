import type { Dialect } from "../dialects/dialect.ts";
import type { Plan, SumColumn } from "../plan/plan.ts";
import type { QuestionRows } from "./question-rows.ts";
import { hashedKey, unitHash } from "./unit-hash.ts";
import { declaredOnly, mayExceed } from "./units-own-rows.ts";

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
  const { groups } = plan.contribution;
  const bounded = mayExceed(plan, groups);
  const keys = rows.keys.map((_, at) => `k${at}`);
  const owned = (names: readonly string[]): string => names.map((column) => `owned.${column}`).join(", ");
  const hashed = keys.map((key, at) => hashedKey(`owned.${key}`, plan.keys.expressions[at]!));

  // A group is a unit's by any of its rows, also by one without a value.
  const read = [
    `${rows.unit} AS u`,
    ...rows.keys.map((key, at) => `${key} AS k${at}`),
    `${rows.valued(argument)} AS v`,
  ];
  const declared = bounded ? declaredOnly(plan, rows, dialect) : "";
  let from = `SELECT ${read.join(", ")} FROM ${rows.from}${declared} GROUP BY ${read.map((_, at) => at + 1).join(", ")}`;
  if (bounded) {
    // Groups of one hash, which only a collision of md5 could make, still count each.
    const order = [unitHash("owned.u", hashed, dialect), ...keys.map((key) => `owned.${key}`)].join(", ");
    const place = `dense_rank() OVER (PARTITION BY owned.u ORDER BY ${order})`;
    from = `SELECT ${owned(["u", ...keys, "v"])}, ${place} AS place FROM (${from}) AS owned`;
    from = `SELECT ${owned(["u", ...keys, "v"])} FROM (${from}) AS owned WHERE owned.place <= ${groups} AND owned.v IS NOT NULL`;
  } else {
    from = `SELECT ${owned(["u", ...keys, "v"])} FROM (${from}) AS owned WHERE owned.v IS NOT NULL`;
  }
  const order = unitHash("owned.u", [...hashed, hashedKey("owned.v", argument)], dialect);
  const place = `row_number() OVER (PARTITION BY ${owned(["u", ...keys])} ORDER BY ${order})`;
  const ranked = `SELECT ${owned([...keys, "v"])}, ${place} AS place FROM (${from}) AS owned`;
  return `SELECT ${owned([...keys, "v"])} FROM (${ranked}) AS owned WHERE owned.place <= ${most}`;
}
