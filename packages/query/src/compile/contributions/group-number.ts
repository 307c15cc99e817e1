import type { KeyValue } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import { keyExpressions } from "../../plan/groupings.ts";
import type { Plan } from "../../plan/plan.ts";
import { decodeKey, isIntegerKey } from "../../plan/release-program.ts";
import { columnsOf, type Join, join, list, named, places, rowsOf, select } from "../../sql/query.ts";
import type { SqlType } from "../../sql/value-writer.ts";
import { type GroupOrder, manyGroups } from "../physical/group-order.ts";
import { declaredOnly, keyLiteral, orMissing } from "./declared-only.ts";
import { holdsDeclared } from "./holds-declared.ts";
import { type QuestionRows, selectRows } from "./question-rows.ts";
import { sameKey } from "./same-key.ts";

/** The text that gives each row of a question the number of its group, and the conditions that rows must meet besides. */
export interface GroupNumber {
  readonly number: string;
  /** The joins behind the relation. */
  readonly joins: readonly Join[];
  readonly conditions: readonly string[];
}

/**
 * Returns the number of each row's group. Where there are few public groups, it is the group's place in the list of them.
 * Otherwise it is made of the keys' values, and another group may have the same number. Rows of groups that are not declared are
 * dropped.
 */
export function groupNumber(
  plan: Plan,
  rows: QuestionRows,
  order: GroupOrder,
  dialect: Dialect,
): GroupNumber {
  const { program, parts } = plan.keys;
  if (program.kind === "public" && order.distinct) {
    const declared = program.declared.map((values) => decodeKey(values, parts));
    return (
      numberInRange(plan, declared, rows, dialect) ??
      numberInList(declared, keyExpressions(plan), rows, dialect)
    );
  }
  return numberOfValues(plan, rows, dialect);
}

/** Numbers the groups of one key of consecutive integers, with NULL behind them if it is declared. Null for other keys. */
function numberInRange(
  plan: Plan,
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
  const { write, likely } = dialect;
  const isIn = write.between(key, `${first}`, `${first + BigInt(present.length - 1)}`);
  const values = declared.map(([value = null]) => value);
  const holds = holdsDeclared(plan, elementAt(keyExpressions(plan), 0), values);
  const number = first === 0n ? key : write.enclosed(write.minus(key, write.enclosed(`${first}`)));
  if (!isNullable) return { number, joins: [], conditions: holds ? [] : [likely(isIn)] };
  return {
    number: write.caseOf([[write.isMissing(key), `${present.length}`]], number),
    joins: [],
    conditions: holds ? [] : [likely(orMissing(key, isIn, write))],
  };
}

function numberInList(
  declared: readonly (readonly KeyValue[])[],
  expressions: readonly Expression[],
  rows: QuestionRows,
  dialect: Dialect,
): GroupNumber {
  const literal = (value: KeyValue, at: number): string =>
    value === null
      ? dialect.write.missingOf(keyType(elementAt(expressions, at)))
      : keyLiteral(value, dialect);
  const rowsOfKeys = declared.map((values, number) => [...values.map(literal), `${number}`]);
  const names = rows.keys.map((_, at) => `k${at}`);
  const same = rows.keys.flatMap((key, at) =>
    sameKey(key, `declared.k${at}`, elementAt(expressions, at), dialect),
  );
  return {
    number: "declared.x",
    joins: [join(list(rowsOfKeys, "declared", [...names, "x"]), same)],
    conditions: [],
  };
}

function keyType(expression: Expression): SqlType {
  const { type } = expression.domain;
  if (isIntegerKey(expression)) return "integer";
  return type === "text" || type === "boolean" ? type : "double";
}

/**
 * Numbers groups by the values of their keys. Numbers of texts and doubles are hashes, each computed once a group; but once a row where the rows would
 * be made anew to find their groups.
 */
function numberOfValues(plan: Plan, rows: QuestionRows, dialect: Dialect): GroupNumber {
  const expressions = keyExpressions(plan);
  const conditions = declaredOnly(plan, rows, dialect);
  const { write } = dialect;
  const numberOf = (keys: readonly string[]): string =>
    keys
      .map((key, at) => keyNumber(key, elementAt(expressions, at), dialect))
      .reduce((number, next) => {
        const both = write.plus(write.times(number, spread), next);
        return write.enclosed(write.remainder(write.enclosed(both), `${manyGroups}`));
      });
  const isCheap = expressions.every((key) => isIntegerKey(key) || key.domain.type === "boolean");
  if (isCheap || dialect.copiesTables) return { number: numberOf(rows.keys), joins: [], conditions };
  const names = rows.keys.map((_, at) => `k${at}`);
  const own = rows.keys.map((key, at) => named(key, `k${at}`));
  const groups = selectRows(own, rows, { where: conditions, groupBy: places(own.length) });
  const owned = columnsOf("own", names);
  const numbered = select([...owned, named(numberOf(owned), "x")], rowsOf(groups, "own"));
  const same = rows.keys.flatMap((key, at) =>
    sameKey(key, `numbered.k${at}`, elementAt(expressions, at), dialect),
  );
  return {
    number: "numbered.x",
    joins: [join(rowsOf(numbered, "numbered"), same)],
    conditions,
  };
}

/** The factor by which the numbers of several keys are made one. */
const spread = "1000003";

/** Returns a number from 0 below the modulus that is equal for equal values. */
function keyNumber(key: string, expression: Expression, dialect: Dialect): string {
  const { textNumber, write, doubleBits } = dialect;
  const modulo = (value: string): string => write.remainder(value, `${manyGroups}`);
  const positive = (value: string): string =>
    modulo(write.enclosed(write.plus(modulo(value), `${manyGroups}`)));
  const value = isIntegerKey(expression)
    ? positive(write.cast(key, "integer"))
    : expression.domain.type === "boolean"
      ? write.caseOf([[key, "1"]], "0")
      : modulo(textNumber(expression.domain.type === "number" ? doubleBits(key) : key));
  return write.caseOf([[write.isMissing(key), `${manyGroups - 1}`]], write.cast(value, "integer"));
}
