import { createHash } from "node:crypto";
import type { KeyValue } from "@lethe/core/mechanisms";
import {
  type ColumnPolicy,
  columnId,
  type Expression,
  evaluate,
  type Factor,
  gridOf,
  type JoinRelation,
  type KeyOfSource,
  type MarkedRelation,
  type Plan,
  type Relation,
  type RowLimit,
  type SumColumn,
  type TableRelation,
  tablesOf,
} from "@lethe/query";
import {
  type CleanRow,
  type CleanValue,
  clamp,
  gridInteger,
  kept,
  keyName,
  keyOf,
  nearest,
  type OwnedRow,
  total,
} from "./reference-rows.ts";
import { timeOf, timeText } from "./reference-times.ts";
import { groupedRows } from "./reference-unit-values.ts";
import { windowedRows } from "./reference-windows.ts";

/** A value as an owner's file may hold it. */
export type RawValue = string | number | bigint | boolean | null;
export type RawRow = Readonly<Record<string, RawValue>>;

/** The results that a plan computes for one group. */
export interface ReferenceGroup {
  readonly key: readonly KeyValue[];
  readonly units: bigint;
  readonly sums: readonly bigint[];
}

/**
 * Computes the meaning of a plan, row by row in plain TypeScript, which every dialect's SQL must match to the last digit. Slow and obvious; shares
 * with the product only the domains' grids and the meaning of expressions.
 */
export function referenceGroups(
  plan: Plan,
  data: readonly RawRow[] | RawTables,
  seed: string,
): ReferenceGroup[] {
  const answer = new Map<string, { key: readonly KeyValue[]; units: bigint; sums: bigint[] }>();
  const blank = (key: readonly KeyValue[]) => ({ key, units: 0n, sums: plan.sums.map(() => 0n) });
  if (plan.keys.program.kind === "none") answer.set("", blank([]));
  const seen = new Set<string>();
  for (const { unit, ...group } of boundedGroups(plan, data, seed)) {
    const name = keyName(group.key);
    const total = answer.get(name) ?? blank(group.key);
    answer.set(name, total);
    total.units += 1n;
    plan.sums.forEach((sum, at) => {
      if (!("most" in sum)) {
        total.sums[at]! += unitValue(sum, group.rows, rowsInGroup(plan));
        return;
      }
      for (const value of valuesOfUnit(sum, plan, unit, group, seed)) {
        const found = JSON.stringify([at, name, keyName([value])]);
        if (!seen.has(found)) total.sums[at]! += worth(sum, value);
        seen.add(found);
      }
    });
  }
  return [...answer.values()];
}

/** The cells of each of the plan's trees that hold anything, as engines return them: the cell is the last key. */
export function referenceCells(
  plan: Plan,
  data: readonly RawRow[] | RawTables,
  seed: string,
): readonly (readonly ReferenceGroup[])[] {
  const { trees = [] } = plan;
  if (trees.length === 0) return [];
  const kept = boundedGroups(plan, data, seed);
  const r = rowsInGroup(plan);
  return trees.map(({ argument, grid, cellWidth, rowWeight }) => {
    const answer = new Map<string, ReferenceGroup>();
    for (const { key, rows } of kept) {
      const integers = rows.flatMap((row) => gridInteger(argument, grid, row));
      const n = BigInt(integers.length);
      const counts = new Map<bigint, bigint>();
      for (const i of integers) {
        const cell = (i - BigInt(grid.lo)) / BigInt(cellWidth);
        counts.set(cell, (counts.get(cell) ?? 0n) + 1n);
      }
      for (const [cell, count] of counts) {
        const name = keyName([...key, cell]);
        const before = answer.get(name)?.sums[0] ?? 0n;
        const added = count * ((BigInt(rowWeight) * (n < r ? n : r)) / n);
        answer.set(name, { key: [...key, cell], units: 0n, sums: [before + added] });
      }
    }
    return [...answer.values()];
  });
}

