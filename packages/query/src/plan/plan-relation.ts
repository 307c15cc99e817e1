import { tablesOf } from "../relations/relation.ts";
import type { Plan } from "./plan.ts";

/** Every table that a plan reads, each once: those asked about, and those by which their units are found. */
export function tablesRead({ from }: Plan): readonly string[] {
  const all = tablesOf(from).flatMap(({ table, unit }) => [
    table,
    ...(unit.kind === "column" ? unit.path.map((step) => step.table) : []),
  ]);
  return [...new Set(all)];
}
