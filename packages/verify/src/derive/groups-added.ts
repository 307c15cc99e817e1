import { canonicalJson } from "@lethe/core";
import type { Plan } from "@lethe/query";

type Declared = Extract<Plan["keys"]["program"], { readonly kind: "public" }>["declared"];

/** How many groups there are by some of the keys. */
export function groupsOf(set: readonly number[], declared: Declared): number {
  return new Set(declared.map((key) => canonicalJson(set.map((at) => key[at] ?? null)))).size;
}

/**
 * The numbers of measured groups that rows may add up, each once: 1 where there is one grouping. Errors: RangeError where the
 * groups of a grouping are not of one size.
 */
export function groupsAdded({ groupings, keys: { program } }: Plan): readonly number[] {
  if (!groupings) return [1];
  const declared = program.kind === "public" ? program.declared : [];
  const sizes = groupings.flatMap((set) => {
    const groups = new Map<string, number>();
    for (const key of declared) {
      const name = canonicalJson(set.map((at) => key[at] ?? null));
      groups.set(name, (groups.get(name) ?? 0) + 1);
    }
    const all = [...new Set(groups.values())];
    if (all.length !== 1) throw new RangeError("groups of one grouping add up different numbers of groups");
    return all;
  });
  return [...new Set(sizes)];
}
