import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node, ResTarget, SelectStmt, SortBy, WindowDef } from "@pgsql/types";
import type { Expression } from "../../expressions/expression.ts";
import type { ColumnPolicy } from "../../policy/policy.ts";
import { refuse } from "../../refusals/refuse.ts";
import { ownerOf, type Relation, tablesOf } from "../../relations/relation.ts";
import type { UnitWindow, WindowOrder } from "../../relations/unit-window.ts";
import { maxDepth, resolveExpression } from "../expressions/resolve-expression.ts";
import { freeName } from "../from/tables/made-column.ts";
import { functionName, offsetOf, ownCalls, part } from "../names/nodes.ts";
import { defaultName } from "../names/output-name.ts";
import { findColumn, type Scope, type ScopeColumn, unitSql } from "../names/scope.ts";
import { frameOf } from "./resolve-window-frame.ts";
import { type ResolvedValue, resolvedValue } from "./resolve-window-value.ts";
import { shownColumns } from "./shown-columns.ts";

/** Whether a SELECT's list asks for windows. */
export function asksWindows(select: SelectStmt): boolean {
  for (const call of ownCalls(select.targetList)) if (call.over) return true;
  return false;
}

/**
 * A subquery whose list has windows over rows of the same unit, beside what other subqueries show. Errors: query.unsupported for
 * windows that hold rows of several units, with the PARTITION BY that is accepted; for other functions and frames.
 */
export function resolveWindows(
  select: SelectStmt,
  name: string,
  source: string,
  scope: Scope,
  offset: number | undefined,
): Scope {
  demandUnits(scope.from, offset);
  const windows = new Windows(source, scope, select);
  const columns = (select.targetList ?? []).flatMap((target) =>
    windows.shown((target as { ResTarget: ResTarget }).ResTarget),
  );
  return { from: windows.relation(), sources: [{ name, columns }], merged: [], build: scope.build };
}

function demandUnits(from: Relation, offset: number | undefined): void {
  const owner = ownerOf(from);
  if (owner === "column") return;
  refuse(
    "query.unsupported",
    `a window over ${elementAt(tablesOf(from), 0).table} ${owner === "row" ? "would hold rows of several units" : "is not answered: the table is public"}`,
    "ask with GROUP BY",
    offset,
  );
}

class Windows {
  readonly #source: string;
  readonly #scope: Scope;
  readonly #defined: ReadonlyMap<string, WindowDef>;
  readonly #columns: Record<string, ColumnPolicy> = {};
  readonly #values: Record<string, UnitWindow> = {};
  readonly #made = new Map<string, ScopeColumn>();

