import { sumKindOf } from "../../aggregates/family-of.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { ColumnExpression, Expression } from "../../expressions/expression.ts";
import { gridOf } from "../../grid/grid.ts";
import type { Grid, Plan, SumColumn } from "../../plan/plan.ts";
import { isIntegerKey } from "../../plan/release-program.ts";
import {
  type CommonTable,
  type FromItem,
  rowsOf,
  type Select,
  type SelectColumn,
  select,
  table,
} from "../../sql/query.ts";
import type { RowSource } from "../relations/row-source.ts";
import { compileExpression } from "../stored/compile-expression.ts";
import { onGrid } from "../stored/on-grid.ts";
import { oneZero } from "../stored/one-zero.ts";
import { storedOnGrid } from "../stored/stored-reader.ts";
import { TextColumns } from "../stored/text-columns.ts";

/**
 * The rows that a question is about, as SQL: what follows FROM and WHERE, and how keys, unit and arguments read in it. Where
 * every key and argument is a stored column this is the source itself; otherwise their values are computed in one inner SELECT
 * and put on their grids by the names they have there.
 */
export interface QuestionRows {
  /** The tables before a SELECT from the relation. */
  readonly before: readonly CommonTable[];
  /** The relation behind FROM. */
  readonly relation: FromItem;
  /** The conditions that the relation's rows have yet to meet. */
  readonly conditions: readonly string[];
  /** The name that the relation has behind FROM. */
  readonly name: string;
  readonly keys: readonly string[];
  readonly unit: string;
  /** The text from which the unit's name is made; null where no sum asks for names. */
  readonly named: string | null;
  /** Returns the unit's name, made from the text that stands for the unit. */
  readonly unitName: (unit: string) => string;
  /** The number of the unit's name, where it is stored: see the dialect's textNumber. */
  readonly unitNumber: string | null;
  /** The place of a row's group in its unit's order, where the rows are kept with it. */
  readonly place: string | null;
  /**
   * The columns after the unit by which the rows are sorted, where groups that their unit does not keep are gone already; each is
   * the same throughout a group. Null where those groups are still there.
   */
  readonly placed: readonly string[] | null;
  /** Returns the aggregate that counts units: all of them, or those with a row where something is not NULL. */
  readonly units: (counted: string | null) => string;
  /** Returns a text that is NULL exactly where the argument is; null for COUNT(*). */
  readonly counted: (argument: Expression | null) => string | null;
  /** Returns the argument as a key is written: texts are equal exactly where the values are. */
  readonly valued: (argument: Expression) => string;
  /** Returns the argument's grid integer, which is NULL only where its domain allows NULL. */
  readonly gridded: (argument: Expression, grid: Grid) => string;
}

/** Selects columns of a question's rows, those of them that meet further conditions. */
export function selectRows(
  columns: readonly SelectColumn[],
  { relation, conditions }: QuestionRows,
  { where = [], ...clauses }: Partial<Pick<Select, "joins" | "where" | "groupBy" | "once">> = {},
): Select {
  return select(columns, relation, { ...clauses, where: [...conditions, ...where] });
}

/**
 * Returns the rows of a plan's question. With `once` they will be read several times, so rows that are dear to make are kept,
 * with only those columns that are asked for.
 */
export function questionRows(plan: Plan, source: RowSource, dialect: Dialect, once = false): QuestionRows {
  const compile = (expression: Expression): string => compileExpression(expression, source, dialect);
  const keys = plan.keys.expressions.map((key) => (key.kind === "column" ? storedKey(key, source) : null));
  const where = conditions(plan, source, compile);
  const isKept = once && source.isDear;
  const isListed = once && dialect.firstGroups.by === "bits";
  const isLayered =
    isKept || isListed || keys.includes(null) || plan.sums.some((sum) => !isStored(source, sum));
  if (isLayered) return layered(plan, source, keys, where, isKept, dialect);
  return {
    before: [],
    relation: source.from,
    conditions: where,
    name: "source",
    keys: keys as string[],
    unit: source.unit,
    unitName: source.unitName,
    unitNumber: source.unitNumber,
    named: source.named,
    place: null,
    placed: null,
    units: countUnits(plan, source.unit, dialect),
    counted: (argument) => (argument?.kind === "column" ? source.stored(argument) : null),
    valued: (argument) => source.stored(argument as ColumnExpression),
    gridded: (argument) => source.stored(argument as ColumnExpression),
  };
}

