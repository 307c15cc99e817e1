import { canonicalJson } from "@lethe/core/canonical";
import {
  type ColumnPolicy,
  type Expression,
  type ListRelation,
  type Plan,
  type PlannedKeyValue,
  type Policy,
  policyHash,
  type Relation,
  type TablePolicy,
  type TableRelation,
} from "@lethe/query";
import { type ColumnLeaf, leaves } from "../derive/leaves.ts";
import { columnsRead, made, optionalSources, tables } from "../derive/rows-of-units.ts";
import { writtenTime } from "../format/written-time.ts";
import { failed, passed, type Verdict, verdict } from "./check.ts";

/** The policy given is the one under which the question was planned. */
export function policyIsTheOne(plan: Plan, policy: Policy): Verdict {
  return policyHash(policy) === plan.policyHash
    ? passed("the policy given is the one whose hash the plan holds")
    : failed("the policy given is not the one whose hash the plan holds");
}

/** Units, adjacency and contribution bounds are the policy's. */
export function unitIsThePolicys(plan: Plan, policy: Policy): Verdict {
  const { groups, rows, limit: applied, enforced } = plan.contribution;
  const amiss: string[] = [];
  if (plan.adjacency !== policy.privacyUnit.adjacency) amiss.push("the adjacency is not the policy's");
  const read = [...tables(plan.from)];
  for (const { table, unit } of read)
    if (canonicalJson(unit) !== canonicalJson(wayToUnit(policy, table)))
      amiss.push("the privacy unit is not the policy's");
  if (saysOtherTables(plan, policy))
    amiss.push("whether other tables hold rows of units is not as in the policy");
  const limits = read
    .map(({ table }) => tableOf(table, policy))
    .filter(({ unit }) => unit.kind !== "public")
    .map(({ contribution }) => contribution);
  if (limits.some((limit) => applied !== limit.limit))
    amiss.push("contributions are not bounded where the policy says");
  if (plan.unit.kind === "row") {
    if (groups > 1 || rows > 1) amiss.push("a unit that is one row is in one group, with one row");
  } else {
    if (!enforced) amiss.push("the contribution of a unit is not bounded");
    if (!limits.some(({ maxGroups }) => groups <= maxGroups))
      amiss.push("a unit may be in more groups than the policy allows");
    if (!limits.some(({ maxRowsPerGroup }) => rows <= maxRowsPerGroup))
      amiss.push("a unit may have more rows in a group than the policy allows");
  }
  return verdict(
    amiss,
    `one ${policy.privacyUnit.name} is protected, within the policy's contribution bounds`,
  );
}

/**
 * Whether a plan is wrong about there being other private tables. Plans of version 1 may say it only where columns of several
 * tables name units: what rests on the others is asked by ./presence.ts.
 */
function saysOtherTables({ unit }: Plan, { tables: declared }: Policy): boolean {
  const kinds = Object.values(declared).map((table) => table.unit.kind);
  const named = kinds.filter((kind) => kind === "column" || kind === "through");
  const isComputed = Object.values(declared).some(({ trusted }) => trusted);
  if (unit.shared === true) return !isComputed && kinds.filter((kind) => kind !== "public").length === 1;
  return unit.kind === "column" && named.length > 1;
}

/** Returns the way from a table's rows to their units by the policy, in the words of a plan. */
function wayToUnit(policy: Policy, table: string): TableRelation["unit"] {
  const { unit } = tableOf(table, policy);
  if (unit.kind === "row" || unit.kind === "public") return { kind: unit.kind };
  if (unit.kind === "column")
    return { kind: "column", column: unit.column, path: [], names: { table, column: unit.column } };
  const { references } = unit;
  const beyond = wayToUnit(policy, references.table);
  if (beyond.kind !== "column") throw new RangeError(`${references.table} has no unit to reach`);
  // A key that is itself the next step needs no row to be looked up.
  const step = { table: references.table, key: references.column, column: beyond.column };
  const path = step.key === step.column ? beyond.path : [step, ...beyond.path];
  return { kind: "column", column: unit.column, path, names: beyond.names };
}