/** Returns the rows of each unit in each of the groups that it counts in. */
function boundedGroups(
  plan: Plan,
  data: readonly RawRow[] | RawTables,
  seed: string,
): readonly (UnitGroup & { readonly unit: string })[] {
  const units = new Map<string, Map<string, UnitGroup>>();
  for (const { unit, row } of rowsOfUnits(plan, data, seed)) {
    const key = plan.keys.parts.map(({ expression }) => keyOf(expression, evaluate(expression, row)));
    if (!isDeclared(plan, key)) continue;
    const groups = units.get(unit) ?? new Map<string, UnitGroup>();
    units.set(unit, groups);
    const name = keyName(key);
    const group = groups.get(name) ?? { key, rows: [] };
    groups.set(name, group);
    group.rows.push(row);
  }

  return [...units].flatMap(([unit, groups]) =>
    keep(plan, unit, [...groups.values()], seed).map((group) => ({ ...group, unit })),
  );
}

/** Returns the rows that a plan is about with their units, each group of them. */
export function rowsOfUnits(
  plan: Plan,
  data: readonly RawRow[] | RawTables,
  seed: string,
): readonly { readonly unit: string; readonly row: CleanRow }[] {
  const relation = plan.from;
  const tables = Array.isArray(data) ? { [tablesOf(relation)[0]!.table]: data } : (data as RawTables);
  return keepRows(plan, ownedRows(relation, { tables, seed, keys: keysWithin(relation) }), seed).flatMap(
    ({ unit, row }, at) =>
      plan.where !== null && evaluate(plan.where, row) !== true ? [] : [{ unit: unit ?? `row ${at}`, row }],
  );
}

export type RawTables = Readonly<Record<string, readonly RawRow[]>>;

interface Reading {
  readonly tables: RawTables;
  readonly seed: string;
  /** Columns by which joins find rows, as they are written. */
  readonly keys: readonly KeyOfSource[];
}

function keysWithin(relation: Relation): readonly KeyOfSource[] {
  if (relation.kind === "table" || relation.kind === "list") return [];
  if (relation.kind === "union") return relation.parts.flatMap(({ of }) => keysWithin(of));
  if (relation.kind !== "join") return keysWithin(relation.of);
  const own = relation.keys.flatMap(({ left, right }) => [left, right]);
  return [...own, ...keysWithin(relation.left), ...keysWithin(relation.right)];
}

function ownedRows(relation: Relation, reading: Reading): readonly OwnedRow[] {
  switch (relation.kind) {
    case "table":
      return tableRows(relation, reading);
    case "list":
      return relation.rows.map((values): OwnedRow => {
        const cells = relation.names.map((name, at) => [
          columnId({ source: relation.source, name }),
          values[at]!,
        ]);
        return { unit: null, row: Object.fromEntries(cells), keys: {} };
      });
    case "filter":
      return ownedRows(relation.of, reading).filter(({ row }) => evaluate(relation.where, row) === true);
    case "union":
      return relation.parts.flatMap(({ of, values }) =>
        ownedRows(of, reading).map(({ unit, row }): OwnedRow => {
          const cells = Object.entries(relation.columns).map(([name, column]) => [
            columnId({ source: relation.source, name }),
            kept(column, evaluate(values[name]!, row)),
          ]);
          return { unit, row: Object.fromEntries(cells), keys: {} };
        }),
      );
    case "grouped":
      return groupedRows(relation, ownedRows(relation.of, reading));
    case "windowed":
      return windowedRows(relation, ownedRows(relation.of, reading));
    case "semijoin": {
      const among = ownedRows(relation.among, reading);
      return ownedRows(relation.of, reading).filter(
        ({ row }) =>
          among.some((met) => evaluate(relation.on, { ...met.row, ...row }) === true) !== relation.not,
      );
    }
    case "marked":
      return markedRows(relation, reading);
    case "join":
      return joinedRows(relation, reading);
  }
}

function tableRows(relation: TableRelation, reading: Reading): OwnedRow[] {
  return (relation.limits ?? []).reduce(
    (rows, limit) => firstRows(rows, limit, relation, reading),
    rowsOfTable(relation, reading.tables),
  );
}

