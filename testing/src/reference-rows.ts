import type { KeyValue } from "@lethe/core/mechanisms";
import { type ColumnPolicy, type Expression, evaluate, type Grid, gridOf } from "@lethe/query";

export type CleanValue = string | number | boolean | null;
export type CleanRow = Readonly<Record<string, CleanValue>>;

/** A row with the unit that it belongs to; null where it is a unit itself, or nobody's. */
export interface OwnedRow {
  readonly unit: string | null;
  readonly row: CleanRow;
  /** Keys as they are written. */
  readonly keys: Readonly<Record<string, string | null>>;
}

/** A value where a column keeps it: of a number with bounds the nearest on their grid. */
export function kept(column: ColumnPolicy, value: CleanValue): CleanValue {
  const grid = gridOf(column);
  if (grid === null || typeof value !== "number") return value;
  return Number(clamp(nearest(value, grid.exponent), BigInt(grid.lo), BigInt(grid.hi))) * 2 ** grid.exponent;
}

/** One text a key; types apart. */
export function keyName(key: readonly KeyValue[]): string {
  return key.map((part) => `${typeof part}:${String(part)}`).join("\n");
}

export function keyOf(expression: Expression, value: CleanValue): KeyValue {
  const { domain } = expression;
  if (typeof value !== "number") return value;
  return domain.type !== "number" || domain.integer ? BigInt(value) : value + 0;
}

/** The clamped grid integer of a row's argument; none where it is NULL. */
export function gridInteger(argument: Expression, grid: Grid, row: CleanRow): readonly bigint[] {
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const value = evaluate(argument, row);
  if (typeof value === "number" && Number.isFinite(value))
    return [clamp(nearest(value, grid.exponent), lo, hi)];
  return argument.domain.nullable ? [] : [clamp(0n, lo, hi)];
}

export function total(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n);
}

export function clamp(i: bigint, lo: bigint, hi: bigint): bigint {
  return i > hi ? hi : i < lo ? lo : i;
}

/** Nearest integer to x·2^−exponent, ties to even; written apart from the product's. */
export function nearest(x: number, exponent: number): bigint {
  const scaled = Math.min(1e300, Math.max(-1e300, x * 2 ** -exponent));
  const down = Math.floor(scaled);
  const [low, high] = [scaled - down, down + 1 - scaled];
  if (low === high) return BigInt(down) % 2n === 0n ? BigInt(down) : BigInt(down) + 1n;
  return BigInt(low < high ? down : down + 1);
}
