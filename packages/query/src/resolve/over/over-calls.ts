import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node, SortBy, WindowDef } from "@pgsql/types";
import type { PostExpression } from "../../aggregates/post-expression.ts";
import type { OverAggregate, OverOrder, OverValue, OverWindow } from "../../over/over-relation.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName, offsetOf, partOf } from "../names/nodes.ts";
import { demandTypes, type TypedPost } from "../post/post-call.ts";
import { overFrame } from "./over-frame.ts";

type Resolve = (node: Node) => TypedPost;

/** How the aggregates of released rows are called. */
const aggregates: ReadonlyMap<
  string,
  { readonly name: OverAggregate; readonly takes: "number" | "boolean" | "any" }
> = new Map([
  ["count", { name: "count", takes: "any" }],
  ["sum", { name: "sum", takes: "number" }],
  ["avg", { name: "avg", takes: "number" }],
  ["mean", { name: "avg", takes: "number" }],
  ["min", { name: "min", takes: "any" }],
  ["max", { name: "max", takes: "any" }],
  ["stddev", { name: "stddev_samp", takes: "number" }],
  ["stddev_samp", { name: "stddev_samp", takes: "number" }],
  ["stddev_pop", { name: "stddev_pop", takes: "number" }],
  ["variance", { name: "var_samp", takes: "number" }],
  ["var_samp", { name: "var_samp", takes: "number" }],
  ["var_pop", { name: "var_pop", takes: "number" }],
  ["bool_and", { name: "bool_and", takes: "boolean" }],
  ["every", { name: "bool_and", takes: "boolean" }],
  ["bool_or", { name: "bool_or", takes: "boolean" }],
]);

/** How many arguments the functions of a row's place take. */
const places: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ["row_number", [0, 0]],
  ["rank", [0, 0]],
  ["dense_rank", [0, 0]],
  ["percent_rank", [0, 0]],
  ["cume_dist", [0, 0]],
  ["ntile", [1, 1]],
  ["lag", [1, 3]],
  ["lead", [1, 3]],
  ["first_value", [1, 1]],
  ["last_value", [1, 1]],
  ["nth_value", [2, 2]],
]);

/** Whether a call is an aggregate that released rows have. */
export function isOverAggregate(call: FuncCall): boolean {
  return !call.over && aggregates.has(functionName(call.funcname));
}

function aggregateOf(
  call: FuncCall,
  resolve: Resolve,
): OverValue["value"] & { readonly call: OverAggregate } {
  const {
    agg_distinct = false,
    agg_star,
    agg_filter,
    args = [],
    agg_order,
    agg_within_group,
    location,
  } = call;
  const label = functionName(call.funcname).toUpperCase();
  const known = aggregates.get(label.toLowerCase());
  if (!known || agg_within_group || agg_order)
    return refuse(
      "query.unsupported",
      `${label} is not answered over an answer`,
      `write one of: ${[...aggregates.keys()].slice(0, 8).join(", ").toUpperCase()}`,
      location,
    );
  const isRows = agg_star === true || (known.name === "count" && args.length === 1 && isConstant(args[0]));
  if (!isRows && args.length !== 1)
    refuse("query.unsupported", `${label} takes one column`, `write ${label}(x)`, location);
  const argument = isRows ? null : resolve(elementAt(args, 0));
  if (argument && known.takes !== "any") demandTypes(label, known.takes, [argument], location);
  const where = agg_filter ? resolve(agg_filter) : null;
  if (where) demandTypes("FILTER", "boolean", [where], location);
  return {
    call: known.name,
    function: known.name,
    expression: argument?.expression ?? null,
    distinct: agg_distinct,
    where: where?.expression ?? null,
  };
}

function isConstant(node: Node | undefined): boolean {
  return node !== undefined && "A_Const" in node && !node.A_Const.isnull;
}