/** Returns the rows that come first within each value, unit, or unit and key. */
function firstRows(
  rows: readonly OwnedRow[],
  limit: RowLimit,
  { source, columns }: TableRelation,
  { seed, keys: all }: Reading,
): OwnedRow[] {
  const idOf = (name: string): string => columnId(source === null ? { name } : { source, name });
  const together = ({ unit, row, keys }: OwnedRow): string | null => {
    if (limit.per === "unit") return unit;
    if (limit.per === "value") return JSON.stringify(row[idOf(limit.column)] ?? null);
    if (!("column" in limit)) return "";
    const key = keys[idOf(limit.column)] ?? null;
    return key === null ? null : JSON.stringify([unit, key]);
  };
  const groups = new Map<string | null, OwnedRow[]>();
  for (const owned of rows) {
    const name = together(owned);
    groups.set(name, [...(groups.get(name) ?? []), owned]);
  }
  const isPublic = limit.per === "table" || limit.per === "value";
  const named = Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1));
  const compared = all.flatMap((key) => (key.source === source ? [key.column] : [])).sort();
  const before = (a: OwnedRow, b: OwnedRow): number => {
    const [x, y] = [hash(a), hash(b)];
    if (x !== y) return x < y ? -1 : 1;
    const texts = ({ keys }: OwnedRow): CleanRow =>
      Object.fromEntries(compared.map((name) => [name, keys[idOf(name)] ?? null]));
    return inOrder(texts(a), texts(b));
  };
  const hash = ({ unit, row }: OwnedRow): string =>
    unitHash(
      seed,
      unit!,
      named.map(([name, column]) => storedValue(column, row[idOf(name)] ?? null)),
    );
  return [...groups].flatMap(([name, group]) => {
    if (name === null) return group;
    const sorted = isPublic ? group.sort((a, b) => inOrder(a.row, b.row)) : group.sort(before);
    return sorted.slice(0, limit.rows);
  });
}

/** What was read of rows before: brute force puts the same rows in thousands of tables. */
const readBefore = new WeakMap<TableRelation, WeakMap<RawRow, Pick<OwnedRow, "row" | "keys">>>();

/** Returns the columns of a row as a policy declares them, and all as they are written. */
function readRow(relation: TableRelation, raw: RawRow): Pick<OwnedRow, "row" | "keys"> {
  const ofRelation = readBefore.get(relation) ?? new WeakMap<RawRow, Pick<OwnedRow, "row" | "keys">>();
  readBefore.set(relation, ofRelation);
  const known = ofRelation.get(raw);
  if (known) return known;
  const { source, columns } = relation;
  const idOf = (name: string): string => columnId(source === null ? { name } : { source, name });
  const read = {
    row: Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [idOf(name), clean(column, raw[name] ?? null)]),
    ),
    keys: Object.fromEntries(Object.entries(raw).map(([name, value]) => [idOf(name), textOf(value)])),
  };
  ofRelation.set(raw, read);
  return read;
}

function rowsOfTable(relation: TableRelation, tables: RawTables): OwnedRow[] {
  const { table, source, unit, oncePer } = relation;
  const idOf = (name: string): string => columnId(source === null ? { name } : { source, name });
  const once = new Map<CleanValue, OwnedRow>();
  const all = (tables[table] ?? []).flatMap((raw): OwnedRow[] => {
    const { row, keys } = readRow(relation, raw);
    if (unit.kind !== "column") return [{ unit: null, row, keys }];
    const owner = ownerOf(textOf(raw[unit.column] ?? null), unit.path, tables);
    return owner === null ? [] : [{ unit: owner, row, keys }];
  });
  if (oncePer === null) return all;
  for (const owned of all) {
    const value = owned.row[idOf(oncePer)] ?? null;
    const known = once.get(value);
    if (!known || inOrder(owned.row, known.row) < 0) once.set(value, owned);
  }
  return [...once.values()];
}

/** Compares two rows as databases sort them: column by column, NULL last. */
function inOrder(a: CleanRow, b: CleanRow): number {
  for (const [name, x] of Object.entries(a)) {
    const y = b[name] ?? null;
    if (x === y) continue;
    if (x === null) return 1;
    return y === null || x < y ? -1 : 1;
  }
  return 0;
}

/** Returns the unit that a name leads to; of several, the one that comes first. */
function ownerOf(
  name: string | null,
  path: readonly { readonly table: string; readonly key: string; readonly column: string }[],
  tables: RawTables,
): string | null {
  const [step, ...rest] = path;
  if (name === null || !step) return name;
  const found = (tables[step.table] ?? [])
    .filter((raw) => textOf(raw[step.key] ?? null) === name)
    .map((raw) => ownerOf(textOf(raw[step.column] ?? null), rest, tables))
    .filter((owner) => owner !== null);
  return found.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))[0] ?? null;
}

