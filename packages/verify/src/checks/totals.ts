import { canonicalJson } from "@lethe/core";
import type { Plan } from "@lethe/query";
import { isEstimate, type Release } from "../format/release.ts";

const addUp: ReadonlySet<string> = new Set([
  "count",
  "sum",
  "scaled-sum",
  "scaled-squares",
  "scaled-products",
]);

/** Several groupings at once: of the plan's keys, which are public, and of columns that add up over groups. */
export function* groupingsAmiss({ groupings, keys, measurements, sums, trees = [] }: Plan): Iterable<string> {
  if (!groupings) return;
  const all = keys.expressions.length;
  if (groupings.some((set) => set.some((key, at) => key >= all || (at > 0 && key <= set[at - 1]!))))
    yield "a grouping is not by the plan's keys";
  if (keys.program.kind !== "public") yield "totals are made of groups that may be missing";
  if (groupings.every((set) => set.length === all)) return;
  const read = measurements.flatMap(({ terms }) => terms.map(({ column }) => sums[column]?.kind ?? "none"));
  if (trees.length > 0 || !read.every((kind) => addUp.has(kind)))
    yield "totals are made of what does not add up";
}

/**
 * Totals of counts and sums are the sums of the groups that are released with them. Seen only where all rows are there in their
 * own order, those of the grouping by all keys among them.
 */
export function* totalsAmiss({ rows, certificate: { plan } }: Release): Iterable<string> {
  const { groupings = [], keys, outputs, post } = plan;
  const finest = groupings.findIndex((set) => set.length === keys.expressions.length);
  const isWhole =
    post.having === null && post.limit === null && post.offset === 0 && post.orderBy.length === 0;
  if (keys.program.kind !== "public" || finest < 0 || !isWhole) return;
  const { declared } = keys.program;
  const places = groupings.map((set) => {
    const names = declared.map((key) => canonicalJson(set.map((at) => key[at] ?? null)));
    const distinct = [...new Set(names)];
    return { size: distinct.length, of: names.map((name) => distinct.indexOf(name)) };
  });
  const starts = places.map((_, at) => places.slice(0, at).reduce((sum, { size }) => sum + size, 0));
  for (const [column, output] of outputs.entries()) {
    const kind = output.kind === "aggregate" ? plan.aggregates[output.aggregate]?.kind : null;
    if (kind !== "count" && kind !== "sum") continue;
    const values = rows.map((row) => {
      const cell = row[column];
      return cell !== undefined && isEstimate(cell) ? (cell.value ?? Number.NaN) : Number.NaN;
    });
    for (const [at, { size, of }] of places.entries()) {
      const totals = new Array<number>(size).fill(0);
      const sizes = new Array<number>(size).fill(0);
      for (const [group, place] of of.entries()) {
        const value = values[starts[finest]! + places[finest]!.of[group]!]!;
        totals[place]! += value;
        sizes[place]! += Math.abs(value);
      }
      const agree = totals.every(
        (total, place) => Math.abs(total - values[starts[at]! + place]!) <= 2 ** -40 * sizes[place]!,
      );
      if (!agree) yield `the totals of ${output.name} are not the sums of its groups`;
    }
  }
}
