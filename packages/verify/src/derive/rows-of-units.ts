import type {
  ColumnPolicy,
  Expression,
  GroupedRelation,
  JoinRelation,
  ListRelation,
  MarkedRelation,
  Plan,
  Relation,
  TableRelation,
  UnionRelation,
  WindowedRelation,
} from "@lethe/query";
import { type ColumnLeaf, leaves } from "./leaves.ts";
import { valuesFitColumns, windowsFitColumns } from "./made-columns.ts";

/** The owner of a relation's rows: nobody; each row, as a unit of its own; or the units that a column names. */
export type Owner =
  | { readonly kind: "nobody" }
  | { readonly kind: "row" }
  /** `once`: no unit has two rows, whatever the data. */
  | { readonly kind: "named"; readonly by: string; readonly once: boolean };

export function* tables(relation: Relation): Iterable<TableRelation> {
  if (relation.kind === "list") return;
  if (relation.kind === "table") yield relation;
  else if (relation.kind === "filter" || relation.kind === "grouped" || relation.kind === "windowed")
    yield* tables(relation.of);
  else if (relation.kind === "semijoin" || relation.kind === "marked") {
    yield* tables(relation.of);
    yield* tables(relation.among);
  } else if (relation.kind === "union") {
    for (const { of } of relation.parts) yield* tables(of);
  } else {
    yield* tables(relation.left);
    yield* tables(relation.right);
  }
}

/** A part of a relation that has columns of its own, which no policy declares. */
export type MadeRelation = ListRelation | UnionRelation | GroupedRelation | WindowedRelation | MarkedRelation;

/** Yields the parts of a relation that have columns of their own. */
export function* made(relation: Relation): Iterable<MadeRelation> {
  switch (relation.kind) {
    case "table":
      return;
    case "list":
      yield relation;
      return;
    case "filter":
      yield* made(relation.of);
      return;
    case "grouped":
    case "windowed":
      yield relation;
      yield* made(relation.of);
      return;
    case "semijoin":
      yield* made(relation.of);
      yield* made(relation.among);
      return;
    case "marked":
      yield relation;
      yield* made(relation.of);
      yield* made(relation.among);
      return;
    case "union":
      yield relation;
      for (const { of } of relation.parts) yield* made(of);
      return;
    case "join":
      yield* made(relation.left);
      yield* made(relation.right);
  }
}

/**
 * Derives that every row of a relation is one unit's and that no unit's rows depend on another unit: private rows meet
 * private rows of the same unit alone, an outer join keeps no row that is nobody's, and a row that is a unit is never
 * multiplied; a row is kept or marked for the sake of public rows, or of rows of the same unit, alone. Errors: RangeError with what is amiss.
 */
export function ownerOfRows(relation: Relation): Owner {
  switch (relation.kind) {
    case "table":
      return ownerOfTable(relation);
    case "list":
      if (!listIsWhole(relation)) throw new RangeError("a list whose rows are not its columns");
      return { kind: "nobody" };
    case "filter":
      return ownerOfRows(relation.of);
    case "union":
      return ownerOfUnion(relation);
    case "grouped":
      return ownerOfGroups(relation);
    case "windowed":
      return ownerOfWindows(relation);
    case "semijoin":
      if (ownerOfRows(relation.among).kind !== "nobody")
        throw new RangeError("rows are kept or left out by what another unit's rows hold");
      return ownerOfRows(relation.of);
    case "marked":
      return ownerOfMarked(relation);
    case "join":
      return ownerOfPairs(relation, ownerOfRows(relation.left), ownerOfRows(relation.right));
  }
}

/** Rows of parts whose units are named in one way: what one unit has in each is still that unit's. */
function ownerOfUnion({ parts, columns }: UnionRelation): Owner {
  const [first, ...others] = parts.map(({ of }) => ownerOfRows(of));
  if (first?.kind !== "named") throw new RangeError("a union of rows that name no unit");
  for (const other of others)
    if (other.kind !== "named" || other.by !== first.by)
      throw new RangeError("a union of rows of different units");
  for (const [name, { nullable }] of Object.entries(columns))
    for (const { values } of parts) {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined || (value.domain.nullable && !nullable))
        throw new RangeError("a union whose parts do not have its columns");
    }
  return { ...first, once: false };
}

