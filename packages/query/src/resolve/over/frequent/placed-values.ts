import type { FuncCall, Node, ResTarget } from "@pgsql/types";
import type { QualifiedSelect } from "../../../parse/tree/place-qualify.ts";
import { refuse } from "../../../refusals/refuse.ts";
import { functionName } from "../../names/nodes.ts";
import { ordinal, targetsOf } from "../../names/targets.ts";
import { callsIn, replaceNodes } from "../tree-parts.ts";
import type { CountedValues, Placeholders, RankedValue } from "./placeholders.ts";

/** The names by which people ask for several of the most frequent values, each beside its count or alone. */
const severalNames: ReadonlyMap<string, { readonly isCounted: boolean }> = new Map([
  ["approx_top_count", { isCounted: true }],
  ["approx_top_k", { isCounted: false }],
]);

/** More values than a question may show columns help nobody. */
const mostValues = 20;

/** Whether a SELECT asks for MODE, or for several of the most frequent values, outside its subqueries and windows. */
export function asksForMostFrequent(select: QualifiedSelect): boolean {
  const { targetList, havingClause, qualifyClause, sortClause } = select;
  for (const call of callsIn([targetList, havingClause, qualifyClause, sortClause]))
    if (!call.over && isMostFrequent(call)) return true;
  return false;
}

/** Whether a call is MODE's, or asks for several of the most frequent values. */
export function isMostFrequent({ funcname }: FuncCall): boolean {
  const name = functionName(funcname);
  return name === "mode" || severalNames.has(name);
}

/** Returns a SELECT with a placeholder for each of the most frequent values that it asks for. */
export function placedValues(stated: QualifiedSelect, places: Placeholders): QualifiedSelect {
  const select = withoutOrdinals(stated);
  const within = (tree: unknown): unknown =>
    replaceNodes(tree, (node) => {
      if ("SubLink" in node) return node;
      if (!("FuncCall" in node) || node.FuncCall.over || !isMostFrequent(node.FuncCall)) return null;
      const call = node.FuncCall;
      if (!severalOf(call)) return places.add({ counted: countedOf(call), place: 1, shows: "value" });
      return refuse(
        "query.unsupported",
        `${labelOf(call)} makes several columns, and is no part of an expression`,
        `write ${labelOf(call)}(x, 3) as a column of the list, or MODE(x)`,
        call.location,
      );
    });
  const { targetList = [], groupClause, havingClause, qualifyClause, sortClause } = select;
  const clauses = { groupClause, havingClause, qualifyClause, sortClause };
  const items = targetList.flatMap((item) => ("ResTarget" in item ? spread(item.ResTarget, places) : [item]));
  const stating = Object.entries(clauses).filter(([, clause]) => clause !== undefined);
  return {
    ...select,
    ...Object.fromEntries(stating.map(([name, clause]) => [name, within(clause)])),
    targetList: within(items) as Node[],
  };
}

/** Writes what stands at a place of the list where GROUP BY 1 and ORDER BY 1 name it: places are counted in the list as it is stated. */
function withoutOrdinals(select: QualifiedSelect): QualifiedSelect {
  const { groupClause, sortClause } = select;
  const targets = targetsOf(select);
  const named =
    (clause: string) =>
    (node: Node): Node => {
      if ("SortBy" in node && node.SortBy.node)
        return { SortBy: { ...node.SortBy, node: named(clause)(node.SortBy.node) } };
      return "A_Const" in node && node.A_Const.ival ? (ordinal(node, targets, clause)?.node ?? node) : node;
    };
  return {
    ...select,
    ...(groupClause ? { groupClause: groupClause.map(named("GROUP BY")) } : {}),
    ...(sortClause ? { sortClause: sortClause.map(named("ORDER BY")) } : {}),
  };
}

/** A column that asks for several values, as one column each; every other column as it is. */
function spread(item: ResTarget, places: Placeholders): readonly Node[] {
  const call = item.val && "FuncCall" in item.val && !item.val.FuncCall.over ? item.val.FuncCall : null;
  if (!call || !isMostFrequent(call)) return [{ ResTarget: item }];
  const name = item.name ?? functionName(call.funcname);
  const several = severalOf(call);
  if (!several) return [{ ResTarget: { ...item, name } }];
  const many = askedPlaces(call);
  if (many === null)
    return refuse(
      "query.unsupported",
      `${labelOf(call)} takes an expression, and how many of its values are shown, from 1 to ${mostValues}`,
      `write ${labelOf(call)}(x, 3)`,
      call.location,
    );
  const counted = countedOf(call);
  const column = (named: string, place: number, shows: RankedValue["shows"]): Node => ({
    ResTarget: { name: named, val: places.add({ counted, place, shows }) },
  });
  return Array.from({ length: many }, (_, at) => at).flatMap((at) => [
    column(`${name}_${at}`, at + 1, "value"),
    ...(several.isCounted ? [column(`${name}_${at}_count`, at + 1, "count")] : []),
  ]);
}

const labelOf = ({ funcname }: FuncCall): string => functionName(funcname).toUpperCase();
const severalOf = ({ funcname }: FuncCall) => severalNames.get(functionName(funcname));

/** How many values a call of APPROX_TOP_COUNT and the like asks for; 1 for MODE, and null where that is not said as it must be. */
export function askedPlaces(call: FuncCall): number | null {
  if (!severalOf(call)) return 1;
  const [, asked, ...others] = call.args ?? [];
  const many = asked && "A_Const" in asked && asked.A_Const.ival ? (asked.A_Const.ival.ival ?? 0) : 0;
  return others.length === 0 && many >= 1 && many <= mostValues ? many : null;
}

/** What a call counts: MODE(x), or MODE() WITHIN GROUP (ORDER BY x), each with a FILTER or without. */
export function countedOf(call: FuncCall): CountedValues {
  const { args = [], agg_order = [], agg_within_group = false, agg_distinct, agg_filter, location } = call;
  const [ordered] = agg_order;
  const sorted = agg_within_group && ordered && "SortBy" in ordered ? ordered.SortBy : null;
  const stated = severalOf(call) ? args.slice(0, 1) : args;
  const [value, ...others] = sorted?.node ? [sorted.node, ...agg_order.slice(1), ...args] : stated;
  if (
    !value ||
    "NamedArgExpr" in value ||
    others.length > 0 ||
    agg_distinct ||
    (agg_order.length > 0 && !sorted)
  )
    return refuse(
      "query.unsupported",
      `${labelOf(call)} takes one expression, whose values are counted`,
      "write MODE(x), MODE() WITHIN GROUP (ORDER BY x) or APPROX_TOP_COUNT(x, 3)",
      location,
    );
  return { value, where: agg_filter ?? null, largestFirst: sorted?.sortby_dir === "SORTBY_DESC" };
}
