import type { Node, ResTarget, SelectStmt } from "@pgsql/types";
import { allOf, conjuncts } from "../../parse/tree/conditions.ts";
import type { QualifiedSelect } from "../../parse/tree/place-qualify.ts";
import { refuse } from "../../refusals/refuse.ts";
import { offsetOf } from "../names/nodes.ts";
import { distinctNames } from "../names/output-name.ts";
import { fieldNames } from "../names/scope.ts";
import { aliased, ordinal, type Target, targetsOf } from "../names/targets.ts";
import {
  columnNamed,
  holdsAggregate,
  holdsSubquery,
  holdsWindow,
  readsRows,
  replaceNodes,
  writtenAlike,
} from "./tree-parts.ts";

/** A SELECT in two: the private question, and the SELECT over its answer, whose columns it names. */
export interface SplitSelect {
  readonly inner: SelectStmt;
  readonly outer: QualifiedSelect;
}

const isOver = (tree: unknown): boolean => holdsWindow(tree) || holdsSubquery(tree);

/**
 * Whether a SELECT asks, beside its aggregates, for what can be made of its answer alone: windows and subqueries in its columns, QUALIFY, DISTINCT. A subquery in what it is
 * grouped by is none of these, as it stands for a value of rows.
 */
export function asksOverItself(select: QualifiedSelect): boolean {
  const { targetList, havingClause, sortClause, distinctClause, qualifyClause } = select;
  if (!holdsAggregate([targetList, havingClause, sortClause, qualifyClause]) && !select.groupClause)
    return false;
  return (
    distinctClause !== undefined ||
    qualifyClause !== undefined ||
    isOver([havingClause, sortClause]) ||
    (isOver(targetList) && targetsBeside(select).some(isOver))
  );
}

/**
 * Splits a SELECT that asks for windows over its own groups, for subqueries in its columns, or for DISTINCT. Whatever has none of these is asked of the private question, in parts
 * as large as possible, so that the SELECT over the answer computes only what it must. `isColumn` tells names of columns of FROM, which go before
 * those of the list.
 */
export function splitSelect(select: QualifiedSelect, isColumn: (name: string) => boolean): SplitSelect {
  const targets = targetsOf(select);
  const {
    havingClause,
    qualifyClause,
    sortClause,
    limitCount,
    limitOffset,
    distinctClause,
    windowClause,
    ...rest
  } = select;
  const named = new ListNames(targets, isColumn);
  const asked = new Parts(
    targets.map(({ name, node }) => ({ name, node: named.written(node) })),
    keyOf(select),
  );
  const outer = (node: Node): Node => asked.outer(named.written(node));
  /** ORDER BY and DISTINCT ON name items of the list before columns. */
  const listed = (node: Node): Node => (aliased(node, targets) || "A_Const" in node ? node : outer(node));
  const conditions = conjuncts(havingClause);
  const after = conditions.filter((node) => isOver(named.written(node)));
  const before = conditions.filter((node) => !after.includes(node));
  const behind = [...after, ...conjuncts(qualifyClause)].map(outer);
  const over: QualifiedSelect = {
    targetList: targets.map(({ name, node }): Node => ({ ResTarget: { name, val: outer(node) } })),
    ...(behind.length > 0 ? { qualifyClause: allOf(behind) } : {}),
    ...(sortClause ? { sortClause: sortClause.map((node) => sortedBy(node, listed)) } : {}),
    ...(windowClause ? { windowClause: windowClause.map(outer) } : {}),
    ...(distinctClause ? { distinctClause: distinctClause.map(listed) } : {}),
    ...(limitCount ? { limitCount } : {}),
    ...(limitOffset ? { limitOffset } : {}),
  };
  // A constant of the list is no group.
  const groupClause = select.groupClause
    ?.map((node) => placed(node, targets))
    .filter((node) => !("List" in node));
  const inner: SelectStmt = {
    ...rest,
    targetList: asked.inner(),
    ...(groupClause && groupClause.length > 0 ? { groupClause } : {}),
    ...(before.length > 0 ? { havingClause: allOf(before) } : {}),
  };
  return { inner, outer: over };
}

function sortedBy(item: Node, listed: (node: Node) => Node): Node {
  if (!("SortBy" in item) || !item.SortBy.node) return item;
  return { SortBy: { ...item.SortBy, node: listed(item.SortBy.node) } };
}

