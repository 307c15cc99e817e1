import { createHash } from "node:crypto";
import type { KeyValue } from "@lethe/core";
import {
  type ColumnPolicy,
  type Expression,
  evaluate,
  gridOf,
  type Plan,
  type SumColumn,
} from "@lethe/query";

/** A value as an owner's file may hold it. */
export type RawValue = string | number | bigint | boolean | null;
export type RawRow = Readonly<Record<string, RawValue>>;
type CleanValue = string | number | boolean | null;
type CleanRow = Readonly<Record<string, CleanValue>>;

/** What a plan computes of one group. */
export interface ReferenceGroup {
  readonly key: readonly KeyValue[];
  readonly units: bigint;
  readonly sums: readonly bigint[];
}

/**
 * The meaning of a plan, row by row in plain TypeScript: what every dialect's SQL must compute to the last digit. Slow
 * and obvious; shares with the product only the domains' grids and the meaning of expressions.
 */
export function referenceGroups(plan: Plan, rows: readonly RawRow[], seed: string): ReferenceGroup[] {
  const units = new Map<string, Map<string, UnitGroup>>();
  rows.forEach((raw, at) => {
    const unit = plan.unit.kind === "row" ? `row ${at}` : textOf(raw[plan.unit.column] ?? null);
    if (unit === null) return;
    const row = Object.fromEntries(
      Object.entries(plan.columns).map(([name, column]) => [name, clean(column, raw[name] ?? null)]),
    );
    if (plan.where !== null && evaluate(plan.where, row) !== true) return;
    const key = plan.keys.expressions.map((expression) => keyOf(expression, evaluate(expression, row)));
    if (!isDeclared(plan, key)) return;
    const groups = units.get(unit) ?? new Map<string, UnitGroup>();
    units.set(unit, groups);
    const name = keyName(key);
    const group = groups.get(name) ?? { key, rows: [] };
    groups.set(name, group);
    group.rows.push(row);
  });

  const answer = new Map<string, { key: readonly KeyValue[]; units: bigint; sums: bigint[] }>();
  const blank = (key: readonly KeyValue[]) => ({ key, units: 0n, sums: plan.sums.map(() => 0n) });
  if (plan.keys.program.kind === "none") answer.set("", blank([]));
  for (const [unit, groups] of units) {
    for (const group of keep(plan, unit, [...groups.values()], seed)) {
      const name = keyName(group.key);
      const total = answer.get(name) ?? blank(group.key);
      answer.set(name, total);
      total.units += 1n;
      plan.sums.forEach((sum, at) => {
        total.sums[at]! += unitValue(sum, group.rows, BigInt(plan.contribution.rows));
      });
    }
  }
  return [...answer.values()];
}

interface UnitGroup {
  readonly key: readonly KeyValue[];
  readonly rows: CleanRow[];
}

/** One text a key; types apart. */
export function keyName(key: readonly KeyValue[]): string {
  return key.map((part) => `${typeof part}:${String(part)}`).join("\n");
}

/** The k groups of least keyed hash. */
function keep(plan: Plan, unit: string, groups: readonly UnitGroup[], seed: string): readonly UnitGroup[] {
  if (!plan.contribution.enforced || plan.keys.program.kind === "none") return groups;
  const hashed = groups.map((group) => ({ group, hash: unitHash(seed, unit, group.key) }));
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return hashed.slice(0, plan.contribution.groups).map(({ group }) => group);
}

function unitHash(seed: string, unit: string, key: readonly KeyValue[]): string {
  const part = (text: string): string => `${[...text].length}:${text}`;
  const parts = [part(seed), part(unit), ...key.map((value) => (value === null ? "n" : part(String(value))))];
  return createHash("md5").update(parts.join("|")).digest("hex");
}

function isDeclared(plan: Plan, key: readonly KeyValue[]): boolean {
  const { program } = plan.keys;
  if (program.kind !== "public") return true;
  return program.declared.some((declared) =>
    declared.every((part, at) => part === (typeof key[at] === "bigint" ? Number(key[at]) : key[at])),
  );
}