/** Computes values in an inner SELECT, and their grid integers in a second around it: each is computed once a row. */
function layered(
  plan: Plan,
  source: RowSource,
  storedKeys: readonly (string | null)[],
  where: readonly string[],
  isKept: boolean,
  dialect: Dialect,
): QuestionRows {
  const values = new TextColumns("value", "v");
  const question = new TextColumns("question", "q");
  const compile = (expression: Expression): string => compileExpression(expression, source, dialect);
  const carry = (text: string): string => question.add(values.add(text));

  const keys = plan.keys.expressions.map((key, at) =>
    carry(storedKeys[at] ?? computedKey(key, compile(key), dialect)),
  );
  const unit = plan.unit.kind === "column" ? carry(source.unit) : source.unit;
  const unitNumber = source.unitNumber === null ? null : carry(source.unitNumber);
  const needsName = plan.sums.some((sum) => toldApartIn(sum).length > 0);
  const named = needsName && plan.unit.kind === "column" ? carry(source.named) : null;
  const counted = new Map<string, string>();
  const valued = new Map<string, string>();
  const gridded = new Map<string, string>();
  for (const sum of plan.sums) {
    const argument = sumKindOf(sum).counted(sum);
    if (argument) {
      const text = argument.kind === "column" ? source.stored(argument) : compile(argument);
      counted.set(name(argument), carry(text));
    }
    for (const argument of toldApartIn(sum)) {
      const stored = argument.kind === "column" ? storedKey(argument, source) : null;
      valued.set(name(argument), carry(stored ?? computedKey(argument, compile(argument), dialect)));
    }
    for (const { argument, grid } of griddedIn(sum)) {
      const stored = storedOnGrid(source, argument, grid);
      const integer =
        stored !== null
          ? values.add(source.stored(stored))
          : onGrid(argument.domain, values.add(compile(argument)), grid, dialect);
      gridded.set(name([argument, grid]), question.add(integer));
    }
  }
  const computed = select(values.list(), source.from, { where, once: true });
  const made = select(question.list(), rowsOf(computed, "value"));
  return {
    before: isKept ? [{ name: "asked", query: made }] : [],
    relation: isKept ? table("asked", "question") : rowsOf(made, "question"),
    conditions: [],
    name: "question",
    keys,
    unit,
    named,
    unitName: source.unitName,
    unitNumber,
    place: null,
    placed: null,
    units: countUnits(plan, unit, dialect),
    counted: (argument) => (argument === null ? null : counted.get(name(argument))!),
    valued: (argument) => valued.get(name(argument))!,
    gridded: (argument, grid) => gridded.get(name([argument, grid]))!,
  };
}

function countUnits({ unit }: Plan, name: string, { write }: Dialect): QuestionRows["units"] {
  return (counted) => {
    if (unit.kind === "row") return write.count(counted ?? undefined);
    return write.countDistinct(counted === null ? name : write.caseOf([[write.isPresent(counted), name]]));
  };
}

const name = (part: unknown): string => JSON.stringify(part);

/** Returns the arguments that a sum reads on a grid. */
function griddedIn(sum: SumColumn): readonly { readonly argument: Expression; readonly grid: Grid }[] {
  return sumKindOf(sum)
    .values(sum)
    .flatMap(({ argument, grid }) => (grid === null ? [] : [{ argument, grid }]));
}

/** Returns the arguments whose values a sum tells apart. */
function toldApartIn(sum: SumColumn): readonly Expression[] {
  return sumKindOf(sum)
    .values(sum)
    .flatMap(({ argument, grid }) => (grid === null ? [argument] : []));
}

/** Whether a sum can read its argument as it is stored. */
function isStored(source: RowSource, sum: SumColumn): boolean {
  const counted = sumKindOf(sum).counted(sum);
  return (
    (counted === null || counted.kind === "column") &&
    toldApartIn(sum).every((told) => told.kind === "column" && storedKey(told, source) !== null) &&
    griddedIn(sum).every(({ argument, grid }) => storedOnGrid(source, argument, grid) !== null)
  );
}

/**
 * Returns a bare column as a key where it is stored as one: texts, booleans and integers are; numbers on a grid are computed.
 * Null otherwise.
 */
function storedKey(key: ColumnExpression, source: RowSource): string | null {
  const column = source.policy(key);
  if (column.type === "text" || column.type === "boolean") return source.stored(key);
  return column.type !== "number" && gridOf(column)?.exponent === 0 && isIntegerKey(key)
    ? source.stored(key)
    : null;
}

/** Returns a computed key. Integer keys leave as integers; among other numbers −0 and 0 are one key. */
function computedKey(key: Expression, text: string, dialect: Dialect): string {
  if (isIntegerKey(key)) return dialect.toInteger(text);
  return key.domain.type === "number" ? oneZero(text, dialect) : text;
}

function conditions(
  plan: Plan,
  source: RowSource,
  compile: (expression: Expression) => string,
): readonly string[] {
  return [...source.conditions, ...(plan.where === null ? [] : [compile(plan.where)])];
}
