import type { GroupingSet, Node } from "@pgsql/types";
import { refuse } from "../../refusals/refuse.ts";
import { offsetOf, part } from "../names/nodes.ts";

/** More sets than this are not answered together. */
const maxSets = 64;

type Sets = readonly (readonly Node[])[];

/** Whether GROUP BY asks for several groupings at once, or for the empty one. */
export function hasGroupingSets(clause: readonly Node[] = []): boolean {
  return clause.some((item) => "GroupingSet" in item);
}

/**
 * The groupings that GROUP BY asks for, each as the items it groups by: one where there is no GROUPING SETS, ROLLUP or CUBE;
 * else every choice of one grouping from each of its items, as SQL has it. Errors: query.too-large beyond 64 groupings.
 * @example groupingSets(items of "a, ROLLUP (b, c)") // [[a, b, c], [a, b], [a]]
 */
export function groupingSets(clause: readonly Node[] = []): Sets {
  let all: Sets = [[]];
  for (const item of clause) {
    const sets = setsOf(item);
    demandFew(all.length * sets.length, item);
    all = all.flatMap((set) => sets.map((more) => [...set, ...more]));
  }
  return all;
}

function setsOf(item: Node): Sets {
  if (!("GroupingSet" in item)) return [elementsOf(item)];
  const { kind, content = [] } = item.GroupingSet;
  const sets = makers[part(kind)]?.(content, item);
  if (!sets) refuse("query.unsupported", "this form of GROUP BY is not known", "write GROUPING SETS (…)");
  demandFew(sets.length, item);
  return sets;
}

const makers: {
  readonly [K in NonNullable<GroupingSet["kind"]>]?: (content: readonly Node[], item: Node) => Sets;
} = {
  GROUPING_SET_EMPTY: () => [[]],
  GROUPING_SET_SETS: (content) => content.flatMap(setsOf),
  GROUPING_SET_ROLLUP: (content) =>
    [...content.keys(), content.length].reverse().map((most) => content.slice(0, most).flatMap(elementsOf)),
  GROUPING_SET_CUBE(content, item) {
    demandFew(2 ** content.length, item);
    let sets: Sets = [[]];
    for (const element of [...content].reverse())
      sets = [...sets.map((set) => [...elementsOf(element), ...set]), ...sets];
    return sets;
  },
};

/** (a, b) stands for both at once. */
function elementsOf(item: Node): readonly Node[] {
  return "RowExpr" in item && item.RowExpr.row_format === "COERCE_IMPLICIT_CAST"
    ? (item.RowExpr.args ?? [])
    : [item];
}

function demandFew(sets: number, item: Node): void {
  if (sets > maxSets)
    refuse("query.too-large", `more than ${maxSets} groupings`, "ask for fewer at once", offsetOf(item));
}