/** Returns an aggregate over groups of released rows. */
export function overValue(name: string, call: FuncCall, resolve: Resolve): OverValue {
  const { call: _, ...value } = aggregateOf(call, resolve);
  return { name, value };
}

/** Returns a window over released rows. Errors: query.unsupported for functions and frames that there are none of. */
export function overWindow(
  name: string,
  call: FuncCall,
  defined: (over: WindowDef) => WindowDef,
  resolve: Resolve,
): OverWindow {
  const over = defined(partOf(call.over));
  const { location } = call;
  const label = functionName(call.funcname).toUpperCase();
  const partitionBy = (over.partitionClause ?? []).map((node) => resolve(node).expression);
  const orderBy = (over.orderClause ?? []).flatMap((node) =>
    "SortBy" in node ? [overOrder(node.SortBy, resolve)] : [],
  );
  const frame = overFrame(over, location);
  const shared = { name, partitionBy, orderBy, frame };
  const place = places.get(label.toLowerCase());
  if (!place) {
    const { call: aggregate, expression, distinct, where } = aggregateOf(call, resolve);
    if (distinct)
      refuse("query.unsupported", `${label}(DISTINCT …) is no window`, "leave DISTINCT out", location);
    return { ...shared, function: aggregate, arguments: expression === null ? [] : [expression], where };
  }
  const args = (call.args ?? []).map(resolve);
  const [least, most] = place;
  if (args.length < least || args.length > most || call.agg_filter)
    refuse(
      "query.unsupported",
      `${label} takes ${least === most ? least : `${least} to ${most}`} arguments`,
      `write ${label}(${most > 0 ? "x" : ""})`,
      location,
    );
  return {
    ...shared,
    function: label.toLowerCase() as Exclude<OverWindow["function"], OverAggregate>,
    arguments: placeArguments(label, args, location),
    where: null,
  };
}

const oneRow: PostExpression = { kind: "literal", value: 1 };
const noValue: PostExpression = { kind: "literal", value: null };

/** LAG and LEAD state distance and default, always; distances, parts and places are constants. */
function placeArguments(
  label: string,
  args: readonly TypedPost[],
  location: number | undefined,
): readonly PostExpression[] {
  const written = args.map(({ expression }) => expression);
  if (label === "NTILE") return [whole(label, written[0], 1, location)];
  if (label === "NTH_VALUE") return [partOf(written[0]), whole(label, written[1], 1, location)];
  if (label !== "LAG" && label !== "LEAD") return written;
  const [value, , otherwise] = args;
  if (value && otherwise && otherwise.type !== "null" && value.type !== otherwise.type)
    demandTypes(label, value.type, [otherwise], location);
  return [partOf(written[0]), whole(label, written[1] ?? oneRow, 0, location), written[2] ?? noValue];
}

function whole(
  label: string,
  expression: PostExpression | undefined,
  least: number,
  location: number | undefined,
): PostExpression {
  const value = expression?.kind === "literal" ? expression.value : null;
  if (typeof value === "number" && Number.isInteger(value) && value >= least && expression) return expression;
  return refuse(
    "query.unsupported",
    `${label} takes a whole number, ${least} or more, that is written out`,
    `write ${label === "NTILE" ? "NTILE(4)" : `${label}(x, 1)`}`,
    location,
  );
}

/** Returns a part of an order. NULL counts as larger than every value unless the question says otherwise. */
export function overOrder({ node, sortby_dir, sortby_nulls }: SortBy, resolve: Resolve): OverOrder {
  const by = partOf(node);
  if (sortby_dir === "SORTBY_USING")
    refuse("query.unsupported", "ORDER BY … USING is not known", "write ASC or DESC", offsetOf(by));
  const descending = sortby_dir === "SORTBY_DESC";
  const nullsFirst =
    sortby_nulls === "SORTBY_NULLS_FIRST" || (sortby_nulls !== "SORTBY_NULLS_LAST" && descending);
  return { by: resolve(by).expression, descending, nullsFirst };
}