/** Every row with every row. */
/** Whether a row meets another: of one unit where both belong to units, with equal keys, and with a condition that is true. */
function meets(
  a: OwnedRow,
  b: OwnedRow,
  { keys, on }: Pick<JoinRelation, "keys" | "on">,
  ofUnits: boolean,
): boolean {
  if (ofUnits && a.unit !== b.unit) return false;
  const equal = keys.every((pair) => {
    const x = a.keys[columnId({ source: pair.left.source, name: pair.left.column })] ?? null;
    const y = b.keys[columnId({ source: pair.right.source, name: pair.right.column })] ?? null;
    return x !== null && x === y;
  });
  return equal && (on === null || evaluate(on, { ...a.row, ...b.row }) === true);
}

const namesUnits = (side: Relation): boolean => tablesOf(side).some(({ unit }) => unit.kind === "column");

function markedRows(relation: MarkedRelation, reading: Reading): readonly OwnedRow[] {
  const { of, among, source, columns } = relation;
  const looked = ownedRows(among, reading);
  const ofUnits = namesUnits(of) && namesUnits(among);
  const ids = Object.keys(columns).map((name) => columnId({ source, name }));
  return ownedRows(of, reading).map((owned) => {
    const found = looked.some((other) => meets(owned, other, relation, ofUnits));
    return { ...owned, row: { ...owned.row, ...Object.fromEntries(ids.map((id) => [id, found])) } };
  });
}

function joinedRows(join: JoinRelation, reading: Reading): readonly OwnedRow[] {
  const [left, right] = [ownedRows(join.left, reading), ownedRows(join.right, reading)];
  const ofUnits = namesUnits(join.left) && namesUnits(join.right);
  const met = { left: new Set<OwnedRow>(), right: new Set<OwnedRow>() };
  const pairs: OwnedRow[] = [];
  for (const a of left) {
    for (const b of right) {
      if (!meets(a, b, join, ofUnits)) continue;
      pairs.push({ unit: a.unit ?? b.unit, row: { ...a.row, ...b.row }, keys: { ...a.keys, ...b.keys } });
      met.left.add(a);
      met.right.add(b);
    }
  }
  if (join.type === "left" || join.type === "full") pairs.push(...left.filter((a) => !met.left.has(a)));
  if (join.type === "right" || join.type === "full") pairs.push(...right.filter((b) => !met.right.has(b)));
  return pairs;
}

interface UnitGroup {
  readonly key: readonly KeyValue[];
  readonly rows: CleanRow[];
}

export { keyName };

/** Returns the number of rows that a unit counts with in a group, at most. */
function rowsInGroup({ contribution: { limit, groups, rows }, unit }: Plan): bigint {
  return BigInt(limit === "rows-before-filter" && unit.kind !== "row" ? groups * rows : rows);
}

/** Returns the k·r rows of least keyed hash of each unit in the table, where rows are bounded before the filter; else all rows. */
function keepRows(plan: Plan, all: readonly OwnedRow[], seed: string): readonly OwnedRow[] {
  const { limit, groups, rows, enforced } = plan.contribution;
  if (!enforced || limit !== "rows-before-filter") return all;
  const [{ columns }] = tablesOf(plan.from) as [TableRelation];
  const named = Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = (row: CleanRow): KeyValue[] =>
    named.map(([name, column]) => storedValue(column, row[columnId({ name })] ?? null));
  const places = new Map<string, { hash: string; owned: OwnedRow }[]>();
  for (const owned of all) {
    const unit = owned.unit!;
    const ofUnit = places.get(unit) ?? [];
    places.set(unit, ofUnit);
    ofUnit.push({ hash: unitHash(seed, unit, parts(owned.row)), owned });
  }
  return [...places.values()].flatMap((ofUnit) =>
    ofUnit
      .sort((a, b) => (a.hash < b.hash ? -1 : 1))
      .slice(0, groups * rows)
      .map(({ owned }) => owned),
  );
}

/** Returns a value as a snapshot keeps it: an integer that stands for a number on a grid. */
function storedValue(column: ColumnPolicy, value: CleanValue): KeyValue {
  if (typeof value !== "number") return value;
  const grid = gridOf(column);
  return grid === null ? value + 0 : BigInt(value / 2 ** grid.exponent);
}

/** Returns the k groups that come first in the unit's order; of two in one place the one of lesser keys, NULL last. */
function keep(plan: Plan, unit: string, groups: readonly UnitGroup[], seed: string): readonly UnitGroup[] {
  const { enforced, limit } = plan.contribution;
  if (!enforced || limit === "rows-before-filter" || plan.keys.program.kind === "none") return groups;
  const placed = groups.map((group) => ({ group, place: placeOf(plan, unit, group.key, seed) }));
  placed.sort((a, b) =>
    a.place === b.place ? keysInOrder(a.group.key, b.group.key) : a.place < b.place ? -1 : 1,
  );
  return placed.slice(0, plan.contribution.groups).map(({ group }) => group);
}

