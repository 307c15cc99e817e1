import { elementAt, lastElement } from "@lethe/core/numeric";
import type { ColumnRef, FuncCall, Node, SelectStmt } from "@pgsql/types";
import { demandCondition } from "../../expressions/build/demand-possible.ts";
import type { Domain } from "../../expressions/domain.ts";
import type { Expression } from "../../expressions/expression.ts";
import { writeName } from "../../expressions/write-sql.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import { type GroupedRelation, ownerOf, type Relation, tablesOf } from "../../relations/relation.ts";
import type { UnitAggregate } from "../../relations/unit-aggregate.ts";
import { aggregateCall } from "../aggregates/resolve-aggregate.ts";
import { maxDepth, resolveExpression } from "../expressions/resolve-expression.ts";
import { freeName, policyOfDomain, storedDomain } from "../from/tables/made-column.ts";
import { refuseUnit } from "../from/tables/resolve-table.ts";
import { groupByAll } from "../names/group-by-all.ts";
import { functionName, offsetOf, ownCalls } from "../names/nodes.ts";
import {
  fieldNames,
  findColumn,
  hasColumn,
  resolveName,
  type Scope,
  type ScopeColumn,
  unitSql,
} from "../names/scope.ts";
import { aliased, ordinal, type Target, targetsOf } from "../names/targets.ts";
import { resolveUnitAggregate } from "./resolve-unit-aggregate.ts";
import { truthOf } from "./truth-of.ts";

/** Whether a SELECT makes rows of groups of rows. */
export function aggregates(select: SelectStmt): boolean {
  if (select.groupClause || select.havingClause || select.distinctClause) return true;
  return holdsAggregate(select.targetList);
}

function holdsAggregate(nodes: unknown): boolean {
  for (const call of ownCalls(nodes)) if (aggregateCall({ FuncCall: call }) && !call.over) return true;
  return false;
}

/**
 * Resolves a subquery that is grouped by the unit and possibly by more columns: it computes values of each unit from the unit's own
 * rows. `scope` holds those rows. Errors: query.unsupported where the unit is not among the keys, with the GROUP BY that is
 * accepted, and the refusals of {@link resolveUnitAggregate}.
 */
export function resolveGrouped(
  written: SelectStmt,
  name: string,
  source: string,
  scope: Scope,
  offset: number | undefined,
): Scope {
  demandUnits(scope.from, offset);
  const select = groupByAll(written, holdsAggregate);
  const targets = targetsOf(select);
  const grouping = new Grouping(source, scope, targets);
  const units = groupedBy(select, targets, offset).filter((item) => {
    const node = grouped(item, targets, scope);
    const isUnit = "ColumnRef" in node && findColumn(node.ColumnRef, scope).isUnit;
    if (!isUnit) grouping.key(node);
    return isUnit;
  });
  if (units.length === 0) {
    const unit = unitSql(scope);
    refuse(
      "query.unsupported",
      "a subquery that aggregates rows of several units is not answered",
      unit === null
        ? "join the table that names the unit, and group by that column too; or aggregate in the question itself"
        : `group by ${unit} too, for values of each unit: GROUP BY ${unit}; or aggregate in the question itself`,
      offset,
    );
  }
  const columns = targets.map((target) => grouping.shown(target));
  const having = select.havingClause && grouping.condition(select.havingClause);
  const relation = grouping.relation();
  const from: Relation = having ? { kind: "filter", of: relation, where: having } : relation;
  return { from, sources: [{ name, columns }], merged: [], build: scope.build };
}

/** Returns the items of GROUP BY; DISTINCT groups by every column shown. */
function groupedBy(
  { distinctClause, groupClause }: SelectStmt,
  targets: readonly Target[],
  offset: number | undefined,
): readonly Node[] {
  if (!distinctClause) return groupClause ?? [];
  if (groupClause)
    refuse(
      "query.unsupported",
      "DISTINCT beside GROUP BY is not answered",
      "group by the columns: GROUP BY a, b",
      offset,
    );
  return targets.map(({ node }) => node);
}

function demandUnits(from: Relation, offset: number | undefined): void {
  const owner = ownerOf(from);
  if (owner === "column") return;
  const { table } = elementAt(tablesOf(from), 0);
  refuse(
    "query.unsupported",
    owner === "row"
      ? `each row of ${table} is a unit of its own: a subquery that aggregates would make one row of several units`
      : `${table} is public, and a subquery that aggregates is answered for rows of units`,
    owner === "row" ? "aggregate in the question itself" : "aggregate in the public file itself",
    offset,
  );
}

