import type { KeyValue } from "@lethe/core";
import type { Dialect } from "../dialects/dialect.ts";
import type { Plan } from "../plan/plan.ts";
import { decodeKey } from "../plan/release-program.ts";
import type { QuestionRows } from "./question-rows.ts";
import { groupBy, resultColumns } from "./result-columns.ts";
import { sumText, type UnitSum } from "./sum-text.ts";
import { hashedKey, unitHash } from "./unit-hash.ts";

/**
 * Where a unit owns many rows: aggregate each unit's rows a group, keep at most k groups a unit (those of least keyed
 * hash, which depends on the unit's own rows and the seed alone), clamp what is left of each unit, sum over units.
 */
export function unitsOwnRows(
  plan: Plan,
  sums: readonly UnitSum[],
  rows: QuestionRows,
  dialect: Dialect,
): { readonly sql: string; readonly needsSeed: boolean } {
  const { groups, rows: rowsPerGroup } = plan.contribution;
  const needsSeed = mayExceed(plan, groups);
  const keys = rows.keys.map((_, at) => `k${at}`);
  const text = sumText(rows, rowsPerGroup, dialect);
  const pieces: string[] = [];
  const piece = (aggregate: string): string => {
    let at = pieces.indexOf(aggregate);
    if (at < 0) at = pieces.push(aggregate) - 1;
    return `unit.p${at}`;
  };
  const values = sums.map((sum) => `coalesce(sum(${text.overUnit(sum, piece)}), 0)`);

  const declared = needsSeed ? declaredOnly(plan, rows, dialect) : "";
  const owned = [
    `${rows.unit} AS u`,
    ...rows.keys.map((key, at) => `${key} AS k${at}`),
    ...pieces.map((p, at) => `${p} AS p${at}`),
  ];
  const places = [1, ...keys.map((_, at) => at + 2)];
  const perUnit = `SELECT ${owned.join(", ")} FROM ${rows.from}${declared} GROUP BY ${places.join(", ")}`;
  const from = needsSeed
    ? `(${keepGroups(
        plan,
        perUnit,
        keys,
        pieces.map((_, at) => `p${at}`),
        groups,
        dialect,
      )}) AS unit`
    : `(${perUnit}) AS unit`;
  const columns = resultColumns(plan, dialect, {
    keys: keys.map((key) => `unit.${key}`),
    units: "count(*)",
    sums: values,
  });
  return { sql: `SELECT ${columns} FROM ${from}${groupBy(plan)}`, needsSeed };
}

/** Whether a unit can be in more groups than it may contribute to. */
export function mayExceed({ keys }: Plan, groups: number): boolean {
  if (keys.program.kind === "none") return false;
  return keys.program.kind === "private" || keys.program.declared.length > groups;
}

/** Exactly the k groups of least hash, which only a collision of md5 could make equal. */
export function keepGroups(
  plan: Plan,
  perUnit: string,
  keys: readonly string[],
  pieces: readonly string[],
  groups: number,
  dialect: Dialect,
): string {
  const order = unitHash(
    "owned.u",
    keys.map((key, at) => hashedKey(`owned.${key}`, plan.keys.expressions[at]!)),
    dialect,
  );
  return dialect.leastOfUnit({
    relation: `(${perUnit}) AS owned`,
    columns: [...keys, ...pieces],
    order,
    most: groups,
  });
}

/** Drops rows of undeclared keys before groups are counted against k. Declared keys are every combination of each key's. */
export function declaredOnly({ keys }: Plan, rows: QuestionRows, dialect: Dialect): string {
  const { program, expressions } = keys;
  if (program.kind !== "public") return "";
  const declared = program.declared.map((values) => decodeKey(values, expressions));
  const conditions = rows.keys.map((key, at) => {
    const values = [...new Set(declared.map((values) => values[at] ?? null))];
    const present = values.filter((value): value is NonNullable<KeyValue> => value !== null);
    const isIn =
      present.length === 0
        ? "FALSE"
        : `${key} IN (${present.map((value) => keyLiteral(value, dialect)).join(", ")})`;
    return values.includes(null) ? `(${key} IS NULL OR ${isIn})` : isIn;
  });
  return `${rows.filtered ? " AND " : " WHERE "}${conditions.join(" AND ")}`;
}

function keyLiteral(value: NonNullable<KeyValue>, dialect: Dialect): string {
  if (typeof value === "string") return dialect.text(value);
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return typeof value === "bigint" ? `${value}` : dialect.double(value);
}
