import { LetheError } from "@lethe/core";
import type { Dialect } from "../dialects/dialect.ts";
import { printStatement } from "../dialects/print-statement.ts";
import { named, rowsOf, select } from "../sql/query.ts";
import { brandRows, type CompiledRows } from "./compiled-rows.ts";
import { conditionsOfRows } from "./relations/conditions-of-rows.ts";
import { type PlannedRows, rowSource } from "./relations/row-source.ts";
import { checkRowColumns, type RowColumn } from "./rows/row-column.ts";
import { rowValue } from "./rows/row-value.ts";
import type { StorageOf } from "./stored/storage-of.ts";
import { TextColumns } from "./stored/text-columns.ts";

/** The rows to read for training, and what of each. */
export interface RowsRequest {
  /**
   * The plan of a question about the rows, as a SELECT of sums without GROUP BY: its relation, its WHERE, its unit and the limits on the unit's
   * rows are meant. What it groups, sums and measures is not read, and neither is a FILTER.
   */
  readonly plan: PlannedRows;
  /** Over the columns that the plan's relation has. */
  readonly columns: readonly RowColumn[];
}

/**
 * The one statement that reads the rows of a plan for training: see {@link CompiledRows}. Values are cleaned, rounded and clamped as aggregates see
 * them, WHERE is the same, and where rows are limited before the filter the same rows are kept. Every expression is total. The text depends on
 * plan, columns, layout and dialect alone; so do the rows, their values and, but for the names of units, their order: those of a unit come in
 * the order of their values, and those that are units themselves likewise. A sum over rows in doubles is thus the same each time.
 *
 * A unit that may have several rows must have had them limited before the filter. What is trained on clips each unit as one, so
 * that its privacy needs no such limit; but the limits of groups-after-filter cut down the sums of a unit's rows and keep all of the rows,
 * and then one unit could take any part of memory and time (and a public number of rows, such as the weight of a leaf, would have no
 * bound). Errors: query.unsupported for those; parameter.invalid for columns that are none; TypeError where the relation lacks a column.
 * @example compileRows({ plan, columns: [{ kind: "number", expression, grid }] }, () => storage, duckdb).sql
 */
export function compileRows(
  { plan, columns }: RowsRequest,
  storageOf: StorageOf,
  dialect: Dialect,
): CompiledRows {
  checkRowColumns(columns);
  demandFewRows(plan);
  const source = rowSource(plan, storageOf, dialect);
  const values = new TextColumns("value", "v");
  const numbersUnits = plan.unit.kind === "column";
  const unit = numbersUnits ? [values.add(source.unit)] : [];
  const read = columns.map((column, at) => rowValue(column, `list${at}`, source, values, dialect));
  const { write } = dialect;
  const notANumber = write.cast(dialect.text("NaN"), "double");
  // Equal units have equal numbers, in the order in which rows come.
  const number = unit.map((name) =>
    named(
      write.cast(write.over(write.call("dense_rank"), { partitionBy: [], orderBy: [name] }), "double"),
      "u",
    ),
  );
  const inner = select(values.list(), source.from, {
    where: conditionsOfRows(plan, source, dialect),
    once: true,
  });
  const numbered = select(
    [...number, ...read.map(({ text }, at) => named(write.coalesce(text, notANumber), `x${at}`))],
    rowsOf(inner, "value"),
    {
      joins: read.flatMap(({ joins }) => joins),
      orderBy: [...unit, ...read.map((_, at) => unit.length + at + 1)],
    },
  );
  return brandRows({
    dialect: dialect.name,
    sql: printStatement(numbered, dialect),
    columns: columns.length,
    numbersUnits,
    needsSeed: source.needsSeed,
  });
}

function demandFewRows({ unit, contribution }: PlannedRows): void {
  if (unit.kind === "row" || contribution.limit === "rows-before-filter") return;
  throw new LetheError(
    "query.unsupported",
    `rows of ${unit.column} cannot be read for training: nothing limits how many rows of one unit are kept`,
    {
      fix: "write limit: rows-before-filter below the table in the policy, or make one row of each unit with GROUP BY in a subquery",
      fields: { column: unit.column },
    },
  );
}