/** Returns the expression that an item of GROUP BY means: the item itself, or the item of the list that it names or numbers. */
function grouped(item: Node, targets: readonly Target[], scope: Scope): Node {
  if ("GroupingSet" in item)
    refuse(
      "query.unsupported",
      "a subquery is grouped in one way",
      "list the columns: GROUP BY a, b",
      offsetOf(item),
    );
  const place = ordinal(item, targets, "GROUP BY");
  if (place) return place.node;
  const named = aliased(item, targets);
  if (named === null || !("ColumnRef" in item)) return item;
  return hasColumn(lastElement(fieldNames(item.ColumnRef.fields)!), scope) ? item : named.node;
}

class Grouping {
  readonly #source: string;
  readonly #scope: Scope;
  readonly #targets: readonly Target[];
  readonly #columns: Record<string, ColumnPolicy> = {};
  readonly #keys: Record<string, Expression> = {};
  readonly #values: Record<string, UnitAggregate> = {};
  /** Columns by their meaning: a key as it is written, an aggregate as it is resolved. */
  readonly #known = new Map<string, ScopeColumn>();
  readonly #numbers = new Map<ScopeColumn, number>();

  constructor(source: string, scope: Scope, targets: readonly Target[]) {
    this.#source = source;
    this.#scope = scope;
    this.#targets = targets;
  }

