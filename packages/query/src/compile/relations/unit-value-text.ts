import type { Dialect } from "../../dialects/dialect.ts";
import type { Expression } from "../../expressions/expression.ts";
import { type Grid, gridOf } from "../../grid/grid.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import type { UnitAggregate } from "../../relations/unit-aggregate.ts";
import { clampedText } from "../stored/clamped-text.ts";
import { keptText } from "../stored/kept-text.ts";
import { onGrid } from "../stored/on-grid.ts";
import { oneZero } from "../stored/one-zero.ts";
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
  /** Computes the value from aggregates, each of which is computed apart: `piece` returns the name that one has from then on. */
  readonly value: (piece: (aggregate: string) => string) => string;
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
  const { write } = dialect;
  switch (value.kind) {
    case "count": {
      const counted =
        value.argument === null
          ? undefined
          : rows.prepared.add(rows.computed.add(rows.compile(value.argument)));
      return { value: (piece) => clamped(piece(write.count(counted)), column, dialect), kept: asIs };
    }
    case "count-distinct": {
      const { argument } = value;
      const text = rows.computed.add(rows.compile(argument));
      const plain = argument.domain.type === "number" ? oneZero(text, dialect) : text;
      const distinct = write.countDistinct(rows.prepared.add(plain));
      return { value: (piece) => clamped(piece(distinct), column, dialect), kept: asIs };
    }
    case "min":
    case "max": {
      const kept = keptValue(value.argument, column, rows, dialect);
      return { value: (piece) => piece(write[value.kind](kept)), kept: asIs };
    }
    case "sum": {
      const i = gridded(value, rows, dialect);
      const { exponent } = value.grid;
      const sum = write.sum(i);
      if (exponent === 0 && column.type === "integer")
        return { value: (piece) => clamped(piece(sum), column, dialect), kept: asIs };
      return {
        value: (piece) =>
          scaled(doubleOf(withinDoubles(piece(sum), exponent, dialect), dialect), exponent, dialect),
        kept: (total) => (gridOf(column) === null ? total : keptText(column, total, dialect)),
      };
    }
    case "avg": {
      const i = gridded(value, rows, dialect);
      const { lo, exponent } = value.grid;
      return {
        value: (piece) => {
          const above = piece(write.sum(write.minus(i, write.integer(BigInt(lo)))));
          const n = piece(write.count(i));
          const counted = write.missingWhere(write.cast(n, "double"), dialect.double(0));
          const mean = write.ratio(magnitude(above, dialect), counted);
          return scaled(write.enclosed(write.plus(dialect.double(Number(lo)), mean)), exponent, dialect);
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
    return prepared.add(dialect.write.cast(computed.add(read.stored(stored)), "integer"));
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
  return prepared.add(dialect.write.cast(text, "integer"));
}

/** Clamps an integer to the bounds of its column, which keeps integers. */
export function clamped(value: string, column: ColumnPolicy, { write }: Dialect): string {
  const grid = gridOf(column);
  if (grid === null) throw new TypeError(`an integer is clamped to a column of type ${column.type}`);
  const { lo, hi } = grid;
  return write.cast(
    clampedText(value, write.integer(BigInt(lo)), write.integer(BigInt(hi)), write),
    "integer",
  );
}

const halfBits = 40n;

/** Returns the double nearest to a wide integer: its halves are doubles, and so is the higher one times 2^40. */
function doubleOf(value: string, dialect: Dialect): string {
  const { write } = dialect;
  const below = magnitude(write.enclosed(write.negated(value)), dialect);
  return write.caseOf(
    [[write.compare(value, "<", write.integer(0)), write.negated(write.enclosed(below))]],
    magnitude(value, dialect),
  );
}

/** Returns the same for an integer that is not negative and below 2^93. */
function magnitude(value: string, dialect: Dialect): string {
  const { write } = dialect;
  const half = dialect.wide(1n << halfBits);
  const high = dialect.quotient(value, half);
  const above = write.times(write.cast(high, "double"), dialect.double(2 ** Number(halfBits)));
  const rest = write.cast(write.minus(value, write.times(high, half)), "double");
  return write.enclosed(write.plus(above, rest));
}

/** Clamps a sum to the doubles. A sum on so coarse a grid exceeds them only where no real rows could reach. */
function withinDoubles(sum: string, exponent: number, dialect: Dialect): string {
  const most = 1023 - exponent;
  if (most >= 93) return sum;
  const limit = 1n << BigInt(most);
  return dialect.write.enclosed(clampedText(sum, dialect.wide(-limit), dialect.wide(limit), dialect.write));
}

function scaled(value: string, exponent: number, dialect: Dialect): string {
  const { write, double } = dialect;
  return exponent === 0 ? value : write.times(write.enclosed(value), double(2 ** exponent));
}
