import { canonicalJson } from "@lethe/core/canonical";
import type { Plan } from "@lethe/query";
import { placeOf } from "./named.ts";

type Declared = Extract<Plan["keys"]["program"], { readonly kind: "public" }>["declared"];

/** How many groups there are by some of the keys, of all that are declared. */
export function groupsOf(set: readonly string[], parts: Plan["keys"]["parts"], declared: Declared): number {
  const places = set.map((name) => placeOf(parts, name));
  return new Set(declared.map((key) => canonicalJson(places.map((at) => key[at] ?? null)))).size;
}
