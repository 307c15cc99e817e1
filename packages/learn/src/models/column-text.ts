import type { CategoryColumn, NumberColumn } from "../model/model.ts";
import { double, literal } from "../sql/literal.ts";
import { quoted } from "../sql/quoted.ts";

/** A number as the model saw it, clamped to its bounds; NULL stays NULL, which LEAST would lose. */
export function clampedText({ name, bounds: [lo, hi] }: Omit<NumberColumn, "nullable">): string {
  const column = quoted(name);
  return `(CASE WHEN ${column} < ${double(lo)} THEN ${double(lo)} WHEN ${column} > ${double(hi)} THEN ${double(hi)} ELSE ${column} END)`;
}

/** Writes the value that a category maps to; NULL for NULL and for what is no category. */
export function byCategory(
  { name, categories }: CategoryColumn,
  value: (category: CategoryColumn["categories"][number], place: number) => string,
): string {
  const branches = categories.map(
    (category, place) => `WHEN ${quoted(name)} = ${literal(category)} THEN ${value(category, place)}`,
  );
  return `(CASE ${branches.join(" ")} ELSE NULL END)`;
}
