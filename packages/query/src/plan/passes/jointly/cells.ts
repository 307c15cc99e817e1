import type { SumColumn } from "../../../aggregates/kinds.ts";
import type { MeasuredTerm } from "../../../aggregates/measurer.ts";
import { writeSql } from "../../../expressions/write-sql.ts";
import type { MeasuredColumn, MeasuredSum } from "./measured-column.ts";

/**
 * Cells of a column: integers ≥ 0 that add up, of each unit, to `whole` times its rows, and the totals that are read from them. Proof:
 * ../../sensitivity.proof.md, "Measured together".
 */
export interface Cells {
  readonly whole: bigint;
  readonly members: readonly Cell[];
  /** The measurements that the cells stand in for. */
  readonly read: readonly ReadTotal[];
}

interface Cell {
  readonly describes: string;
  readonly terms: readonly (Omit<MeasuredTerm, "sum"> & { readonly sum: SumColumn })[];
}

/** A total that is Σ coefficient · cell / whole. */
interface ReadTotal {
  readonly total: MeasuredSum;
  readonly coefficients: readonly bigint[];
}

type Term = readonly [sum: SumColumn, coefficient: bigint];

/**
 * Returns the cells that a column may be measured in. `rowsAddUp`: whether a unit's sum is that of its rows, so that a clamped and a scaled sum are
 * the same integer but for the middle.
 */
export function cellsOf(column: MeasuredColumn, rowsAddUp: boolean): readonly Cells[] {
  const { scaled, clamped, argument, all } = column;
  const nullable = argument.domain.nullable;
  const rests = nullable && all !== null ? [false, true] : [false];
  const bases: Base[] = [];
  if (scaled) bases.push({ ofScaled: true, ofClamped: clamped !== null && rowsAddUp });
  if (clamped && !(scaled && rowsAddUp)) bases.push({ ofScaled: false, ofClamped: true });
  return bases.flatMap((base) => rests.map((rest) => withBase(column, base, rest)));
}

interface Base {
  readonly ofScaled: boolean;
  readonly ofClamped: boolean;
}

function withBase(column: MeasuredColumn, { ofScaled, ofClamped }: Base, withRest: boolean): Cells {
  const { argument, lo, hi, mid, scaled, clamped, present, all } = column;
  const written = writeSql(argument);
  const counted: SumColumn = present?.sum ?? {
    kind: "count",
    argument: argument.domain.nullable ? argument : null,
  };
  const whole = hi - lo;
  const value = (ofScaled ? scaled : clamped)!.sum;
  // A scaled sum is counted from the middle.
  const from = ofScaled ? mid : 0n;
  const members = [
    cell(`SUM(${written} − lowest)`, [value, 1n], [counted, from - lo]),
    cell(`SUM(highest − ${written})`, [value, -1n], [counted, hi - from]),
    ...(withRest
      ? [
          cell(
            `rows without ${written}`,
            [all?.sum ?? { kind: "count", argument: null }, whole],
            [counted, -whole],
          ),
        ]
      : []),
  ];
  const padded = (...coefficients: readonly bigint[]): readonly bigint[] =>
    withRest ? [...coefficients, 0n] : coefficients;
  const read: ReadTotal[] = [];
  if (ofScaled && scaled) read.push({ total: scaled, coefficients: padded(hi - mid, lo - mid) });
  if (ofClamped && clamped) read.push({ total: clamped, coefficients: padded(hi, lo) });
  if (present) read.push({ total: present, coefficients: padded(1n, 1n) });
  if (withRest && all) read.push({ total: all, coefficients: [1n, 1n, 1n] });
  return { whole, members, read };
}

function cell(describes: string, ...terms: readonly Term[]): Cell {
  return {
    describes,
    terms: terms
      .filter(([, coefficient]) => coefficient !== 0n)
      .map(([sum, coefficient]) => ({ sum, coefficient: `${coefficient}` })),
  };
}
