import type { Expression } from "../../expressions/expression.ts";
import { conditionsOf, type Relation, sourcesRead } from "../relation.ts";
import { everyTrue } from "./join-graph.ts";

/** Columns that a condition says equal something that is not of their table, by source. */
export function equatedColumns(relation: Relation): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const condition of conditionsOf(relation).flatMap(everyTrue)) {
    if (condition.kind !== "call" || condition.operator !== "=") continue;
    const [a, b] = condition.args as readonly [Expression, Expression];
    for (const [side, other] of [
      [a, b],
      [b, a],
    ] as const) {
      if (side.kind !== "column" || sourcesRead(other).has(side.source ?? "")) continue;
      const source = side.source ?? "";
      found.set(source, (found.get(source) ?? new Set()).add(side.name));
    }
  }
  return found;
}
