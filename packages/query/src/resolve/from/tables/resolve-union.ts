import { elementAt } from "@lethe/core/numeric";
import type { SelectStmt } from "@pgsql/types";
import { alignTimes } from "../../../expressions/build/align-times.ts";
import { ofOneType } from "../../../expressions/build/build-expression.ts";
import type { Domain } from "../../../expressions/domain.ts";
import type { Expression } from "../../../expressions/expression.ts";
import { joinDomains } from "../../../expressions/operators/domains.ts";
import type { ColumnPolicy } from "../../../policy/policy.ts";
import { refuse } from "../../../refusals/refuse.ts";
import { ownerOf, tablesOf, type UnionRelation } from "../../../relations/relation.ts";
import type { Scope, ScopeColumn } from "../../names/scope.ts";
import { freeName, policyOfDomain, storedDomain } from "./made-column.ts";
import { refuseUnit } from "./resolve-table.ts";

/** The SELECTs of a UNION ALL, from left to right; the select itself where it is none. */
export function unionParts(select: SelectStmt): readonly SelectStmt[] {
  const { op, larg, rarg } = select;
  if (op === undefined || op === "SETOP_NONE" || !larg || !rarg) return [select];
  if (op !== "SETOP_UNION" || !select.all) return [select];
  return [...unionParts(larg), ...unionParts(rarg)];
}

/**
 * The rows of several subqueries over one kind of unit, under the names of the first one's columns. What one unit has in
 * all of them is bounded together, afterwards. Errors: query.unsupported for rows of different units or of none that is
 * named, and for lists of different lengths; query.type for columns of different types.
 */
export function resolveUnion(
  name: string,
  source: string,
  parts: readonly Scope[],
  offset: number | undefined,
): Scope {
  checkUnits(parts, offset);
  const lists = parts.map(({ sources }) => elementAt(sources, 0).columns);
  const [first] = lists as [readonly ScopeColumn[]];
  if (lists.some((list) => list.length !== first.length))
    refuse(
      "query.unsupported",
      "the parts of a UNION ALL show different numbers of columns",
      "name the same columns in each, instead of *",
      offset,
    );
  const columns: Record<string, ColumnPolicy> = {};
  const values: Record<string, Expression>[] = parts.map(() => ({}));
  const shown = first.map((column, at): ScopeColumn => {
    const { name: of } = column;
    const all = lists.map((list) => elementAt(list, at));
    if (all.some(({ namesUnit }) => namesUnit)) return unitColumn(column, all);
    const made = joined(all, elementAt(parts, 0), offset);
    const own = freeName(of, columns);
    columns[own] = policyOfDomain(made.domain);
    made.values.forEach((value, part) => {
      elementAt(values, part)[own] = value;
    });
    return {
      name: of,
      key: null,
      isUnit: false,
      namesUnit: false,
      expression: () => ({ kind: "column", source, name: own, domain: made.domain }),
    };
  });
  const from: UnionRelation = {
    kind: "union",
    source,
    columns,
    parts: parts.map((part, at) => ({ of: part.from, values: elementAt(values, at) })),
  };
  return { from, sources: [{ name, columns: shown }], merged: [], build: elementAt(parts, 0).build };
}

/** A column that names the unit in all parts names it in the union; where only some do, it is nothing that can be read. */
function unitColumn(column: ScopeColumn, all: readonly ScopeColumn[]): ScopeColumn {
  return {
    name: column.name,
    key: column.key && { of: column.key.of, at: null },
    isUnit: all.every(({ isUnit }) => isUnit),
    namesUnit: all.every(({ namesUnit }) => namesUnit),
    expression: (offset) => refuseUnit(column.name, offset),
  };
}

function joined(
  columns: readonly ScopeColumn[],
  { build }: Scope,
  offset: number | undefined,
): { readonly values: readonly Expression[]; readonly domain: Domain } {
  const resolved = columns.map((column) => column.expression(offset));
  const values = ofOneType(alignTimes(resolved, build, offset), offset);
  return { values, domain: storedDomain(joinDomains(values.map((value) => value.domain))) };
}

function checkUnits(parts: readonly Scope[], offset: number | undefined): void {
  const tables = parts.map(({ from }) => {
    const owned = tablesOf(from).find(({ unit }) => unit.kind !== "public");
    if (ownerOf(from) === "column") return owned!;
    return refuse(
      "query.unsupported",
      owned
        ? `each row of ${owned.table} is a unit of its own: rows of one person in two tables could not be matched`
        : `${elementAt(tablesOf(from), 0).table} is public: its rows belong to no unit`,
      owned
        ? "name the unit in the policy, as unit: a_column, or ask each table by itself"
        : "join the public table instead",
      offset,
    );
  });
  const [first, ...others] = tables;
  for (const { table, unit } of others) {
    const [a, b] = [first!.unit, unit].map((way) => (way.kind === "column" ? way.names : null));
    if (a?.table !== b?.table || a?.column !== b?.column)
      refuse(
        "query.unsupported",
        `the policy does not say that the units of ${first!.table} and ${table} are the same`,
        `declare it in the policy: below ${table}, unit: { through: a_column, references: ${a?.table}.${a?.column} }`,
        offset,
      );
  }
}
