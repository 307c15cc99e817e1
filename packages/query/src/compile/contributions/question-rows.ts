import { sumKindOf } from "../../aggregates/family-of.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import { keyExpressions } from "../../plan/groupings.ts";
import type { Grid, Plan } from "../../plan/plan.ts";
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
import type { PhysicalPlan } from "../physical/physical-plan.ts";
import { griddedIn, storedKey, toldApartIn } from "../physical/stored-values.ts";
import { conditionsOfRows } from "../relations/conditions-of-rows.ts";
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

/** Returns the rows of a plan's question, those of all groups of their units. */
export function questionRows(physical: PhysicalPlan, dialect: Dialect): QuestionRows {
  return physical.values === "stored" ? asStored(physical, dialect) : computed(physical, dialect);
}

function asStored({ plan, source }: PhysicalPlan, dialect: Dialect): QuestionRows {
  const read = (expression: Expression | null): string => {
    if (expression?.kind !== "column") throw new TypeError("a stored value is a column");
    return source.stored(expression);
  };
  return {
    before: [],
    relation: source.from,
    conditions: conditionsOfRows(plan, source, dialect),
    name: "source",
    keys: keyExpressions(plan).map(read),
    unit: source.unit,
    unitName: source.unitName,
    unitNumber: source.unitNumber,
    named: source.named,
    units: countUnits(plan, source.unit, dialect),
    counted: (argument) => (argument === null ? null : read(argument)),
    valued: read,
    gridded: read,
  };
}

/** Computes values in an inner SELECT, and their grid integers in a second around it: each is computed once a row. */
function computed({ plan, source, values: read }: PhysicalPlan, dialect: Dialect): QuestionRows {
  const values = new TextColumns("value", "v");
  const question = new TextColumns("question", "q");
  const compile = (expression: Expression): string => compileExpression(expression, source, dialect);
  const carry = (text: string): string => question.add(values.add(text));
  const key = (part: Expression): string => {
    const stored = storedKey(part, source);
    return carry(stored === null ? computedKey(part, compile(part), dialect) : source.stored(stored));
  };

  const keys = keyExpressions(plan).map(key);
  const unit = plan.unit.kind === "column" ? carry(source.unit) : source.unit;
  const unitNumber = source.unitNumber === null ? null : carry(source.unitNumber);
  const needsName = plan.sums.some((sum) => sumKindOf(sum).kept(sum) !== null);
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
    for (const argument of toldApartIn(sum)) valued.set(name(argument), key(argument));
    for (const { argument, grid } of griddedIn(sum)) {
      const stored = storedOnGrid(source, argument, grid);
      const integer =
        stored !== null
          ? values.add(source.stored(stored))
          : onGrid(argument.domain, values.add(compile(argument)), grid, dialect);
      gridded.set(name([argument, grid]), question.add(integer));
    }
  }
  const where = conditionsOfRows(plan, source, dialect);
  const made = select(
    question.list(),
    rowsOf(select(values.list(), source.from, { where, once: true }), "value"),
  );
  const isKept = read === "kept";
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
    units: countUnits(plan, unit, dialect),
    counted: (argument) => (argument === null ? null : textOf(counted, argument)),
    valued: (argument) => textOf(valued, argument),
    gridded: (argument, grid) => textOf(gridded, [argument, grid]),
  };
}

function countUnits({ unit }: Plan, name: string, { write }: Dialect): QuestionRows["units"] {
  return (counted) => {
    if (unit.kind === "row") return write.count(counted ?? undefined);
    return write.countDistinct(counted === null ? name : write.caseOf([[write.isPresent(counted), name]]));
  };
}

const name = (part: unknown): string => JSON.stringify(part);

/** Returns the text of a value that the question's rows have. */
function textOf(texts: ReadonlyMap<string, string>, part: unknown): string {
  const text = texts.get(name(part));
  if (text === undefined) throw new TypeError("the rows were made without a value that is read");
  return text;
}

/** Returns a computed key. Integer keys leave as integers; among other numbers −0 and 0 are one key. */
function computedKey(key: Expression, text: string, dialect: Dialect): string {
  if (isIntegerKey(key)) return dialect.toInteger(text);
  return key.domain.type === "number" ? oneZero(text, dialect) : text;
}
