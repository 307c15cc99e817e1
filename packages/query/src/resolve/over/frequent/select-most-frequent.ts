import { elementAt } from "@lethe/core/numeric";
import type { Node, SelectStmt } from "@pgsql/types";
import { allOf, conjuncts } from "../../../parse/tree/conditions.ts";
import type { QualifiedSelect } from "../../../parse/tree/place-qualify.ts";
import { refuse } from "../../../refusals/refuse.ts";
import { groupByAll } from "../../names/group-by-all.ts";
import { offsetOf, offsetWithin } from "../../names/nodes.ts";
import { fieldNames } from "../../names/scope.ts";
import { aliased, type Target, targetsOf } from "../../names/targets.ts";
import { splitSelect } from "../split-select.ts";
import { columnNamed, holdsAggregate, holdsWindow, readsRows, writtenAlike } from "../tree-parts.ts";
import { CountedQuestions, mostFirst, named, shown, whole, withAggregate } from "./counted-questions.ts";
import { GroupedValues } from "./grouped-values.ts";
import { placedValues } from "./placed-values.ts";
import { Placeholders, type RankedValue } from "./placeholders.ts";

/** A SELECT over answers, and the private questions in it that count values. */
export interface MostFrequent {
  readonly select: QualifiedSelect;
  readonly questions: readonly SelectStmt[];
}

/**
 * Writes a SELECT that asks for most frequent values as a SELECT over answers: the counts of each value, in each group, are one private question, and the rest of the SELECT is
 * another. MODE(x) is then the value with the most rows by the noisy counts, and of several the smallest. APPROX_TOP_COUNT(x, 2) AS top is the columns top_0, top_0_count,
 * top_1 and top_1_count, and APPROX_TOP_K(x, 2) AS top is top_0 and top_1. NULL is no value, as in SQL. `isColumn` tells names of columns of FROM.
 * Errors: query.unsupported.
 * @example selectMostFrequent(select of "SELECT MODE(plan) FROM users", isColumn)
 *   // => select of "SELECT (SELECT value FROM (SELECT plan AS value, COUNT(*) AS n FROM users WHERE plan IS NOT NULL GROUP BY plan) c ORDER BY n DESC, value LIMIT 1) AS mode"
 */
export function selectMostFrequent(
  stated: QualifiedSelect,
  isColumn: (name: string) => boolean,
): MostFrequent {
  const places = new Placeholders();
  const grouped = groupByAll(stated, (node) => holdsAggregate(node) || holdsWindow(node));
  const select = placedValues(grouped, places);
  const keys = keysOf(select, isColumn, places);
  return keys.length > 0
    ? new GroupedValues(select, keys, places, isColumn)
    : ofAllRows(select, places, isColumn);
}

/** Returns the expressions that a SELECT groups by, each once. Errors: query.unsupported for ROLLUP and the like, and for groups by a most frequent value. */
function keysOf(
  select: SelectStmt,
  isColumn: (name: string) => boolean,
  places: Placeholders,
): readonly Node[] {
  const targets = targetsOf(select);
  const found = new Map<string, Node>();
  for (const item of select.groupClause ?? []) {
    const key = namedTarget(item, targets, isColumn)?.node ?? item;
    const isSet = "GroupingSet" in item;
    if (isSet || places.isIn(key))
      refuse(
        "query.unsupported",
        isSet
          ? "MODE is answered for groups of one list of columns"
          : "a question cannot group by its most frequent values",
        isSet ? "write GROUP BY with columns alone" : "group by columns",
        offsetOf(item),
      );
    if (!("A_Const" in key)) found.set(writtenAlike(key), key);
  }
  return [...found.values()];
}

/** The column of the list that an item of GROUP BY names, unless it names a column of FROM. */
function namedTarget(
  item: Node,
  targets: readonly Target[],
  isColumn: (name: string) => boolean,
): Target | null {
  const target = aliased(item, targets);
  const names = target && "ColumnRef" in item ? fieldNames(item.ColumnRef.fields) : null;
  return names && !isColumn(elementAt(names, 0)) ? target : null;
}

/** Whether a SELECT asks for an aggregate beside the most frequent values, which placeholders stand for. */
function asksForMore({ targetList, havingClause, qualifyClause, sortClause }: QualifiedSelect): boolean {
  return holdsAggregate([targetList, havingClause, qualifyClause, sortClause]);
}

/** The most frequent values of all rows are subqueries with one row each. */
function ofAllRows(
  select: QualifiedSelect,
  places: Placeholders,
  isColumn: (name: string) => boolean,
): MostFrequent {
  const names = { value: "value", count: "count" };
  const { havingClause: _having, ...counting } = select;
  const counted = new CountedQuestions(counting, { keys: [], listed: [], names });
  const subquery = ({ counted: of, place, shows }: RankedValue): Node => ({
    SubLink: {
      subLinkType: "EXPR_SUBLINK",
      subselect: {
        SelectStmt: {
          targetList: [shown(columnNamed(shows), shows)],
          fromClause: [named(counted.question(of), "counted")],
          sortClause: mostFirst(of, names),
          limitCount: whole(1),
          ...(place > 1 ? { limitOffset: whole(place - 1) } : {}),
        },
      },
    },
  });
  if (asksForMore(select)) {
    const { inner, outer } = splitSelect(select, isColumn);
    const over = { ...outer, fromClause: [named(withAggregate(inner), "others")] };
    return { select: places.replace(over, subquery), questions: counted.all() };
  }
  const {
    targetList = [],
    havingClause,
    qualifyClause,
    sortClause,
    whereClause: _,
    fromClause: __,
    groupClause: ___,
    ...rest
  } = select;
  for (const node of [targetList, sortClause ?? [], havingClause ?? []].flat())
    if (readsRows(node))
      refuse(
        "query.unsupported",
        "a column is neither grouped by nor inside an aggregate",
        "add it to GROUP BY",
        offsetWithin(node),
      );
  const conditions = [...conjuncts(havingClause), ...conjuncts(qualifyClause)];
  const over = {
    ...rest,
    targetList,
    ...(sortClause ? { sortClause } : {}),
    ...(conditions.length > 0 ? { whereClause: allOf(conditions) } : {}),
  };
  return { select: places.replace(over, subquery), questions: counted.all() };
}