/** Groups of one unit's rows each: the engine groups by the unit first, whatever the keys. */
function ownerOfGroups(relation: GroupedRelation): Owner {
  const owner = ownerOfRows(relation.of);
  if (owner.kind !== "named") throw new RangeError("rows that name no unit are grouped within units");
  if (!valuesFitColumns(relation)) throw new RangeError("a grouping whose values are not its columns");
  return { ...owner, once: Object.keys(relation.keys).length === 0 };
}

/** Windows over one unit's rows each, in an order of all that they hold: as many rows as before. */
function ownerOfWindows(relation: WindowedRelation): Owner {
  const owner = ownerOfRows(relation.of);
  if (owner.kind !== "named") throw new RangeError("windows over rows that name no unit");
  if (!windowsFitColumns(relation)) throw new RangeError("windows whose values are not their columns");
  return owner;
}

/** The engine looks among rows of the same unit alone, whatever the plan's own condition: so both must name it in one way. */
function ownerOfMarked({ of, among, columns }: MarkedRelation): Owner {
  const [owner, looked] = [ownerOfRows(of), ownerOfRows(among)];
  const marks = Object.values(columns);
  if (marks.length !== 1 || marks[0]?.type !== "boolean" || marks[0].nullable)
    throw new RangeError("a mark that is not one boolean column");
  if (looked.kind === "nobody") return owner;
  if (owner.kind !== "named" || looked.kind !== "named" || owner.by !== looked.by)
    throw new RangeError("rows are marked by what another unit's rows hold");
  return owner;
}

/** Whether each row of a list has a value for each column, of its type and within its bounds. */
function listIsWhole({ names, columns, rows }: ListRelation): boolean {
  const declared = Object.keys(columns);
  if (declared.length !== names.length || new Set(names).size !== names.length) return false;
  return rows.every(
    (row) =>
      row.length === names.length &&
      row.every((value, at) => {
        const name = names[at] ?? "";
        return Object.hasOwn(columns, name) && holds(columns[name], value);
      }),
  );
}

function holds(column: ColumnPolicy | undefined, value: string | number | boolean): boolean {
  if (column === undefined) return false;
  if (column.type === "boolean") return typeof value === "boolean";
  if (column.type === "text")
    return typeof value === "string" && (column.categories?.includes(value) ?? false);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || column.type === "number") return false;
  const { bounds } = column;
  return bounds !== null && bounds[0] <= value && value <= bounds[1];
}

function ownerOfTable({ table, unit, oncePer }: TableRelation): Owner {
  if (unit.kind !== "public" && oncePer !== null)
    throw new RangeError(`rows of ${table} are left out by what other rows hold`);
  if (unit.kind === "public") return { kind: "nobody" };
  return unit.kind === "row"
    ? unit
    : { kind: "named", by: JSON.stringify([unit.names.table, unit.names.column]), once: false };
}

function ownerOfPairs(join: JoinRelation, left: Owner, right: Owner): Owner {
  if (join.keeps !== undefined) {
    const kept = join.keeps === "left" ? left : right;
    if (join.type !== "inner" || kept.kind !== "nobody")
      throw new RangeError("the groups of rows that are somebody's are answered for their absence");
  }
  if (left.kind === "nobody" && right.kind === "nobody") return left;
  if (left.kind !== "nobody" && right.kind !== "nobody") {
    // The engine joins them on the unit, whatever the plan's own condition: so both must name it in one way.
    if (left.kind !== "named" || right.kind !== "named" || left.by !== right.by)
      throw new RangeError("rows of different units are joined");
    // A FULL JOIN keeps both rows of a unit where they do not meet.
    return { ...left, once: left.once && right.once && join.type !== "full" };
  }
  const owner = left.kind === "nobody" ? right : left;
  const keeps = left.kind === "nobody" ? "right" : "left";
  if (join.type !== "inner" && join.type !== keeps)
    throw new RangeError("rows of nobody are kept by an outer join");
  if (owner.kind === "row") meetsOneRow(join, left.kind === "nobody" ? join.left : join.right);
  return owner.kind === "named" ? { ...owner, once: false } : owner;
}

