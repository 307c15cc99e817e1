import type { OutputColumn, Plan, PostExpression } from "@lethe/query";
import { leaves } from "../derive/leaves.ts";
import { Misshapen } from "./shape.ts";

/**
 * Demands of a plan that no two keys, aggregates or columns have one name, and that columns, groupings, totals and expressions over released rows
 * name nothing that it does not have. Errors: Misshapen.
 */
export function demandNames(plan: Plan, path: string): void {
  const { keys, aggregates, outputs, groupings, totals = [], post } = plan;
  const known = {
    key: namesOf(keys.parts, `${path}.keys.parts`, "key"),
    aggregate: namesOf(aggregates, `${path}.aggregates`, "aggregate"),
    column: namesOf(outputs, `${path}.outputs`, "column"),
  };
  const demand = (kind: keyof typeof known, name: string, at: string): void => {
    if (!known[kind].has(name)) throw new Misshapen(`${path}.${at}`, `the name of the plan's own ${kind}`);
  };
  const demandKeys = (names: readonly string[], at: string): void => {
    for (const name of names) demand("key", name, at);
    if (new Set(names).size < names.length) throw new Misshapen(`${path}.${at}`, "of different keys");
  };
  const demandRead = (expression: PostExpression, at: string): void => {
    for (const leaf of leaves(expression)) {
      if (leaf.kind === "aggregate") demand("aggregate", leaf.aggregate, at);
      else demand("key", leaf.key, at);
      const isMark = leaf.kind === "grouped-away" || leaf.kind === "other";
      if (isMark && !groupings) throw new Misshapen(`${path}.${at}`, "of one grouping alone");
    }
  };
  const shown = (output: OutputColumn, at: string): void => {
    if (output.kind === "interval-end") demand("column", output.output, at);
    else demandRead(output.kind === "computed" ? output.expression : output, at);
  };
  for (const [at, output] of outputs.entries()) shown(output, `outputs[${at}]`);
  for (const [at, names] of (groupings ?? []).entries()) demandKeys(names, `groupings[${at}]`);
  for (const [at, total] of totals.entries()) demandKeys(total.keys, `totals[${at}].keys`);
  if (post.having) demandRead(post.having, "post.having");
  for (const [at, { by }] of post.orderBy.entries()) demandRead(by, `post.orderBy[${at}]`);
}

/** Returns the names of a list. Errors: Misshapen where one stands twice. */
function namesOf(all: readonly { readonly name: string }[], path: string, kind: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [at, { name }] of all.entries()) {
    if (names.has(name)) throw new Misshapen(`${path}[${at}].name`, `a name that no other ${kind} has`);
    names.add(name);
  }
  return names;
}
