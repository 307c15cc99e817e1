import type { Dialect } from "../../dialects/dialect.ts";
import type { Plan } from "../../plan/plan.ts";
import { named, places, type SelectColumn } from "../../sql/query.ts";

/** Writes the SELECT list that engines read: k0 …, units (0 where keys are not data), s0 …; every number is an integer of 128 bits. */
export function resultColumns(
  plan: Plan,
  { write }: Dialect,
  parts: { readonly keys: readonly string[]; readonly units: string; readonly sums: readonly string[] },
): readonly SelectColumn[] {
  const units = plan.keys.program.kind === "private" ? parts.units : write.integer(0);
  return [
    ...parts.keys.map((key, at) => named(key, `k${at}`)),
    named(write.cast(units, "wide"), "units"),
    ...parts.sums.map((sum, at) => named(write.cast(sum, "wide"), `s${at}`)),
  ];
}

/** Writes the same for the cells of a tree: k0 …, the cell as one more key, units (0), and the cell's count as s0. */
export function cellColumns(
  { write }: Dialect,
  parts: { readonly keys: readonly string[]; readonly cell: string; readonly count: string },
): readonly SelectColumn[] {
  const keys = [...parts.keys, write.cast(parts.cell, "integer")];
  return [
    ...keys.map((key, at) => named(key, `k${at}`)),
    named(write.cast(write.integer(0), "wide"), "units"),
    named(write.cast(parts.count, "wide"), "s0"),
  ];
}

/** The places of the keys, for GROUP BY. */
export function groupBy({ keys }: Plan): readonly number[] {
  return places(keys.parts.length);
}
