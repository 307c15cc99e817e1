import type { Adjacency } from "../policy/policy.ts";

/** The facts about a unit that neighbouring data sets hide; `shared`: where several tables hold units' rows. */
const hidden: Readonly<Record<Adjacency, { readonly alone: string; readonly shared: string }>> = {
  "add-or-remove-one": {
    alone: "whether a unit is in the data at all is hidden",
    shared: "whether a unit is in the data at all is hidden",
  },
  "replace-one": {
    alone: "what a unit's data say is hidden; the number of units is public",
    shared:
      "what a unit's data say, and which private tables hold its rows, is hidden; the number of units in all private tables together is public",
  },
};

/** Says what of a unit is hidden, where one private table holds all units, or where several may hold the rows of one. */
export function hiddenBy(adjacency: Adjacency, isShared: boolean): string {
  return hidden[adjacency][isShared ? "shared" : "alone"];
}