/** Every column that the plan reads is declared, with the bounds, categories and default of the policy. */
export function columnsAreThePolicys(plan: Plan, policy: Policy): Verdict {
  const amiss: string[] = [];
  const read = [...tables(plan.from)];
  for (const { table, columns } of read) {
    const declared = tableOf(table, policy).columns;
    for (const [name, column] of Object.entries(columns)) {
      if (!Object.hasOwn(declared, name) || canonicalJson(declared[name]) !== canonicalJson(column)) {
        amiss.push(`column ${name} is not declared so in the policy`);
      }
    }
  }
  const own = [...made(plan.from)];
  for (const [leaf, missing] of columnsRead(plan)) {
    const column = columnOf(leaf, [...read, ...own]);
    if (!column) amiss.push(`column ${leaf.name} is read and not declared`);
    else if ((column.nullable || missing.has(leaf.source ?? "")) && !leaf.domain.nullable)
      amiss.push(`column ${leaf.name} may be NULL`);
    else if (!isWithin(column, leaf.domain))
      amiss.push(`column ${leaf.name} may hold more than the plan says`);
  }
  return verdict(amiss, "every column is read within the bounds and categories that the policy declares");
}

/** Whether all that a column can hold is of the type and within the bounds of a domain. */
function isWithin(column: ColumnPolicy, domain: Expression["domain"]): boolean {
  const kind = column.type === "integer" ? "number" : column.type;
  if (domain.type !== kind) return false;
  if (domain.type === "number" && domain.integer && column.type !== "integer") return false;
  if (!("bounds" in domain) || domain.bounds === null) return true;
  const range = rangeOf(column);
  return range !== null && domain.bounds[0] <= range[0] && range[1] <= domain.bounds[1];
}

function rangeOf(column: ColumnPolicy): readonly [number, number] | null {
  if (column.type === "integer" && column.categories)
    return [Math.min(...column.categories), Math.max(...column.categories)];
  return "bounds" in column ? column.bounds : null;
}

function columnOf(
  { source, name }: ColumnLeaf,
  read: readonly Pick<TableRelation, "source" | "columns">[],
): ColumnPolicy | undefined {
  const table = read.find((candidate) => candidate.source === (source ?? null));
  return table && Object.hasOwn(table.columns, name) ? table.columns[name] : undefined;
}

/** Keys that are answered without a selection come from the policy, not from the data. */
export function publicKeysAreThePolicys(plan: Plan, policy: Policy): Verdict {
  const { program, parts } = plan.keys;
  const names = parts.map(({ name }) => name);
  const lists = [
    ...(program.kind === "public" ? [{ keys: names, declared: program.declared }] : []),
    ...(plan.totals ?? []).flatMap(({ keys, declared }) => (declared ? [{ keys, declared }] : [])),
  ].filter(({ keys }) => keys.length > 0);
  const ofKept = keptAmiss(plan);
  if (lists.length === 0) return verdict(ofKept, "no key is taken to be public");
  const read = [...tables(plan.from)].map((relation) => ({
    ...relation,
    columns: tableOf(relation.table, policy).columns,
  }));
  const missing = optionalSources(plan.from);
  const written = [...made(plan.from)].flatMap((source) => (source.kind === "list" ? [source] : []));
  const amiss = parts.flatMap(({ name, expression }, at) => {
    const column = expression.kind === "column" ? columnOf(expression, read) : undefined;
    const mayMiss = expression.kind === "column" && missing.has(expression.source ?? "");
    const listed = expression.kind === "column" ? listedValues(expression, written) : null;
    const values = listed
      ? mayMiss
        ? [...listed, null]
        : listed
      : column
        ? publicValues(mayMiss ? { ...column, nullable: true } : column)
        : expression.domain.type === "boolean"
          ? [false, true, null]
          : valuesOf(expression);
    const known = new Set(values?.map(canonicalJson));
    return lists.every(
      ({ keys, declared }) =>
        !keys.includes(name) ||
        declared.every((key) => known.has(canonicalJson(key[keys.indexOf(name)] ?? null))),
    )
      ? []
      : [`a public key of part ${at + 1} is not one that the policy declares`];
  });
  return verdict([...ofKept, ...amiss], "the public keys come from declared categories");
}