/** a(x + b)³ + c modulo a prime: x the group's number, the rest of the unit's, which the seed's is laid over bit by bit. */
function placeOf(plan: Plan, unit: string, key: readonly KeyValue[], seed: string): bigint {
  const { program, parts } = plan.keys;
  const n = numberOfText(unit) ^ numberOfText(seed);
  const groups = program.kind === "public" ? program.declared : [];
  const prime = [59, 113, 179, 251].find((q) => groups.length > 0 && q >= groups.length);
  if (prime !== undefined) {
    const q = BigInt(prime);
    const written = writtenKey(plan, key);
    const x = BigInt(groups.findIndex((declared) => declared.every((part, at) => part === written[at])));
    const [a, c, b] = [1n + ((n % 2n ** 20n) % (q - 1n)), (n / 2n ** 20n) % 2n ** 20n, n / 2n ** 40n];
    return (a * (x + b) ** 3n + c) % q;
  }
  const q = 2_147_483_579n;
  const x = key.reduce<bigint | null>((number, part, at) => {
    const next = numberOfKey(part, parts[at]!.expression, q);
    return number === null ? next : (number * 1_000_003n + next) % q;
  }, null)!;
  return ((1n + (n % 2n ** 30n)) * (x + n / 2n ** 30n) ** 3n) % q;
}

function numberOfKey(part: KeyValue, { domain }: Expression, q: bigint): bigint {
  if (part === null) return q - 1n;
  if (typeof part === "bigint") return ((part % q) + q) % q;
  if (typeof part === "boolean") return part ? 1n : 0n;
  return numberOfText(domain.type === "number" ? bitsOf(part as number) : String(part)) % q;
}

/** The first 60 bits of its md5. */
function numberOfText(text: string): bigint {
  return BigInt(`0x${createHash("md5").update(text).digest("hex").slice(0, 15)}`);
}

function keysInOrder(a: readonly KeyValue[], b: readonly KeyValue[]): number {
  for (const [at, x] of a.entries()) {
    const y = b[at]!;
    if (x === y) continue;
    if (x === null) return 1;
    return y === null || x < y ? -1 : 1;
  }
  return 0;
}

/** Hashes of before: brute force asks for the same again and again. */
const hashes = new Map<string, string>();
const mostHashes = 50_000;

function unitHash(seed: string, unit: string, key: readonly KeyValue[]): string {
  const part = (text: string): string => `${[...text].length}:${text}`;
  const spelled = (value: NonNullable<KeyValue>): string =>
    typeof value === "number" ? bitsOf(value) : String(value);
  const parts = [
    part(seed),
    part(unit),
    ...key.map((value) => (value === null ? "n" : part(spelled(value)))),
  ];
  const text = parts.join("|");
  const hash = hashes.get(text) ?? createHash("md5").update(text).digest("hex");
  if (hashes.size >= mostHashes) hashes.clear();
  hashes.set(text, hash);
  return hash;
}

/** Sign, exponent and mantissa of a double, in hexadecimal digits. */
function bitsOf(value: number): string {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  return bytes.getBigUint64(0).toString(16).padStart(16, "0");
}

function isDeclared(plan: Plan, key: readonly KeyValue[]): boolean {
  const { program } = plan.keys;
  if (program.kind !== "public") return true;
  const written = writtenKey(plan, key);
  return program.declared.some((declared) => declared.every((part, at) => part === written[at]));
}

/** Returns a key as a plan declares it. */
function writtenKey(plan: Plan, key: readonly KeyValue[]): readonly (string | number | boolean | null)[] {
  return key.map((part, at) => {
    const { type } = plan.keys.parts[at]!.expression.domain;
    if (typeof part !== "bigint") return part;
    return type === "date" || type === "timestamp" ? timeText(type, part) : Number(part);
  });
}

type Distinct = Extract<SumColumn, { readonly most: number }>;

/** Returns what a value that is met for the first time adds. */
function worth(sum: Distinct, value: KeyValue): bigint {
  return sum.kind === "distinct" ? 1n : ((value as bigint) - BigInt(sum.mid)) ** BigInt(sum.power);
}

