import type { Dialect } from "../dialects/dialect.ts";
import type { Plan } from "../plan/plan.ts";

/** The SELECT list that engines read: k0 …, units (0 where keys are not data), s0 …; every number an integer of 128 bits. */
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

/** By place, since a name could also be a column's. */
export function groupBy({ keys }: Plan): string {
  const places = keys.expressions.map((_, at) => at + 1);
  return places.length === 0 ? "" : ` GROUP BY ${places.join(", ")}`;
}