  constructor(source: string, scope: Scope, { windowClause = [] }: SelectStmt) {
    this.#source = source;
    this.#scope = scope;
    this.#defined = new Map(
      windowClause.flatMap((node) =>
        "WindowDef" in node && node.WindowDef.name ? [[node.WindowDef.name, node.WindowDef] as const] : [],
      ),
    );
  }

  /** The columns of one item of the list. What is joined to these rows afterwards finds them by the unit alone. */
  shown(target: ResTarget): readonly ScopeColumn[] {
    const { val, name } = target;
    const isMade = val !== undefined && [...ownCalls(val)].some(({ over }) => over);
    if (!isMade)
      return shownColumns(target, this.#scope).map((column) => ({
        ...column,
        key: column.key && { of: column.key.of, at: null },
      }));
    const shownAs = name ?? defaultName(val);
    const swapped = this.#swapped(val, shownAs, 0) as Node;
    const made = { name: "\u0001", columns: [...this.#made.values()] };
    const value = resolveExpression(swapped, { ...this.#scope, sources: [...this.#scope.sources, made] });
    return [{ name: shownAs, expression: () => value, key: null, isUnit: false, namesUnit: false }];
  }

  relation(): Relation {
    return {
      kind: "windowed",
      source: this.#source,
      columns: this.#columns,
      of: this.#scope.from,
      values: this.#values,
    };
  }

  /** Windows replaced by the columns that hold their values. */
  #swapped(tree: unknown, shownAs: string, depth: number): unknown {
    if (depth > 8 * maxDepth)
      refuse("query.too-large", `an expression nests deeper than ${maxDepth} levels`, "split it");
    if (Array.isArray(tree)) return tree.map((part) => this.#swapped(part, shownAs, depth + 1));
    if (typeof tree !== "object" || tree === null) return tree;
    if ("FuncCall" in tree && (tree.FuncCall as FuncCall).over) {
      const call = tree.FuncCall as FuncCall;
      const column = this.#column(call, shownAs);
      const location = call.location === undefined ? {} : { location: call.location };
      return { ColumnRef: { fields: [{ String: { sval: column.name } }], ...location } };
    }
    return Object.fromEntries(
      Object.entries(tree).map(([key, part]) => [key, this.#swapped(part, shownAs, depth + 1)]),
    );
  }

  #column(call: FuncCall, shownAs: string): ScopeColumn {
    const { window, policy, domain } = this.#resolved(call);
    const meaning = JSON.stringify([window, policy]);
    const known = this.#made.get(meaning);
    if (known) return known;
    const own = freeName(shownAs, this.#columns);
    this.#columns[own] = policy;
    this.#values[own] = window;
    const column: ScopeColumn = {
      // No name of a question.
      name: `\u0001${this.#made.size}`,
      key: null,
      isUnit: false,
      namesUnit: false,
      expression: () => ({ kind: "column", source: this.#source, name: own, domain }),
    };
    this.#made.set(meaning, column);
    return column;
  }

  #resolved(call: FuncCall): Omit<ResolvedValue, "value"> & { readonly window: UnitWindow } {
    const { location } = call;
    const label = functionName(call.funcname).toUpperCase();
    const over = this.#definition(part(call.over), label, location);
    const partition = this.#partition(over, label, location);
    const order = (over.orderClause ?? []).flatMap((node) =>
      "SortBy" in node ? [this.#order(node.SortBy)] : [],
    );
    const frame = frameOf(over, this.#scope, location);
    const { value, policy, domain } = resolvedValue(call, frame, this.#scope);
    const isPlaced = !("grid" in value || ["count", "min", "max"].includes(value.kind));
    if (order.length === 0 && (isPlaced || frame !== null))
      refuse(
        "query.unsupported",
        `${label} needs an order, and none is stated`,
        "write OVER (PARTITION BY … ORDER BY x)",
        location,
      );
    // The places of rows do not hang on a frame.
    const framed = isPlaced && value.kind !== "first" && value.kind !== "last" ? null : frame;
    return { window: { value, partition, order, frame: framed }, policy, domain };
  }

  #definition(over: WindowDef, label: string, location: number | undefined): WindowDef {
    if (over.refname)
      refuse("query.unsupported", `${label}: a window that adds to another one`, "write it out", location);
    if (!over.name) return over;
    const defined = this.#defined.get(over.name);
    if (!defined || defined.refname)
      refuse(
        "query.unsupported",
        `${label}: there is no window ${over.name}`,
        "write OVER (PARTITION BY …)",
        location,
      );
    return defined;
  }

  #partition(over: WindowDef, label: string, location: number | undefined): readonly Expression[] {
    const nodes = over.partitionClause ?? [];
    const others = nodes.filter(
      (node) => !("ColumnRef" in node && findColumn(node.ColumnRef, this.#scope).isUnit),
    );
    if (others.length === nodes.length) {
      const unit = unitSql(this.#scope);
      const isFirst = "ofDistinctOn" in over;
      refuse(
        "query.unsupported",
        isFirst
          ? "DISTINCT ON would keep the first of rows of several units"
          : `${label}: the window would hold rows of several units`,
        unit === null
          ? "join the table that names the unit, and partition by that column too"
          : isFirst
            ? `write DISTINCT ON (${unit}, …) … ORDER BY ${unit}, …`
            : `write OVER (PARTITION BY ${unit} …)`,
        location,
      );
    }
    return others.map((node) => resolveExpression(node, this.#scope));
  }

  #order({ node: given, sortby_dir, sortby_nulls }: SortBy): WindowOrder {
    const node = part(given);
    if (sortby_dir === "SORTBY_USING")
      refuse("query.unsupported", "ORDER BY … USING is not known", "write ASC or DESC", offsetOf(node));
    const descending = sortby_dir === "SORTBY_DESC";
    const nullsFirst =
      sortby_nulls === "SORTBY_NULLS_DEFAULT" ? descending : sortby_nulls === "SORTBY_NULLS_FIRST";
    return { by: resolveExpression(node, this.#scope), descending, nullsFirst };
  }
}
