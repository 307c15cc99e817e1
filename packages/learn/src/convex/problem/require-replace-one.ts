import type { Adjacency } from "@lethe/core";
import { violatedCondition } from "./violated-condition.ts";

/** Errors: parameter.invalid, naming the condition, for another adjacency than replace-one: places of a pass are public, so their number is. */
export function requireReplaceOne(adjacency: Adjacency, theorem: string): void {
  if (adjacency === "replace-one") return;
  throw violatedCondition({
    ...{ name: "adjacency", value: adjacency, theorem },
    condition:
      "a public number of units (replace-one): a unit that comes would move all others to other places",
    fix: 'declare replace-one, or use noisy descent, which also covers "add-or-remove-one"',
  });
}
