import type { ColumnRef, FuncCall, Node, SelectStmt, SubLink, WindowDef } from "@pgsql/types";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import { groupType, type TypedColumn, windowType } from "../../over/over-columns.ts";
import type { OverColumn, OverOrder, OverRelation, OverWindow } from "../../over/over-relation.ts";
import { conjuncts } from "../../parse/conditions.ts";
import type { QualifiedSelect } from "../../parse/place/place-qualify.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveLiteral } from "../expressions/resolve-literal.ts";
import { functionName, offsetOf } from "../names/nodes.ts";
import { distinctNames } from "../names/output-name.ts";
import { fieldNames, type Scope } from "../names/scope.ts";
import { demandTypes, type TypedPost } from "../post/post-call.ts";
import { constantTime } from "../post/post-times.ts";
import { resolvePostCall } from "../post/resolve-post-call.ts";
import { isOverAggregate, overOrder, overValue, overWindow } from "./over-calls.ts";
import {
  columnValue,
  type OverScope,
  type OverScopeColumn,
  overColumn,
  refuseColumn,
  shownAs,
} from "./over-scope.ts";
import { SelectList } from "./select-list.ts";
import { callsIn, holdsWindow, readsRows, writtenAlike } from "./tree-parts.ts";

/** What a SELECT over an answer takes from around it. */
export interface OverContext {
  /** Builds constants. */
  readonly constants: Scope;
  /** Whether rows are one at most, whatever the data. */
  readonly isOneRow: (relation: OverRelation) => boolean;
  /** Returns the rows of a subquery in an expression. */
  readonly subquery: (select: SelectStmt, offset: number | undefined) => OverScope;
}

const maxDepth = 100;
const mostWindows = 100;

/**
 * A SELECT whose FROM is rows that were made of an answer: WHERE, GROUP BY, HAVING, windows, QUALIFY (which stands in HAVING), DISTINCT, ORDER BY and LIMIT, in SQL's order.
 * Errors: query.unsupported, query.unknown-column, query.type, query.too-large.
 */
export function selectOver(select: QualifiedSelect, from: OverScope, context: OverContext): OverScope {
  return new SelectOver(select, from, context).resolve();
}

class SelectOver {
  readonly #select: QualifiedSelect;
  readonly #context: OverContext;
  readonly #list: SelectList;
  #scope: OverScope;
  /** The columns that stand for nodes that were evaluated: aggregates, windows, group keys. */
  readonly #made = new Map<string, OverScopeColumn>();
  readonly #names = new Set<string>();
  /** The columns that the rows have had so far, by their names, none of which is used twice. */
  readonly #typed: TypedColumn[] = [];
  #isGrouped = false;

  constructor(select: QualifiedSelect, from: OverScope, context: OverContext) {
    this.#select = select;
    this.#scope = from;
    this.#context = context;
    for (const { column, type } of from.columns) {
      this.#names.add(column);
      this.#typed.push({ name: column, type });
    }
    this.#list = new SelectList(select.targetList ?? [], from);
  }