/** Returns the values that the question writes out for a column of a list; null for other columns. */
function listedValues(
  { source, name }: ColumnLeaf,
  written: readonly ListRelation[],
): readonly PlannedKeyValue[] | null {
  const list = written.find((candidate) => candidate.source === source);
  const at = list?.names.indexOf(name) ?? -1;
  const type = list?.columns[name]?.type;
  if (list === undefined || at < 0) return null;
  const values = list.rows.flatMap((row) => row[at] ?? []);
  return type === "date" || type === "timestamp"
    ? values.map((value) => writtenTime(type, Number(value)))
    : values;
}

/** Returns what is amiss where every group of public rows is answered: no key may read rows of units, and none may be selected. */
function keptAmiss(plan: Plan): readonly string[] {
  const kept = keptBy(plan.from);
  if (kept === null) return [];
  const program = plan.keys.program.kind;
  const mixed = plan.keys.parts.some(({ expression }) =>
    [...leaves(expression)].some(({ source }) => !kept.has(source ?? "")),
  );
  return [
    ...(mixed ? ["a group that is answered without rows has a key of rows of units"] : []),
    ...(program === "private" ? ["groups that are all answered are selected by their units"] : []),
  ];
}

function keptBy(relation: Relation): ReadonlySet<string> | null {
  if (relation.kind === "filter" || relation.kind === "marked") return keptBy(relation.of);
  if (relation.kind !== "join") return null;
  if (relation.keeps === undefined) return keptBy(relation.left) ?? keptBy(relation.right);
  const side = relation[relation.keeps];
  return new Set([...tables(side), ...made(side)].map(({ source }) => source ?? ""));
}

function tableOf(name: string, policy: Policy): TablePolicy {
  const table = Object.hasOwn(policy.tables, name) ? policy.tables[name] : undefined;
  if (!table) throw new RangeError(`the policy has no table ${name}`);
  return table;
}

/** Returns all values that a column can hold, where these are few; the bounds of whole numbers and of dates determine them too. */
function publicValues(column: ColumnPolicy): readonly PlannedKeyValue[] | null {
  const values = presentValues(column);
  return values && (column.nullable ? [...values, null] : values);
}

function presentValues(column: ColumnPolicy): readonly PlannedKeyValue[] | null {
  switch (column.type) {
    case "boolean":
      return [false, true];
    case "number":
      return null;
    case "text":
      return column.categories;
    case "integer":
      return column.categories ?? between(column.bounds);
    case "date":
    case "timestamp":
      return between(column.bounds)?.map((value) => writtenTime(column.type, value)) ?? null;
  }
}

const mostValues = 1000;

function between(bounds: readonly [number, number] | null): readonly number[] | null {
  if (!bounds || !(bounds[1] - bounds[0] < mostValues)) return null;
  return Array.from({ length: bounds[1] - bounds[0] + 1 }, (_, at) => bounds[0] + at);
}

/** Returns the values of a computed key: the finite domain that the plan states, which planning again derives from the policy. */
function valuesOf({ domain }: Expression): readonly PlannedKeyValue[] | null {
  if (domain.type === "boolean" || !domain.values) return null;
  if (domain.type !== "date" && domain.type !== "timestamp") return [...domain.values, null];
  return [...domain.values.map((value) => writtenTime(domain.type, value)), null];
}