function keyOf(expression: Expression, value: CleanValue): KeyValue {
  const { domain } = expression;
  if (typeof value !== "number") return value;
  return domain.type === "number" && domain.integer ? BigInt(value) : value + 0;
}

/** What one unit's rows in a group add to a sum. */
function unitValue(sum: SumColumn, rows: readonly CleanRow[], r: bigint): bigint {
  if (sum.kind === "units") return 1n;
  if (sum.kind === "count") {
    const { argument } = sum;
    const n = argument === null ? rows.length : rows.filter((row) => evaluate(argument, row) !== null).length;
    return BigInt(n) < r ? BigInt(n) : r;
  }
  const { grid, argument } = sum;
  const [lo, hi] = [BigInt(grid.lo), BigInt(grid.hi)];
  const integers = rows.flatMap((row) => {
    const value = evaluate(argument, row);
    if (typeof value === "number" && Number.isFinite(value))
      return [clamp(nearest(value, grid.exponent), lo, hi)];
    return argument.domain.nullable ? [] : [clamp(0n, lo, hi)];
  });
  const n = BigInt(integers.length);
  if (n === 0n) return 0n;
  if (sum.kind === "sum") return clamp(total(integers), BigInt(sum.lo), BigInt(sum.hi));
  const mid = BigInt(sum.mid);
  const pieces = integers.map((i) => (sum.kind === "scaled-sum" ? i - mid : (i - mid) ** 2n));
  const counted = n < r ? n : r;
  // ⌊x + ½⌋ of total·counted/n
  return floorDivide(2n * total(pieces) * counted + n, 2n * n);
}

function total(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => a + b, 0n);
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n ? quotient - 1n : quotient;
}

function clamp(i: bigint, lo: bigint, hi: bigint): bigint {
  return i > hi ? hi : i < lo ? lo : i;
}

/** Nearest integer to x·2^−exponent, ties to even; written apart from the product's. */
function nearest(x: number, exponent: number): bigint {
  const scaled = Math.min(1e300, Math.max(-1e300, x * 2 ** -exponent));
  const down = Math.floor(scaled);
  const [low, high] = [scaled - down, down + 1 - scaled];
  if (low === high) return BigInt(down) % 2n === 0n ? BigInt(down) : BigInt(down) + 1n;
  return BigInt(low < high ? down : down + 1);
}

/** What the policy makes of a raw value. */
function clean(column: ColumnPolicy, raw: RawValue): CleanValue {
  switch (column.type) {
    case "number": {
      const value = numberOf(raw) ?? column.default;
      if (value === null) return null;
      const grid = gridOf(column);
      if (grid === null) return value;
      return (
        Number(clamp(nearest(value, grid.exponent), BigInt(grid.lo), BigInt(grid.hi))) * 2 ** grid.exponent
      );
    }
    case "integer": {
      const value = numberOf(raw);
      if (value === null) return column.default;
      const whole = Math.abs(value) < 2 ** 52 ? Number(nearest(value, 0)) : value;
      if (column.bounds) return Math.min(column.bounds[1], Math.max(column.bounds[0], whole));
      if (column.categories) return column.categories.includes(whole) ? whole : column.default;
      return Math.abs(whole) <= 2 ** 53 ? whole : column.default;
    }
    case "text": {
      const value = textOf(raw);
      if (value === null) return column.default;
      if (column.categories) return column.categories.includes(value) ? value : column.default;
      return [...value].slice(0, column.maxLength).join("");
    }
    case "boolean": {
      const value = textOf(raw)?.trim().toLowerCase();
      if (["true", "t", "yes", "1"].includes(value ?? "")) return true;
      if (["false", "f", "no", "0"].includes(value ?? "")) return false;
      return column.default;
    }
  }
}

/** A finite number, or null. */
function numberOf(raw: RawValue): number | null {
  if (raw === null) return null;
  const number =
    typeof raw !== "string"
      ? Number(raw)
      : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(raw.trim())
        ? Number(raw)
        : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

function textOf(raw: RawValue): string | null {
  return raw === null ? null : String(raw);
}