  resolve(): OverScope {
    const { whereClause, havingClause, qualifyClause, limitCount, limitOffset } = this.#select;
    if (whereClause) this.#filter(whereClause, "WHERE");
    this.#group();
    if (havingClause && !this.#isGrouped)
      refuse("query.unsupported", "HAVING takes groups", "write WHERE", offsetOf(havingClause));
    const conditions = conjuncts(havingClause);
    const after = conditions.filter((node) => holdsWindow(node) || this.#namesWindow(node));
    for (const node of conditions) if (!after.includes(node)) this.#filter(node, "HAVING");
    this.#window();
    for (const node of [...after, ...conjuncts(qualifyClause)]) this.#filter(node, "QUALIFY");
    if (this.#firstPlace !== null) this.#keepFirst(this.#firstPlace);
    const shown = this.#list.items.map(({ name, node }) => this.#column(name, node));
    const columns = shown.map(
      ({ name, type }): OverScopeColumn => ({ source: null, name, column: name, type }),
    );
    const { by, extra } = this.#order(shown);
    const limit = count(limitCount, "LIMIT");
    const offset = count(limitOffset, "OFFSET") ?? 0;
    let relation: OverRelation = { kind: "shown", of: this.#scope.relation, columns: [...shown, ...extra] };
    if (this.#select.distinctClause && this.#firstPlace === null)
      relation = { kind: "distinct", of: relation };
    if (by.length > 0 || limit !== null || offset > 0)
      relation = { kind: "ordered", of: relation, orderBy: by, limit, offset };
    if (extra.length > 0)
      relation = {
        kind: "shown",
        of: relation,
        columns: columns.map((column) => shownAs(column.name, column)),
      };
    return { relation, columns };
  }

  #filter(node: Node, clause: string): void {
    const { expression, type } = this.#expression(node);
    demandTypes(clause, "boolean", [{ expression, type, size: 1 }], offsetOf(node));
    this.#scope = {
      ...this.#scope,
      relation: { kind: "filtered", of: this.#scope.relation, where: expression },
    };
  }

  /** A column that stands for a node from now on. */
  #make(written: string, name: string, type: OverColumn["type"]): void {
    this.#typed.push({ name, type });
    this.#made.set(written, { source: null, name, column: name, type });
  }

  #keepFirst(place: string): void {
    const where: PostExpression = {
      kind: "call",
      operator: "=",
      args: [
        { kind: "key", key: place },
        { kind: "literal", value: 1 },
      ],
    };
    this.#scope = { ...this.#scope, relation: { kind: "filtered", of: this.#scope.relation, where } };
  }

  /** Adds up groups, where there are any: the columns are then those that are grouped by, and the aggregates. */
  #group(): void {
    const { targetList, havingClause, qualifyClause, sortClause, windowClause } = this.#select;
    const groupClause = this.#groupsOfAll();
    const clauses = [targetList, havingClause, qualifyClause, sortClause, windowClause];
    const calls = [...callsIn(clauses)].filter(isOverAggregate);
    if (groupClause.length === 0 && calls.length === 0) return;
    const keys = this.#groupKeys(groupClause);
    const values = new Map(
      calls.map((call) => {
        const value = overValue("", call, (node) => this.#expression(node));
        return [
          writtenAlike({ FuncCall: call }),
          { ...value, name: this.#free(functionName(call.funcname)) },
        ];
      }),
    );
    const by = keys.map(({ column }) => column.column);
    const relation: OverRelation = {
      kind: "grouped",
      of: this.#scope.relation,
      by: [...new Set(by)],
      values: [...values.values()],
    };
    const of = this.#scope.columns.filter(({ column }) => by.includes(column));
    this.#scope = { relation, columns: of };
    this.#isGrouped = true;
    for (const { node, column } of keys) this.#made.set(writtenAlike(node), column);
    for (const [written, value] of values) this.#make(written, value.name, groupType(value, this.#typed));
  }

  /** The columns that are grouped by; what is computed becomes a column first. */
  #groupKeys(
    groupClause: readonly Node[],
  ): readonly { readonly node: Node; readonly column: OverScopeColumn }[] {
    const keys = groupClause.map((item) => {
      const node = this.#groupNode(item);
      return { node, value: this.#expression(node) };
    });
    const computed: OverColumn[] = [];
    const found = keys.map(({ node, value: { expression, type } }) => {
      const named =
        expression.kind === "key"
          ? this.#scope.columns.find(({ column }) => column === expression.key)
          : undefined;
      if (named) return { node, column: named };
      const name = this.#free("group");
      if (type === "null") refuse("query.unsupported", "NULL is no group", "leave it out", offsetOf(node));
      computed.push({ name, type, expression });
      this.#typed.push({ name, type });
      return { node, column: { source: null, name, column: name, type } };
    });
    if (computed.length > 0)
      this.#scope = {
        relation: {
          kind: "shown",
          of: this.#scope.relation,
          columns: [...this.#scope.columns.map((column) => shownAs(column.column, column)), ...computed],
        },
        columns: this.#scope.columns,
      };
    return found;
  }

  /** GROUP BY 1 and GROUP BY alias as what stands in the list. */
  #groupNode(item: Node): Node {
    if ("GroupingSet" in item)
      refuse(
        "query.unsupported",
        "an answer is grouped by one list of columns",
        "ask ROLLUP, CUBE and GROUPING SETS of the private tables",
        offsetOf(item),
      );
    if ("A_Const" in item) return this.#list.at(item, "GROUP BY").node;
    if ("ColumnRef" in item && overColumn(item.ColumnRef, this.#scope)) return item;
    return this.#list.namedBy(item)?.node ?? item;
  }

  /** GROUP BY ALL, which is read as GROUP BY '', as all items of the list that hold no aggregate and no window. */
  #groupsOfAll(): readonly Node[] {
    const { groupClause = [] } = this.#select;
    const [only, ...others] = groupClause;
    const isAll = only && "A_Const" in only && only.A_Const.sval && (only.A_Const.sval.sval ?? "") === "";
    if (!isAll || others.length > 0) return groupClause;
    return this.#list.items.flatMap(({ node }) =>
      [...callsIn(node)].some((call) => call.over || isOverAggregate(call)) || !readsRows(node) ? [] : [node],
    );
  }

  /** What DISTINCT ON, and the order that it keeps the first row of, name in the list, before columns. */
  #namedInList(node: Node): Node {
    if ("A_Const" in node) return this.#list.at(node, "DISTINCT ON").node;
    return this.#list.namedBy(node)?.node ?? node;
  }

  /** Makes the columns of all windows that are asked for. */
  #window(): void {
    const { targetList, havingClause, qualifyClause, sortClause } = this.#select;
    const calls = new Map<string, FuncCall>();
    for (const call of callsIn([targetList, havingClause, qualifyClause, sortClause]))
      if (call.over) calls.set(writtenAlike({ FuncCall: call }), call);
    if (calls.size > mostWindows)
      refuse("query.too-large", `more than ${mostWindows} windows`, "ask several questions");
    const windows = [...calls].map(([written, call]) => {
      const name = this.#free(functionName(call.funcname));
      const window = overWindow(
        name,
        call,
        (over) => this.#defined(over, call.location),
        (node) => this.#expression(node),
      );
      return { written, window } as const;
    });
    const distinct = this.#distinctOn();
    const all = [...windows.map(({ window }) => window), ...distinct];
    if (all.length === 0) return;
    this.#scope = {
      ...this.#scope,
      relation: { kind: "windowed", of: this.#scope.relation, windows: all },
    };
    for (const { written, window } of windows)
      this.#make(written, window.name, windowType(window, this.#typed));
  }

