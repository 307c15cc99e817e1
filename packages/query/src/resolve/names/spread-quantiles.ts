import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node, ResTarget } from "@pgsql/types";
import { shareForm } from "./aggregate-names.ts";
import { functionName } from "./nodes.ts";

/** More columns than a question may have help nobody. */
const mostParts = 99;

/**
 * A column that asks for several quantiles, as one column each, named for it and numbered from 0: APPROX_QUANTILES(x, 4) AS q is
 * q_0 … q_4, from MIN(x) to MAX(x); QUANTILES(x, ARRAY[0.1, 0.9]) and PERCENTILE_CONT(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY x)
 * are q_0 and q_1. Whatever else it is, and what cannot be spread, stays as it stands.
 */
export function spreadQuantiles(item: ResTarget): readonly ResTarget[] {
  const call = item.val && "FuncCall" in item.val ? item.val.FuncCall : null;
  const calls = call ? (callsOf(call) ?? []) : [];
  if (!call || calls.length === 0) return [item];
  const name = item.name ?? functionName(call.funcname);
  return calls.map((each, at) => ({ ...item, name: `${name}_${at}`, val: { FuncCall: each } }));
}

function callsOf(call: FuncCall): readonly FuncCall[] | null {
  const name = functionName(call.funcname);
  const form = shareForm(name)?.form;
  if (form !== "several" && form !== "stated") return null;
  const args = (call.args ?? []).filter((arg) => !("NamedArgExpr" in arg));
  const named = (call.args ?? []).filter((arg) => "NamedArgExpr" in arg);
  const asked = call.agg_within_group ? args[0] : args[1];
  if (!asked || args.length !== (call.agg_within_group ? 1 : 2)) return null;
  const value = call.agg_within_group ? [] : [elementAt(args, 0)];
  const at = (share: number): FuncCall => ({
    ...call,
    ...(form === "several" ? { funcname: nameOf("percentile_cont") } : {}),
    args: [...value, constant(share, call.location), ...named],
  });
  if ("A_ArrayExpr" in asked) {
    const shares = (asked.A_ArrayExpr.elements ?? []).map(numberOf);
    return shares.length <= mostParts && shares.every((share) => share !== null) ? shares.map(at) : null;
  }
  const parts = form === "several" && !call.agg_within_group ? numberOf(asked) : null;
  if (parts === null || !Number.isInteger(parts) || parts < 1 || parts > mostParts) return null;
  const end = (extreme: string): FuncCall => ({
    ...call,
    funcname: nameOf(extreme),
    args: [...value, ...named],
  });
  const inner = Array.from({ length: parts - 1 }, (_, i) => at(Number(((i + 1) / parts).toPrecision(6))));
  return [end("min"), ...inner, end("max")];
}

function nameOf(name: string): Node[] {
  return [{ String: { sval: name } }];
}

function constant(value: number, location: number | undefined): Node {
  const at = location === undefined ? {} : { location };
  return { A_Const: { fval: { fval: String(value) }, ...at } };
}

function numberOf(node: Node): number | null {
  if (!("A_Const" in node)) return null;
  const { ival, fval } = node.A_Const;
  if (ival) return ival.ival ?? 0;
  return fval ? Number(fval.fval) : null;
}
