import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node, SortBy } from "@pgsql/types";
import type { BoundsForm, QuantileForm } from "../../aggregates/call-form.ts";
import { demandType } from "../../expressions/build/build-expression.ts";
import { alwaysNull } from "../../expressions/operators/domains.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { resolveExpression } from "../expressions/resolve-expression.ts";
import { constantNumber } from "../expressions/resolve-literal.ts";
import { functionName } from "../names/nodes.ts";
import { refuseWindow } from "../names/refuse-window.ts";
import type { QuantileAggregate } from "../names/resolved-query.ts";
import type { Scope } from "../names/scope.ts";
import { filtered } from "./aggregate-form.ts";
import { resolveBounds } from "./resolve-bounds.ts";
import { countedTime } from "./time-quantile.ts";

/** A name that asks for quantiles. */
interface QuantileName {
  readonly form: QuantileForm;
  readonly bounds: BoundsForm;
}

/** Most cuts that a rewrite of several quantiles spells out. */
const shownCuts = 20;

/**
 * MEDIAN(x), PERCENTILE_CONT(x, p) and PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x), and what other databases call so; MIN
 * and MAX as quantiles near the ends.
 * Errors: query.unsupported for several quantiles in one call, with the columns to write instead; query.type, query.option.
 */
export function resolveQuantile(
  call: FuncCall,
  { form: asked, bounds: boundsForm }: QuantileName,
  scope: Scope,
): QuantileAggregate {
  const name = functionName(call.funcname);
  const label = name.toUpperCase();
  const { location } = call;
  const no = (what: string, fix: string): never =>
    refuse("query.unsupported", `${label}: ${what}`, fix, location);
  if (call.over) refuseWindow(location, `${label}: `);
  if (call.func_variadic) no("VARIADIC is not known", "remove it");
  if (call.agg_distinct) no("DISTINCT values are not ranked", "remove DISTINCT");
  const args = (call.args ?? []).filter((arg) => !("NamedArgExpr" in arg));
  if (asked.form === "several") return refuseSeveral(label, args, scope, location);
  const [value, share] = partsOf(call, label, args, asked.form === "stated");
  const bounds = resolveBounds(call, boundsForm, scope);
  const given = filtered(resolveExpression(value, scope), call, scope);
  const counted = countedTime(label, given, bounds, scope, location);
  const argument = counted?.argument ?? given;
  demandType(argument, "number", location);
  if (alwaysNull(argument.domain))
    refuse(
      "query.type",
      `${writeSql(argument)} is always NULL`,
      `write ${label} of something that has values`,
      location,
    );
  const time = counted ? { time: counted.type } : {};
  if (asked.form === "fixed") {
    const { standsFor } = asked;
    return { kind: "quantile", share: asked.share, standsFor, ...time, argument, bounds };
  }
  const stated = readShare(label, share!, scope);
  return { kind: "quantile", share: stated, standsFor: null, ...time, argument, bounds };
}

/** The value and the share, however they are written. */
function partsOf(
  call: FuncCall,
  label: string,
  args: readonly Node[],
  stated: boolean,
): readonly [value: Node, share: Node | null] {
  const { location } = call;
  if (call.agg_within_group) {
    const [order, ...further] = (call.agg_order ?? []).map((item) => (item as { SortBy: SortBy }).SortBy);
    if (!stated || args.length !== 1 || !order?.node || further.length > 0)
      refuse(
        "query.type",
        `${label} WITHIN GROUP takes a share, and one value to order by`,
        stated ? `write ${label}(0.5) WITHIN GROUP (ORDER BY x)` : `write ${label}(x)`,
        location,
      );
    if (order.sortby_dir === "SORTBY_DESC" || order.sortby_dir === "SORTBY_USING")
      refuse(
        "query.unsupported",
        `${label}: quantiles are counted from the smallest value`,
        `write ORDER BY x, and 1 minus the share`,
        location,
      );
    return [order.node, elementAt(args, 0)];
  }
  if (call.agg_order)
    refuse(
      "query.unsupported",
      `${label}: ORDER BY inside the brackets changes nothing here`,
      stated ? `write ${label}(0.5) WITHIN GROUP (ORDER BY x)` : "remove it",
      location,
    );
  if (call.agg_star || args.length !== (stated ? 2 : 1))
    refuse(
      "query.type",
      stated ? `${label} takes a value and a share` : `${label} takes one argument`,
      `write ${label}(x${stated ? ", 0.5" : ""})`,
      location,
    );
  return [elementAt(args, 0), args[1] ?? null];
}

function readShare(label: string, node: Node, scope: Scope): number {
  const share = constantNumber(resolveExpression(node, scope));
  if (typeof share !== "number" || !(share >= 0 && share <= 1))
    refuse("query.type", `${label} takes a share from 0 to 1`, "write 0.5 for the median");
  return share + 0;
}

/** One column is one number: what ./spread-quantiles.ts could not make into several. */
function refuseSeveral(
  label: string,
  args: readonly Node[],
  scope: Scope,
  location: number | undefined,
): never {
  const [value, cuts] = args;
  const sql = value ? writeSql(resolveExpression(value, scope)) : "x";
  const shares = cuts ? sharesOf(cuts, scope) : [];
  const columns = (shares.length > 0 ? shares : [0.25, 0.5, 0.75])
    .slice(0, shownCuts)
    .map((share) => `PERCENTILE_CONT(${sql}, ${share})`);
  return refuse(
    "query.unsupported",
    `${label} is several numbers: it stands by itself in the select list, with shares that are written out`,
    `write ${columns.join(", ")}: quantiles of one argument are read from one measurement`,
    location,
  );
}

/** ARRAY[0.25, 0.5], or a number n of equal parts. */
function sharesOf(node: Node, scope: Scope): readonly number[] {
  if ("A_ArrayExpr" in node) {
    const shares = (node.A_ArrayExpr.elements ?? []).map((each) =>
      constantNumber(resolveExpression(each, scope)),
    );
    return shares.filter((share): share is number => typeof share === "number" && share >= 0 && share <= 1);
  }
  const parts = constantNumber(resolveExpression(node, scope));
  if (typeof parts !== "number" || !(Number.isInteger(parts) && parts >= 2 && parts <= shownCuts)) return [];
  return Array.from({ length: parts - 1 }, (_, at) => Number(((at + 1) / parts).toPrecision(6)));
}