  /** DISTINCT ON keeps the first row of each group in the order of the whole, as a window that counts rows does. */
  #distinctOn(): readonly OverWindow[] {
    const { distinctClause = [], sortClause = [] } = this.#select;
    const on = distinctClause.filter((node) => Object.keys(node).length > 0);
    if (on.length === 0) return [];
    const resolved = (node: Node): TypedPost => this.#expression(this.#namedInList(node), 0, null);
    const name = this.#free("place");
    this.#firstPlace = name;
    return [
      {
        name,
        function: "row_number",
        arguments: [],
        partitionBy: on.map((node) => resolved(node).expression),
        orderBy: sortClause.flatMap((node) => ("SortBy" in node ? [overOrder(node.SortBy, resolved)] : [])),
        frame: { peers: true, from: null, to: 0 },
        where: null,
      },
    ];
  }

  #firstPlace: string | null = null;

  #defined(over: WindowDef, location: number | undefined): WindowDef {
    const name = over.name ?? over.refname;
    if (!name) return over;
    const defined = (this.#select.windowClause ?? []).flatMap((node) =>
      "WindowDef" in node && node.WindowDef.name === name ? [node.WindowDef] : [],
    )[0];
    const adds =
      over.refname && (over.partitionClause || over.orderClause || ((over.frameOptions ?? 0) & 1) !== 0);
    if (!defined || defined.refname || adds)
      return refuse(
        "query.unsupported",
        adds ? "a window that adds to another one" : `there is no window ${name}`,
        "write OVER (PARTITION BY … ORDER BY …)",
        location,
      );
    return defined;
  }

  /** Whether a condition names, outside aggregates, an item of the list that is a window. */
  #namesWindow(tree: unknown): boolean {
    if (typeof tree !== "object" || tree === null || "SubLink" in tree) return false;
    if ("FuncCall" in tree && isOverAggregate(tree.FuncCall as FuncCall)) return false;
    if ("ColumnRef" in tree) {
      const ref = tree.ColumnRef as ColumnRef;
      if (overColumn(ref, this.#scope)) return false;
      const target = this.#list.namedBy({ ColumnRef: ref });
      return target !== undefined && holdsWindow(target.node);
    }
    return Object.values(tree).some((part) => this.#namesWindow(part));
  }

  #column(name: string, node: Node): OverColumn {
    const { expression, type } = this.#expression(node, 0, null);
    if (type === "null")
      refuse(
        "query.unsupported",
        `the column ${JSON.stringify(name)} is always NULL`,
        "remove it",
        offsetOf(node),
      );
    return { name, type, expression };
  }

  /** ORDER BY names columns of the list first; what it computes beside them becomes a column that is dropped afterwards. */
  #order(shown: readonly OverColumn[]): {
    readonly by: readonly OverOrder[];
    readonly extra: readonly OverColumn[];
  } {
    const extra: OverColumn[] = [];
    const by = (this.#select.sortClause ?? []).flatMap((item) => {
      if (!("SortBy" in item)) return [];
      return [
        overOrder(item.SortBy, (node) => {
          const target = this.#orderedBy(node, shown);
          if (target) return columnValue({ column: target.name, type: target.type });
          const value = this.#expression(node);
          if (value.type === "null")
            refuse("query.unsupported", "NULL is no order", "leave it out", offsetOf(node));
          const same = shown.find(
            ({ expression }) => JSON.stringify(expression) === JSON.stringify(value.expression),
          );
          const name = same?.name ?? this.#free("order", shown);
          if (!same) extra.push({ name, type: value.type, expression: value.expression });
          return columnValue({ column: name, type: value.type });
        }),
      ];
    });
    if (extra.length > 0 && this.#select.distinctClause && this.#firstPlace === null)
      refuse("query.unsupported", "SELECT DISTINCT is ordered by its columns", "add the column to the list");
    return { by, extra };
  }

  #orderedBy(node: Node, shown: readonly OverColumn[]): OverColumn | undefined {
    const isPlace = "A_Const" in node && node.A_Const.ival;
    const item = isPlace ? this.#list.at(node, "ORDER BY") : this.#list.namedBy(node);
    return item && shown.find(({ name }) => name === item.name);
  }

  #free(word: string, beside: readonly { readonly name: string }[] = []): string {
    const used = [
      ...this.#names,
      ...this.#list.items.map(({ name }) => name),
      ...beside.map(({ name }) => name),
    ];
    const name = distinctNames([...new Set(used), word]).at(-1) ?? word;
    this.#names.add(name);
    return name;
  }

  /** Resolves an expression over the rows as they are now. `alias` is null where columns of the list cannot be named. */
  #expression(node: Node, depth = 0, alias: "aliases" | null = "aliases"): TypedPost {
    if (depth > maxDepth)
      refuse(
        "query.too-large",
        `an expression nests deeper than ${maxDepth} levels`,
        "split it",
        offsetOf(node),
      );
    return this.#found(node, depth, alias);
  }

  #found(node: Node, depth: number, alias: "aliases" | null): TypedPost {
    const made = this.#made.get(writtenAlike(node));
    if (made) return columnValue(made);
    if ("ColumnRef" in node) {
      const column = overColumn(node.ColumnRef, this.#scope);
      if (column) return columnValue(column);
      const names = fieldNames(node.ColumnRef.fields);
      const target = alias && this.#list.namedBy(node);
      if (target) return this.#expression(target.node, depth + 1, null);
      if (this.#isGrouped)
        refuse(
          "query.unsupported",
          `${names?.join(".")} is neither grouped by nor inside an aggregate`,
          "add it to GROUP BY",
          node.ColumnRef.location,
        );
      return refuseColumn(node.ColumnRef, this.#scope);
    }
    if ("A_Const" in node) {
      const literal = resolveLiteral(node.A_Const, this.#context.constants);
      const value = literal.kind === "literal" ? literal.value : null;
      return {
        expression: { kind: "literal", value },
        type: value === null ? "null" : literal.domain.type,
        size: 1,
      };
    }
    if ("SubLink" in node) return this.#subquery(node.SubLink);
    return (
      constantTime(node, this.#context.constants) ??
      resolvePostCall(node, (inner) => this.#expression(inner, depth + 1, alias)) ??
      this.#refuse(node)
    );
  }

  /** The value of a subquery that has one row. */
  #subquery({ subLinkType, subselect, location }: SubLink): TypedPost {
    const select = subselect && "SelectStmt" in subselect ? subselect.SelectStmt : null;
    if (subLinkType !== "EXPR_SUBLINK" || !select)
      return refuse(
        "query.unsupported",
        "EXISTS and IN (SELECT …) are not answered over an answer",
        "join the answer with itself, or write the values out",
        location,
      );
    const { relation, columns } = this.#context.subquery(select, location);
    const [only, ...others] = columns;
    if (!only || others.length > 0 || !this.#context.isOneRow(relation))
      return refuse(
        "query.unsupported",
        "a subquery in an expression has one column and one row",
        "aggregate it without GROUP BY: (SELECT AVG(x) FROM …)",
        location,
      );
    const name = this.#free("subquery");
    this.#typed.push({ name, type: only.type });
    this.#scope = {
      ...this.#scope,
      relation: {
        kind: "joined",
        type: "left",
        left: this.#scope.relation,
        right: { kind: "shown", of: relation, columns: [shownAs(name, only)] },
        on: null,
      },
    };
    return columnValue({ column: name, type: only.type });
  }

  #refuse(node: Node): never {
    if ("FuncCall" in node) {
      const name = functionName(node.FuncCall.funcname).toUpperCase();
      return refuse(
        "query.unsupported",
        `${name} is not answered over an answer`,
        "ask it of the private tables, inside the aggregate or as a group",
        node.FuncCall.location,
      );
    }
    return refuse(
      "query.unsupported",
      "this expression is not answered over an answer",
      "write arithmetic, comparisons, CASE, COALESCE or a window of its columns",
      offsetOf(node),
    );
  }
}

function count(node: Node | undefined, clause: string): number | null {
  if (!node) return null;
  const constant = "A_Const" in node ? node.A_Const : null;
  if (constant?.isnull) return null;
  const value = constant?.ival ? (constant.ival.ival ?? 0) : -1;
  if (value < 0)
    refuse("query.unsupported", `${clause} takes a whole number`, `write ${clause} 10`, offsetOf(node));
  return value;
}
