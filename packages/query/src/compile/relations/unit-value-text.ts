import type { Dialect } from "../../dialects/dialect.ts";
import { integerText } from "../../dialects/integer-text.ts";
import type { Expression } from "../../expressions/expression.ts";
import { type Grid, gridOf } from "../../grid/grid.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { UnitAggregate } from "../../relations/unit-aggregate.ts";
import { keptText } from "../stored/kept-text.ts";
import { onGrid } from "../stored/on-grid.ts";
import { type StoredReader, storedOnGrid } from "../stored/stored-reader.ts";
import type { TextColumns } from "../stored/text-columns.ts";

/** The rows from which unit values are made: with their expressions computed, and the results converted to what columns hold. */
export interface PreparedRows {
  readonly read: StoredReader & { readonly stored: StoredReader["value"] };
  readonly compile: (expression: Expression) => string;
  readonly computed: TextColumns;
  readonly prepared: TextColumns;
}

/** A value in three steps: aggregates over prepared rows, the value computed from them once, and what its column keeps of that. */
export interface ValueText {
  readonly pieces: readonly string[];
  /** Computes the value from the names of the pieces. */
  readonly value: (...pieces: readonly string[]) => string;
  /** Converts the value, by its name, to what its column keeps. */
  readonly kept: (value: string) => string;
}

const asIs = (value: string): string => value;

/**
 * Writes an exact value of one unit's rows. Sums are of integers of at most 54 bits over at most 2^40 rows, so that every
 * engine's wide integers hold them, whatever order they are added in.
 */
export function valueText(
  value: UnitAggregate,
  column: ColumnPolicy,
  rows: PreparedRows,
  dialect: Dialect,
): ValueText {
  switch (value.kind) {
    case "count": {
      const counted =
        value.argument === null ? "*" : rows.prepared.add(rows.computed.add(rows.compile(value.argument)));
      return { pieces: [`count(${counted})`], value: (n) => clamped(n!, column, dialect), kept: asIs };
    }
    case "count-distinct": {
      const { argument } = value;
      const text = rows.computed.add(rows.compile(argument));
      // −0 and 0 are one value.
      const plain = argument.domain.type === "number" ? `(${text} + ${dialect.double(0)})` : text;
      const pieces = [`count(DISTINCT ${rows.prepared.add(plain)})`];
      return { pieces, value: (n) => clamped(n!, column, dialect), kept: asIs };
    }
    case "min":
    case "max": {
      const kept = keptValue(value.argument, column, rows, dialect);
      return { pieces: [`${value.kind}(${kept})`], value: asIs, kept: asIs };
    }
    case "sum": {
      const i = gridded(value, rows, dialect);
      const { exponent } = value.grid;
      const pieces = [`sum(${i})`];
      if (exponent === 0 && column.type === "integer")
        return { pieces, value: (sum) => clamped(sum!, column, dialect), kept: asIs };
      return {
        pieces,
        value: (sum) => scaled(doubleOf(withinDoubles(sum!, exponent, dialect), dialect), exponent, dialect),
        kept: (sum) => (gridOf(column) === null ? sum : keptText(column, sum, dialect)),
      };
    }
    case "avg": {
      const i = gridded(value, rows, dialect);
      const { lo, exponent } = value.grid;
      const pieces = [`sum(${i} - ${integerText(BigInt(lo))})`, `count(${i})`];
      return {
        pieces,
        value: (above, n) => {
          const mean = `${magnitude(above!, dialect)} / nullif(CAST(${n} AS ${dialect.types.double}), ${dialect.double(0)})`;
          return scaled(`(${dialect.double(Number(lo))} + ${mean})`, exponent, dialect);
        },
        kept: (average) => keptText(column, average, dialect),
      };
    }
  }
}

/** Returns an expression's value as a column keeps it: the stored value itself, where it is stored in that form already. */
export function keptValue(
  expression: Expression,
  column: ColumnPolicy,
  { read, compile, computed, prepared }: PreparedRows,
  dialect: Dialect,
): string {
  const grid = gridOf(column);
  const stored = grid && storedOnGrid(read, expression, grid);
  if (stored && (column.nullable || !read.policy(stored).nullable))
    return prepared.add(`CAST(${computed.add(read.stored(stored))} AS ${dialect.types.integer})`);
  return prepared.add(keptText(column, computed.add(compile(expression)), dialect));
}

/** Returns the argument's grid integer, of 64 bits whatever it is stored as: engines may sum narrower ones in 64 bits. */
function gridded(
  { argument, grid }: Extract<UnitAggregate, { readonly grid: Grid }>,
  { read, compile, computed, prepared }: PreparedRows,
  dialect: Dialect,
): string {
  const stored = storedOnGrid(read, argument, grid);
  const text =
    stored !== null
      ? computed.add(read.stored(stored))
      : onGrid(argument.domain, computed.add(compile(argument)), grid, dialect);
  return prepared.add(`CAST(${text} AS ${dialect.types.integer})`);
}

/** Clamps an integer to the bounds of its column. */
export function clamped(value: string, column: ColumnPolicy, dialect: Dialect): string {
  const { lo, hi } = gridOf(column)!;
  const [low, high] = [integerText(BigInt(lo)), integerText(BigInt(hi))];
  return `CAST(CASE WHEN ${value} > ${high} THEN ${high} WHEN ${value} < ${low} THEN ${low} ELSE ${value} END AS ${dialect.types.integer})`;
}

const halfBits = 40n;

/** Returns the double nearest to a wide integer: its halves are doubles, and so is the higher one times 2^40. */
function doubleOf(value: string, dialect: Dialect): string {
  return `CASE WHEN ${value} < 0 THEN -(${magnitude(`(-${value})`, dialect)}) ELSE ${magnitude(value, dialect)} END`;
}

/** Returns the same for an integer that is not negative and below 2^93. */
function magnitude(value: string, dialect: Dialect): string {
  const { double } = dialect.types;
  const high = dialect.quotient(value, dialect.wide(1n << halfBits));
  return `(CAST(${high} AS ${double}) * ${dialect.double(2 ** Number(halfBits))} + CAST(${value} - ${high} * ${dialect.wide(1n << halfBits)} AS ${double}))`;
}

/** Clamps a sum to the doubles. A sum on so coarse a grid exceeds them only where no real rows could reach. */
function withinDoubles(sum: string, exponent: number, dialect: Dialect): string {
  const most = 1023 - exponent;
  if (most >= 93) return sum;
  const [low, high] = [dialect.wide(-(1n << BigInt(most))), dialect.wide(1n << BigInt(most))];
  return `(CASE WHEN ${sum} > ${high} THEN ${high} WHEN ${sum} < ${low} THEN ${low} ELSE ${sum} END)`;
}

function scaled(value: string, exponent: number, dialect: Dialect): string {
  return exponent === 0 ? value : `(${value}) * ${dialect.double(2 ** exponent)}`;
}