/** A public table of which one row a key is read, found by that key. */
function meetsOneRow({ on }: JoinRelation, met: Relation): void {
  const finds = on?.kind === "call" && on.operator === "and" ? on.args : on ? [on] : [];
  const once = met.kind === "table" ? met.oncePer : null;
  const source = met.kind === "table" || met.kind === "list" ? met.source : null;
  const reads = (part: Expression): boolean => [...leaves(part)].some((leaf) => leaf.source === source);
  const isKey = (part: Expression | undefined): boolean =>
    part?.kind === "column" &&
    part.source === source &&
    (met.kind === "list" ? isToldApart(met, part.name) : part.name === once);
  const found =
    (once !== null || met.kind === "list") &&
    finds.some((condition) => {
      if (condition.kind !== "call" || condition.operator !== "=") return false;
      const [a, b] = condition.args;
      return a !== undefined && b !== undefined && ((isKey(a) && !reads(b)) || (isKey(b) && !reads(a)));
    });
  if (!found) throw new RangeError("a row that is a unit may meet many public rows");
}

/** Whether no two rows of a list have the same value in a column. */
function isToldApart({ names, rows }: ListRelation, column: string): boolean {
  const at = names.indexOf(column);
  return at >= 0 && new Set(rows.map((row) => row[at])).size === rows.length;
}

/** Sources whose columns may be missing in the rows of a relation: those of the sides that outer joins need not find. */
export function optionalSources(relation: Relation): ReadonlySet<string> {
  if (relation.kind === "table" || relation.kind === "list") return new Set();
  if (relation.kind === "union" || relation.kind === "grouped") return new Set();
  if (relation.kind !== "join") return optionalSources(relation.of);
  const { type, left, right } = relation;
  const all = (side: Relation): string[] =>
    [...tables(side), ...made(side)].map(({ source }) => source ?? "");
  return new Set([
    ...optionalSources(left),
    ...optionalSources(right),
    ...(type === "right" || type === "full" ? all(left) : []),
    ...(type === "left" || type === "full" ? all(right) : []),
  ]);
}

/** Every column that is read, with the sources that may be missing where it is. */
export function* columnsRead(plan: Plan): Iterable<readonly [ColumnLeaf, ReadonlySet<string>]> {
  const rows = plan.from;
  yield* columnsOfRelation(rows);
  const missing = optionalSources(rows);
  const { where, keys, sums, trees = [] } = plan;
  const expressions = [
    ...(where ? [where] : []),
    ...keys.parts.map(({ expression }) => expression),
    ...trees.map(({ argument }) => argument),
    ...sums.flatMap((sum) => (sum.kind !== "units" && sum.argument ? [sum.argument] : [])),
    ...sums.flatMap((sum) => (sum.kind === "scaled-products" ? [sum.other.argument] : [])),
    ...sums.flatMap((sum) => (sum.kind === "sum" ? (sum.factors ?? []).map(({ argument }) => argument) : [])),
  ];
  for (const expression of expressions) for (const leaf of leaves(expression)) yield [leaf, missing];
}

function* columnsOfRelation(relation: Relation): Iterable<readonly [ColumnLeaf, ReadonlySet<string>]> {
  if (relation.kind === "table" || relation.kind === "list") return;
  if (relation.kind === "filter") {
    yield* columnsOfRelation(relation.of);
    for (const leaf of leaves(relation.where)) yield [leaf, optionalSources(relation.of)];
    return;
  }
  if (relation.kind === "union") {
    for (const { of, values } of relation.parts) {
      yield* columnsOfRelation(of);
      const missing = optionalSources(of);
      for (const value of Object.values(values)) for (const leaf of leaves(value)) yield [leaf, missing];
    }
    return;
  }
  if (relation.kind === "windowed") {
    yield* columnsOfRelation(relation.of);
    const missing = optionalSources(relation.of);
    for (const { value, partition, order } of Object.values(relation.values))
      for (const expression of [
        ...partition,
        ...order.map(({ by }) => by),
        ...(value.argument ? [value.argument] : []),
      ])
        for (const leaf of leaves(expression)) yield [leaf, missing];
    return;
  }
  if (relation.kind === "grouped") {
    yield* columnsOfRelation(relation.of);
    const missing = optionalSources(relation.of);
    const read = Object.values(relation.values).flatMap(({ argument }) => argument ?? []);
    for (const expression of [...Object.values(relation.keys), ...read])
      for (const leaf of leaves(expression)) yield [leaf, missing];
    return;
  }
  const [left, right] =
    relation.kind === "join" ? [relation.left, relation.right] : [relation.of, relation.among];
  yield* columnsOfRelation(left);
  yield* columnsOfRelation(right);
  if (relation.on === null) return;
  const missing = new Set([...optionalSources(left), ...optionalSources(right)]);
  for (const leaf of leaves(relation.on)) yield [leaf, missing];
}
