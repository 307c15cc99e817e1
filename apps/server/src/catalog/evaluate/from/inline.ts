import type { Node, ResTarget, SelectStmt } from "@pgsql/types";
import type { Catalog } from "../../catalog.ts";
import { coerce } from "../../resolve/coerce.ts";
import { oids } from "../../types/oids.ts";
import { conjunctsOf, stringsOf } from "../nodes.ts";
import { Scope, type Source, type SourceColumn } from "../scope.ts";
import { expandStar, targetName } from "../targets.ts";
import type { Named } from "./derived-part.ts";
import { addPart, joinedParts } from "./join-parts.ts";
import { columnNames, type FromPart, type FromReader } from "./part.ts";
import type { Conjunct } from "./plan.ts";

/** The clauses of a SELECT whose rows are those of its sources, each as it stands. */
const plainClauses: ReadonlySet<string> = new Set([
  "targetList",
  "fromClause",
  "whereClause",
  "limitOption",
  "op",
]);

/** Whether a SELECT may be read as a part of the one around it, so that conditions of that one choose among its sources. */
export function canInline(select: SelectStmt, catalog: Catalog): boolean {
  for (const clause of Object.keys(select)) if (!plainClauses.has(clause)) return false;
  if ((select.op ?? "SETOP_NONE") !== "SETOP_NONE" || !select.fromClause?.length) return false;
  return !(select.targetList ?? []).some((target) => collects(target, catalog));
}

/** Whether an expression has aggregates, window functions, or functions that return sets. */
function collects(part: unknown, catalog: Catalog): boolean {
  if (typeof part !== "object" || part === null) return false;
  if (Array.isArray(part)) return part.some((each) => collects(each, catalog));
  if ("SubLink" in part) return false;
  if ("FuncCall" in part) {
    const { funcname, over } = (part as { FuncCall: { funcname?: Node[]; over?: unknown } }).FuncCall;
    const name = stringsOf(funcname).at(-1) ?? "";
    const known = catalog.functions.get(name) ?? [];
    if (over || known.some(({ kind, returnsSet }) => kind !== "f" || returnsSet)) return true;
  }
  return Object.values(part).some((each) => collects(each, catalog));
}

/** Reads such a SELECT: its sources and conditions join those around it. `names` are those that it may use. */
export function inlinedPart(
  select: SelectStmt,
  reader: FromReader,
  names: Scope | null,
  named: Named,
): FromPart {
  const { compiler, level } = reader;
  const inner = new Scope(level, names);
  const own: FromReader = { ...reader, scope: inner };
  const parts = joinedParts(select.fromClause ?? [], own, names);
  addPart(inner, parts);
  const conditions = conjunctsOf(select.whereClause).map((node): Conjunct => {
    const { made, slots } = level.recording(() => compiler.expression(node, inner));
    return { expr: coerce(made, oids.bool, "i", compiler.place, compiler.parameters), slots };
  });
  const columns = (select.targetList ?? []).flatMap((target): SourceColumn[] => {
    const { val, name } = (target as { ResTarget: ResTarget }).ResTarget;
    const star = expandStar(val, inner);
    if (star) return star.map(({ name: each, expr, slots }) => ({ name: each, expr, slots }));
    const { made, slots } = level.recording(() => compiler.expression(val as Node, inner));
    const expr =
      made.type === oids.unknown ? coerce(made, oids.text, "i", compiler.place, compiler.parameters) : made;
    return [{ name: name ?? targetName(val), expr, slots }];
  });
  const stated = columns.map(({ name, expr }, at) => ({
    name: named.columnNames[at] ?? name,
    type: expr.type,
    typmod: expr.typmod,
  }));
  const called = columnNames(stated, named.alias);
  const shown = columns.map((column, at) => ({ ...column, name: called[at] ?? column.name }));
  const source: Source = {
    name: named.alias?.aliasname ?? named.name,
    schema: named.alias ? null : (named.schema ?? null),
    columns: shown,
    rowType: oids.record,
    isPresent: () => true,
  };
  return {
    group: { items: parts.group.items, conjuncts: [...parts.group.conjuncts, ...conditions] },
    sources: [source],
    star: shown,
    slots: parts.slots,
  };
}