/** The names of a list's items, where they stand in expressions: what is no column of FROM is written out as the item. */
class ListNames {
  readonly #targets: readonly Target[];
  readonly #isColumn: (name: string) => boolean;

  constructor(targets: readonly Target[], isColumn: (name: string) => boolean) {
    this.#targets = targets;
    this.#isColumn = isColumn;
  }

  written(node: Node, within: readonly Target[] = []): Node {
    return replaceNodes(node, (part) => {
      if ("SubLink" in part) return part;
      const names = "ColumnRef" in part ? fieldNames(part.ColumnRef.fields) : null;
      if (names?.length !== 1 || this.#isColumn(names[0] ?? "")) return null;
      const target = aliased(part, this.#targets);
      return target && !within.includes(target) ? this.written(target.node, [...within, target]) : null;
    });
  }
}

/** Returns what a SELECT puts out beside what it is grouped by. */
function targetsBeside(select: SelectStmt): readonly Node[] {
  const isKey = keyOf(select);
  return targetsOf(select).flatMap(({ node }) => (isKey(node) ? [] : [node]));
}

/** Returns whether a node is written as one of those that a SELECT is grouped by, where that holds a subquery. */
function keyOf(select: SelectStmt): (node: Node) => boolean {
  const targets = targetsOf(select);
  const keys = (select.groupClause ?? []).flatMap((item) => {
    const node = aliased(item, targets)?.node ?? placed(item, targets);
    return holdsSubquery(node) ? [writtenAlike(node)] : [];
  });
  return (node) => keys.length > 0 && keys.includes(writtenAlike(node));
}

/** GROUP BY 2 as the expression that stands there, which is none where it is a constant. GROUP BY '' is GROUP BY ALL. */
function placed(node: Node, targets: readonly Target[]): Node {
  return replaceNodes(node, (part) => {
    if (!("A_Const" in part)) return "GroupingSet" in part ? null : part;
    if (!part.A_Const.ival) return part;
    const found = ordinal(part, targets, "GROUP BY")?.node ?? part;
    return "A_Const" in found ? { List: {} } : found;
  });
}

/** The parts of a SELECT that the private question is asked for. */
class Parts {
  /** The names of the columns of the private question, by how they are written. */
  readonly #names = new Map<string, string>();
  readonly #columns: ResTarget[] = [];
  readonly #used = new Set<string>();

  /** Whether a node is one of those that are grouped by. */
  readonly #isKey: (node: Node) => boolean;

  constructor(targets: readonly Pick<Target, "name" | "node">[], isKey: (node: Node) => boolean) {
    this.#isKey = isKey;
    for (const { name } of targets) this.#used.add(name);
    for (const { name, node } of targets)
      if (isKey(node) || (!isOver(node) && readsRows(node))) {
        this.#columns.push({ name, val: node });
        this.#names.set(writtenAlike(node), name);
      }
  }

  inner(): Node[] {
    return this.#columns.map((target): Node => ({ ResTarget: target }));
  }

  /** Returns a node in which the largest parts that are no windows and hold none name columns of the private question. */
  outer(node: Node): Node {
    return replaceNodes(node, (part) => this.#replaced(part));
  }

  #replaced(node: Node): Node | null {
    if ("SubLink" in node) return node;
    if ("String" in node || "A_Const" in node || "TypeName" in node || "List" in node) return null;
    // What holds a part of the SELECT is none itself.
    if ("SortBy" in node || "WindowDef" in node || "ResTarget" in node || "CaseWhen" in node) return null;
    if (!this.#isKey(node) && (isOver(node) || !readsRows(node))) return null;
    const written = writtenAlike(node);
    const known = this.#names.get(written);
    if (known !== undefined) return columnNamed(known);
    if ("A_Star" in node)
      refuse(
        "query.unsupported",
        "a question with windows names its columns",
        "write them out",
        offsetOf(node),
      );
    const name = this.#free();
    this.#names.set(written, name);
    this.#columns.push({ name, val: node });
    return columnNamed(name);
  }

  #free(): string {
    const name = distinctNames([...this.#used, "part"]).at(-1) ?? "part";
    this.#used.add(name);
    return name;
  }
}
