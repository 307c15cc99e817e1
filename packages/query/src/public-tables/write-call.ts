import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node, SortBy, WindowDef } from "@pgsql/types";
import { isTimeField } from "../expressions/calendar/parts.ts";
import { nearestName } from "../refusals/did-you-mean.ts";
import { refuse } from "../refusals/refuse.ts";
import { functionName, partOf } from "../resolve/names/nodes.ts";
import { frameBit } from "../resolve/per-unit/resolve-window-frame.ts";
import { knownAggregates, knownFunctions, knownWindows, moreFields } from "./known-calls.ts";
import { unknownHere, type Writing } from "./writing.ts";

/** Writes a call of a function, an aggregate or a window. Errors: query.unknown-function, query.unsupported. */
export function writeCall(call: FuncCall, writing: Writing): string {
  const {
    funcname,
    args = [],
    agg_star,
    agg_distinct,
    agg_order,
    agg_filter,
    agg_within_group,
    location,
  } = call;
  const name = functionName(funcname);
  const written = args.map((arg) => writing.expression(arg, writing));
  const plain = rewritten(name, args, written, call);
  if (plain !== null) return plain;
  const isAggregate = knownAggregates.has(name);
  const { publicRows } = writing.dialect;
  if (publicRows.lacks.has(name)) unknownHere(`${name.toUpperCase()} on this database`, location);
  if (call.func_variadic || !(isAggregate || knownFunctions.has(name) || knownWindows.has(name)))
    return refuseFunction(name, location);
  if (!isAggregate && !(knownWindows.has(name) && call.over)) {
    if (agg_star || agg_distinct || agg_order || agg_filter || agg_within_group || call.over)
      unknownHere(`${name.toUpperCase()} with these clauses`, location);
    return `${publicRows.functionName(name)}(${written.join(", ")})`;
  }
  const order = agg_order ? `ORDER BY ${writeOrder(agg_order, writing)}` : "";
  const inside = [
    agg_distinct ? "DISTINCT" : "",
    agg_star ? "*" : written.join(", "),
    agg_within_group ? "" : order,
  ];
  const parts = [
    `${name}(${inside.filter((part) => part !== "").join(" ")})`,
    agg_within_group ? `WITHIN GROUP (${order})` : "",
    agg_filter ? `FILTER (WHERE ${writing.expression(agg_filter, writing)})` : "",
    call.over ? `OVER ${writeWindow(call.over, writing)}` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** Calls that are words of SQL, or that engines spell in different ways. */
function rewritten(
  name: string,
  args: readonly Node[],
  written: readonly string[],
  { location }: FuncCall,
): string | null {
  const [first = "NULL", second = "NULL", third = "NULL"] = written;
  switch (name) {
    case "extract":
    case "date_part": {
      const [field] = args;
      const said = field && "A_Const" in field ? (field.A_Const.sval?.sval ?? "").toLowerCase() : "";
      if (!isTimeField(said) && !moreFields.has(said))
        unknownHere(`EXTRACT of ${said || "this field"}`, location, "write EXTRACT(year FROM x)");
      return `EXTRACT(${said} FROM ${second})`;
    }
    case "position":
      return `strpos(${first}, ${second})`;
    case "if":
    case "iff":
      return `(CASE WHEN ${first} THEN ${second} ELSE ${third} END)`;
    case "ifnull":
    case "nvl":
      return `COALESCE(${first}, ${second})`;
    case "nullif":
      return `NULLIF(${first}, ${second})`;
    case "greatest":
    case "least":
      return `${name}(${written.join(", ")})`;
    case "safe_divide":
      return `(${first} / NULLIF(${second}, 0))`;
    case "countif":
    case "count_if":
      return `COUNT(*) FILTER (WHERE ${first})`;
    default:
      return null;
  }
}

function refuseFunction(name: string, location: number | undefined): never {
  const near = nearestName(name, [...knownFunctions, ...knownAggregates, ...knownWindows]);
  return refuse(
    "query.unknown-function",
    `${name.toUpperCase()} is not known in a question of public tables`,
    near === null ? "write another function" : `write ${near.toUpperCase()}`,
    location,
  );
}

/** Writes what stands behind ORDER BY. */
export function writeOrder(nodes: readonly Node[], writing: Writing): string {
  return nodes.flatMap((node) => ("SortBy" in node ? [writeSort(node.SortBy, writing)] : [])).join(", ");
}

function writeSort({ node, sortby_dir, sortby_nulls }: SortBy, writing: Writing): string {
  if (sortby_dir === "SORTBY_USING") unknownHere("ORDER BY … USING", undefined, "write ASC or DESC");
  const nulls: Readonly<Record<string, string>> = {
    SORTBY_NULLS_FIRST: " NULLS FIRST",
    SORTBY_NULLS_LAST: " NULLS LAST",
  };
  const direction = sortby_dir === "SORTBY_DESC" ? " DESC" : "";
  return `${writing.expression(partOf(node), writing)}${direction}${nulls[sortby_nulls ?? ""] ?? ""}`;
}

/** Writes a window: its name, or its definition in parentheses. */
export function writeWindow(over: WindowDef, writing: Writing): string {
  const { identifier } = writing.dialect;
  if (over.name && !over.partitionClause && !over.orderClause) return identifier(over.name);
  const { refname, partitionClause, orderClause } = over;
  const parts = [
    refname ? identifier(refname) : "",
    partitionClause
      ? `PARTITION BY ${partitionClause.map((node) => writing.expression(node, writing)).join(", ")}`
      : "",
    orderClause ? `ORDER BY ${writeOrder(orderClause, writing)}` : "",
    writeFrame(over, writing),
  ];
  return `(${parts.filter((part) => part !== "").join(" ")})`;
}

type FrameEnd = readonly [name: keyof typeof frameBit, words: string];

const ends: { readonly from: readonly FrameEnd[]; readonly to: readonly FrameEnd[] } = {
  from: [
    ["fromFirst", "UNBOUNDED PRECEDING"],
    ["fromRow", "CURRENT ROW"],
    ["fromBefore", "PRECEDING"],
    ["fromAfter", "FOLLOWING"],
  ],
  to: [
    ["toLast", "UNBOUNDED FOLLOWING"],
    ["toRow", "CURRENT ROW"],
    ["toBefore", "PRECEDING"],
    ["toAfter", "FOLLOWING"],
  ],
};

function writeFrame(
  { frameOptions = 0, startOffset, endOffset, location }: WindowDef,
  writing: Writing,
): string {
  const has = (name: keyof typeof frameBit): boolean => (frameOptions & frameBit[name]) !== 0;
  if (!has("stated")) return "";
  if (has("excludes")) unknownHere("EXCLUDE", location);
  const end = (known: readonly FrameEnd[], offset: Node | undefined): string => {
    const [name, words] = elementAt(
      known,
      Math.max(
        0,
        known.findIndex(([each]) => has(each)),
      ),
    );
    const isDistance = name.endsWith("Before") || name.endsWith("After");
    return isDistance ? `${writing.expression(partOf(offset), writing)} ${words}` : words;
  };
  const unit = has("range") ? "RANGE" : has("groups") ? "GROUPS" : "ROWS";
  return `${unit} BETWEEN ${end(ends.from, startOffset)} AND ${end(ends.to, endOffset)}`;
}
