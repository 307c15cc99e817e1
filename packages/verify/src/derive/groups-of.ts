import { canonicalJson } from "@lethe/core/canonical";
import type { Plan } from "@lethe/query";

type Declared = Extract<Plan["keys"]["program"], { readonly kind: "public" }>["declared"];

/** How many groups there are by some of the keys. */
export function groupsOf(set: readonly number[], declared: Declared): number {
  return new Set(declared.map((key) => canonicalJson(set.map((at) => key[at] ?? null)))).size;
}
