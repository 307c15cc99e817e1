import { elementAt } from "@lethe/core/numeric";
import type { FuncCall, Node } from "@pgsql/types";
import { writeName } from "../../expressions/write-sql.ts";
import { refuse } from "../../refusals/refuse.ts";
import { functionName } from "../names/nodes.ts";
import type { OutputColumn } from "../names/resolved-query.ts";
import type { Target } from "../names/targets.ts";
import { aliased } from "../names/targets.ts";

type IntervalEnd = Extract<OutputColumn, { readonly kind: "interval-end" }>;

const ends: Readonly<Record<string, IntervalEnd["end"]>> = {
  dp_interval_low: "lower",
  dp_interval_high: "upper",
};

/**
 * DP_INTERVAL_LOW(alias) and DP_INTERVAL_HIGH(alias) in the select list: an end of the interval of another of its columns, which
 * the release holds anyway. Null for every other column. Errors: query.unsupported.
 */
export function intervalEnd(target: Target, targets: readonly Target[]): IntervalEnd | null {
  const call = endCall(target.node);
  if (!call) return null;
  const name = functionName(call.funcname).toUpperCase();
  const [argument, ...others] = call.args ?? [];
  const of = argument && others.length === 0 ? aliased(argument, targets) : null;
  if (!of || endCall(of.node))
    refuse(
      "query.unsupported",
      `${name} takes the name of a column of the select list that has an interval`,
      `name the column and then ask for its interval: COUNT(*) AS n, ${name}(n)`,
      target.offset,
    );
  return {
    name: target.name,
    kind: "interval-end",
    end: ends[name.toLowerCase()]!,
    output: of.name,
  };
}

function endCall(node: Node): FuncCall | null {
  if (!("FuncCall" in node)) return null;
  return Object.hasOwn(ends, functionName(node.FuncCall.funcname)) ? node.FuncCall : null;
}

/** Errors: query.unsupported for the end of what has no interval: a key, a text, a boolean. */
export function checkIntervalEnds(outputs: readonly OutputColumn[], targets: readonly Target[]): void {
  for (const [at, output] of outputs.entries()) {
    if (output.kind !== "interval-end") continue;
    const of = outputs.find(({ name }) => name === output.output);
    if (of?.kind === "aggregate" || (of?.kind === "computed" && of.type === "number")) continue;
    refuse(
      "query.unsupported",
      `the column ${writeName(output.output)} has no interval`,
      "name a column that is an aggregate, or a number computed from aggregates",
      elementAt(targets, at).offset,
    );
  }
}