  key(node: Node): void {
    if (aggregateCall(node))
      refuse(
        "query.unsupported",
        "a question cannot group by an aggregate",
        "group by columns, and filter with HAVING",
        offsetOf(node),
      );
    const meaning = this.#written(node);
    if (this.#known.has(meaning)) return;
    const expression = resolveExpression(node, this.#scope);
    const { domain } = expression;
    const name = this.#column(this.#nameOf(node, "key"), policyOfDomain(domain));
    this.#keys[name] = expression;
    this.#know(meaning, name, storedDomain(domain));
  }

  /** A column of the list. */
  shown({ name, node, offset }: Target): ScopeColumn {
    if ("ColumnRef" in node) {
      const column = findColumn(node.ColumnRef, this.#scope);
      if (column.isUnit) {
        const key = column.key && { of: column.key.of, at: null };
        return { name, key, isUnit: true, namesUnit: true, expression: (at) => refuseUnit(name, at) };
      }
    }
    const key = "ColumnRef" in node ? (findColumn(node.ColumnRef, this.#scope).key ?? null) : null;
    const value = this.#resolved(node, false);
    if (value.kind === "literal")
      refuse("query.unsupported", "a constant is not a value of a unit", "remove it", offset);
    const of = key && { of: key.of, at: null };
    return { name, key: of, isUnit: false, namesUnit: false, expression: () => value };
  }

  condition(node: Node): Expression {
    const condition = this.#resolved(node, true);
    demandCondition(condition, offsetOf(node));
    return condition;
  }

  relation(): GroupedRelation {
    return {
      kind: "grouped",
      source: this.#source,
      columns: this.#columns,
      of: this.#scope.from,
      keys: this.#keys,
      values: this.#values,
    };
  }

  /** Resolves an expression over the grouping's own columns. */
  #resolved(node: Node, namesTargets: boolean): Expression {
    const swapped = this.#swapped(node, namesTargets, 0) as Node;
    const columns = [...this.#known.values()];
    const sources = [{ name: "", columns }];
    return resolveExpression(swapped, { ...this.#scope, sources, merged: [], marks: new Map() });
  }

  /** Replaces keys and aggregates by the columns that hold them. */
  #swapped(tree: unknown, namesTargets: boolean, depth: number): unknown {
    if (depth > 8 * maxDepth)
      refuse("query.too-large", `an expression nests deeper than ${maxDepth} levels`, "split it");
    const inner = (part: unknown): unknown => this.#swapped(part, namesTargets, depth + 1);
    if (Array.isArray(tree)) return tree.map(inner);
    if (typeof tree !== "object" || tree === null) return tree;
    const node = tree as Node;
    const call = aggregateCall(node);
    const either = call && !call.over ? truthOf(call) : null;
    if (either) return inner(either);
    if (call && !call.over) return reference(this.#aggregate(call, node), call.location);
    const isWritten = Object.keys(node).length === 1 && typeof Object.values(node)[0] === "object";
    const known = isWritten ? this.#known.get(this.#written(node)) : undefined;
    if (known) return reference(known, offsetOf(node));
    if ("SubLink" in node)
      refuse(
        "query.unsupported",
        "a subquery is neither grouped by nor inside an aggregate",
        "ask it in WHERE, in GROUP BY, or inside an aggregate: COUNT_IF(EXISTS (…))",
        node.SubLink.location,
      );
    if ("ColumnRef" in node) return this.#ungrouped(node.ColumnRef, namesTargets, depth);
    return Object.fromEntries(Object.entries(tree).map(([name, part]) => [name, inner(part)]));
  }

  /** Returns the item of the list that a bare column names. Refuses any other column, which has several values in a group. */
  #ungrouped(column: ColumnRef, namesTargets: boolean, depth: number): unknown {
    const [name, ...more] = fieldNames(column.fields) ?? [];
    const target =
      namesTargets && name !== undefined && more.length === 0 && !hasColumn(name, this.#scope)
        ? aliased({ ColumnRef: column }, this.#targets)
        : null;
    if (target) return this.#swapped(target.node, false, depth + 1);
    const found = findColumn(column, this.#scope);
    if (found.namesUnit) refuseUnit(found.name, column.location);
    return refuse(
      "query.unsupported",
      `${writeName(found.name)} is neither grouped by nor inside an aggregate`,
      `add it to GROUP BY, or write MIN(${writeName(found.name)})`,
      column.location,
    );
  }

  #aggregate(call: FuncCall, node: Node): ScopeColumn {
    const { aggregate, policy, domain } = resolveUnitAggregate(call, this.#scope);
    const meaning = JSON.stringify([aggregate, policy]);
    const known = this.#known.get(meaning);
    if (known) return known;
    const name = this.#column(this.#nameOf(node, functionName(call.funcname)), policy);
    this.#values[name] = aggregate;
    return this.#know(meaning, name, domain);
  }

  #column(wanted: string, policy: ColumnPolicy): string {
    const name = freeName(wanted, this.#columns);
    this.#columns[name] = policy;
    return name;
  }

  #know(meaning: string, name: string, domain: Domain): ScopeColumn {
    const column: ScopeColumn = {
      // No question can write this name, so no column of a question is mistaken for it.
      name: `\u0001${this.#known.size}`,
      key: null,
      isUnit: false,
      namesUnit: false,
      expression: () => ({ kind: "column", source: this.#source, name, domain }),
    };
    this.#known.set(meaning, column);
    return column;
  }

  /** Returns the name that the list gives to a node, else the column's own name, else `otherwise`. */
  #nameOf(node: Node, otherwise: string): string {
    const meaning = this.#written(node);
    const target = this.#targets.find((candidate) => this.#written(candidate.node) === meaning);
    if (target) return target.name;
    return "ColumnRef" in node ? (fieldNames(node.ColumnRef.fields)?.at(-1) ?? otherwise) : otherwise;
  }

  /** Writes a node as text in which two references to one column are alike, however they are spelled. */
  #written(node: Node): string {
    return JSON.stringify(node, (name, value: unknown) => {
      if (name === "location") return undefined;
      if (typeof value !== "object" || value === null || !("ColumnRef" in value)) return value;
      return this.#identity((value as { ColumnRef: ColumnRef }).ColumnRef);
    });
  }

  #identity(column: ColumnRef): unknown {
    const names = fieldNames(column.fields);
    const known = names?.at(-1) !== undefined && hasColumn(lastElement(names), this.#scope);
    const isQualified = names?.length === 2;
    const hasSource =
      isQualified &&
      resolveName(
        elementAt(names, 0),
        this.#scope.sources.map(({ name }) => name),
      ) !== null;
    if (!known || (isQualified && !hasSource)) return { names };
    const found = findColumn(column, this.#scope);
    if (!this.#numbers.has(found)) this.#numbers.set(found, this.#numbers.size);
    return { column: this.#numbers.get(found) };
  }
}

function reference({ name }: ScopeColumn, location: number | undefined): Node {
  return {
    ColumnRef: { fields: [{ String: { sval: name } }], ...(location === undefined ? {} : { location }) },
  };
}
