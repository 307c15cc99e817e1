import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";

/** Writes the SELECT list that engines read: k0 …, units (0 where keys are not data), s0 …; every number is an integer of 128 bits. */
export function resultColumns(
  plan: Plan,
  { types }: Dialect,
  parts: { readonly keys: readonly string[]; readonly units: string; readonly sums: readonly string[] },
): string {
  const wide = (text: string): string => `CAST(${text} AS ${types.wide})`;
  return [
    ...parts.keys.map((key, at) => `${key} AS k${at}`),
    `${wide(plan.keys.program.kind === "private" ? parts.units : "0")} AS units`,
    ...parts.sums.map((sum, at) => `${wide(sum)} AS s${at}`),
  ].join(", ");
}

/** Writes the same for the cells of a tree: k0 …, the cell as one more key, units (0), and the cell's count as s0. */
export function cellColumns(
  { types }: Dialect,
  parts: { readonly keys: readonly string[]; readonly cell: string; readonly count: string },
): string {
  const keys = [...parts.keys, `CAST(${parts.cell} AS ${types.integer})`].map(
    (key, at) => `${key} AS k${at}`,
  );
  return [...keys, `CAST(0 AS ${types.wide}) AS units`, `CAST(${parts.count} AS ${types.wide}) AS s0`].join(
    ", ",
  );
}

/** Writes GROUP BY by place, since a name could also be a column's. */
export function groupBy({ keys }: Plan): string {
  const places = keys.expressions.map((_, at) => at + 1);
  return places.length === 0 ? "" : ` GROUP BY ${places.join(", ")}`;
}
