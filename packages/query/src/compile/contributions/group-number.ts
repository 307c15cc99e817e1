import type { KeyValue } from "@lethe/core";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import type { Plan } from "../../plan/plan.ts";
import { decodeKey, isIntegerKey } from "../../plan/release-program.ts";
import { declaredOnly, keyLiteral } from "./declared-only.ts";
import { groupOrder, manyGroups } from "./group-order.ts";
import { type QuestionRows, rowsFrom } from "./question-rows.ts";
import { sameKey } from "./same-key.ts";

/** The text that gives each row of a question the number of its group, and the conditions that rows must meet besides. */
export interface GroupNumber {
  readonly number: string;
  /** The joins behind the relation. */
  readonly joins: string;
  readonly conditions: readonly string[];
}

/**
 * Returns the number of each row's group. Where there are few public groups, it is the group's place in the list of them.
 * Otherwise it is made of the keys' values, and another group may have the same number. Rows of groups that are not declared are
 * dropped.
 */
export function groupNumber(plan: Plan, rows: QuestionRows, dialect: Dialect): GroupNumber {
  const { program, expressions } = plan.keys;
  if (program.kind === "public" && groupOrder(plan).distinct) {
    const declared = program.declared.map((values) => decodeKey(values, expressions));
    return numberInRange(declared, rows, dialect) ?? numberInList(declared, expressions, rows, dialect);
  }
  return numberOfValues(plan, rows, dialect);
}

/** Numbers the groups of one key of consecutive integers, with NULL behind them if it is declared. Null for other keys. */
function numberInRange(
  declared: readonly (readonly KeyValue[])[],
  rows: QuestionRows,
  dialect: Dialect,
): GroupNumber | null {
  const [key, ...others] = rows.keys;
  const isNullable = declared.at(-1)?.[0] === null;
  const present = (isNullable ? declared.slice(0, -1) : declared).map(([value]) => value);
  const [first] = present;
  if (key === undefined || others.length > 0 || typeof first !== "bigint") return null;
  if (!present.every((value, at) => value === first + BigInt(at))) return null;
  const isIn = `${key} BETWEEN ${first} AND ${first + BigInt(present.length - 1)}`;
  const number = first === 0n ? key : `(${key} - (${first}))`;
  if (!isNullable) return { number, joins: "", conditions: [dialect.likely(isIn)] };
  return {
    number: `CASE WHEN ${key} IS NULL THEN ${present.length} ELSE ${number} END`,
    joins: "",
    conditions: [dialect.likely(`(${key} IS NULL OR ${isIn})`)],
  };
}

function numberInList(
  declared: readonly (readonly KeyValue[])[],
  expressions: readonly Expression[],
  rows: QuestionRows,
  dialect: Dialect,
): GroupNumber {
  const literal = (value: KeyValue, at: number): string =>
    value === null ? `CAST(NULL AS ${keyType(expressions[at]!, dialect)})` : keyLiteral(value, dialect);
  const list = declared.map((values, number) => `(${[...values.map(literal), `${number}`].join(", ")})`);
  const names = rows.keys.map((_, at) => `k${at}`);
  const same = rows.keys.flatMap((key, at) => sameKey(key, `declared.k${at}`, expressions[at]!, dialect));
  return {
    number: "declared.x",
    joins: ` JOIN (VALUES ${list.join(", ")}) AS declared(${[...names, "x"].join(", ")}) ON ${same.join(" AND ")}`,
    conditions: [],
  };
}

function keyType(expression: Expression, { types }: Dialect): string {
  const { type } = expression.domain;
  if (isIntegerKey(expression)) return types.integer;
  return type === "text" ? types.text : type === "boolean" ? types.boolean : types.double;
}

/** Numbers groups by the values of their keys. Numbers of texts and doubles are hashes, each computed once a group. */
function numberOfValues(plan: Plan, rows: QuestionRows, dialect: Dialect): GroupNumber {
  const { expressions } = plan.keys;
  const conditions = declaredOnly(plan, rows, dialect);
  const numberOf = (keys: readonly string[]): string =>
    keys
      .map((key, at) => keyNumber(key, expressions[at]!, dialect))
      .reduce((number, next) => `((${number} * 1000003 + ${next}) % ${manyGroups})`);
  if (expressions.every((key) => isIntegerKey(key) || key.domain.type === "boolean"))
    return { number: numberOf(rows.keys), joins: "", conditions };
  const names = rows.keys.map((_, at) => `k${at}`);
  const own = rows.keys.map((key, at) => `${key} AS k${at}`).join(", ");
  const groups = `SELECT ${own} ${rowsFrom(rows, "", conditions)} GROUP BY ${names.map((_, at) => at + 1).join(", ")}`;
  const numbered = `SELECT ${names.map((name) => `own.${name}`).join(", ")}, ${numberOf(names.map((name) => `own.${name}`))} AS x FROM (${groups}) AS own`;
  const same = rows.keys.flatMap((key, at) => sameKey(key, `numbered.k${at}`, expressions[at]!, dialect));
  return {
    number: "numbered.x",
    joins: ` JOIN (${numbered}) AS numbered ON ${same.join(" AND ")}`,
    conditions,
  };
}

/** Returns a number from 0 below the modulus that is equal for equal values. */
function keyNumber(key: string, expression: Expression, dialect: Dialect): string {
  const { textNumber, types, doubleBits } = dialect;
  const modulo = (value: string): string => `${value} % ${manyGroups}`;
  const value = isIntegerKey(expression)
    ? modulo(`(${modulo(`CAST(${key} AS ${types.integer})`)} + ${manyGroups})`)
    : expression.domain.type === "boolean"
      ? `CASE WHEN ${key} THEN 1 ELSE 0 END`
      : modulo(textNumber(expression.domain.type === "number" ? doubleBits(key) : key));
  return `CASE WHEN ${key} IS NULL THEN ${manyGroups - 1} ELSE CAST(${value} AS ${types.integer}) END`;
}