/** Returns the values that a unit brings to a group: those of its own with the least keyed hashes. */
function valuesOfUnit(
  sum: Distinct,
  plan: Plan,
  unit: string,
  group: UnitGroup,
  seed: string,
): readonly KeyValue[] {
  const own = new Map<string, KeyValue>();
  for (const row of group.rows) {
    const [value = null] =
      sum.kind === "distinct"
        ? [keyOf(sum.argument, evaluate(sum.argument, row))]
        : gridInteger(sum.argument, sum.grid, row);
    if (value !== null) own.set(keyName([value]), value);
  }
  if (!plan.contribution.enforced) return [...own.values()];
  const hashed = [...own.values()].map((value) => ({
    value,
    hash: unitHash(seed, unit, [...group.key, value]),
  }));
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return hashed.slice(0, sum.most).map(({ value }) => value);
}

/** Returns the amount that one unit's rows in a group add to a sum. */
function unitValue(sum: Exclude<SumColumn, Distinct>, rows: readonly CleanRow[], r: bigint): bigint {
  if (sum.kind === "units") return 1n;
  if (sum.kind === "count") {
    const { argument } = sum;
    const n = argument === null ? rows.length : rows.filter((row) => evaluate(argument, row) !== null).length;
    return BigInt(n) < r ? BigInt(n) : r;
  }
  if (sum.kind === "units-with") return rows.some((row) => evaluate(sum.argument, row) !== null) ? 1n : 0n;
  const { grid, argument } = sum;
  const factors = sum.kind === "sum" ? sum.factors : undefined;
  const integers = rows.flatMap((row) =>
    factors ? productOf(factors, row) : gridInteger(argument, grid, row),
  );
  const n = BigInt(integers.length);
  if (n === 0n) return 0n;
  if (sum.kind === "sum") return clamp(total(integers), BigInt(sum.lo), BigInt(sum.hi));
  const mid = BigInt(sum.mid);
  const pieces =
    sum.kind === "scaled-products"
      ? rows.flatMap((row) => {
          const [i] = gridInteger(argument, grid, row);
          const [j] = gridInteger(sum.other.argument, sum.other.grid, row);
          return i === undefined || j === undefined ? [] : [(i - mid) * (j - BigInt(sum.other.mid))];
        })
      : integers.map((i) => (i - mid) ** powers[sum.kind]);
  const counted = n < r ? n : r;
  // ⌊x + ½⌋ of total·counted/n
  return floorDivide(2n * total(pieces) * counted + n, 2n * n);
}

const powers = { "scaled-sum": 1n, "scaled-squares": 2n, "scaled-cubes": 3n } as const;

/** Returns the product of a row's grid integers; none where a factor is missing. */
function productOf(factors: readonly Factor[], row: CleanRow): readonly bigint[] {
  return factors.reduce<readonly bigint[]>(
    (all, { argument, grid, power }) =>
      all.flatMap((one) => gridInteger(argument, grid, row).map((i) => one * i ** BigInt(power))),
    [1n],
  );
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n ? quotient - 1n : quotient;
}

/** Returns the value that the policy makes of a raw value. */
export function clean(column: ColumnPolicy, raw: RawValue): CleanValue {
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
      const word = trimmed(textOf(raw) ?? "", 100);
      if (/^(true|t|yes|1)$/i.test(word)) return true;
      if (/^(false|f|no|0)$/i.test(word)) return false;
      return column.default;
    }
    case "date":
    case "timestamp": {
      const time = timeOf(textOf(raw) ?? "");
      const number = time === null || column.type === "timestamp" ? time : Math.floor(time / 86_400e6);
      const [lo, hi] = column.bounds;
      return number !== null && number >= lo && number <= hi ? number : column.default;
    }
  }
}

/** A finite number, or null. */
function numberOf(raw: RawValue): number | null {
  if (raw === null) return null;
  const number =
    typeof raw !== "string"
      ? Number(raw)
      : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed(raw, 1000))
        ? Number(raw)
        : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Returns a text without ASCII's blanks at its ends; "" for a text that is too long to be looked at. */
function trimmed(text: string, most: number): string {
  return Buffer.byteLength(text) <= most ? text.replace(/^[ \t\n\r\f\v]+|[ \t\n\r\f\v]+$/g, "") : "";
}

function textOf(raw: RawValue): string | null {
  return raw === null ? null : String(raw);
}
