import type { LeastOfUnit } from "../dialect.ts";

/**
 * Keeps the rows by ROW_NUMBER, whose sort spills. Under a single order DuckDB makes a heap a unit of it, which is a sixth
 * faster, cannot spill, and so dies with many units where memory is capped: the unit as a second order keeps it from that.
 */
export function leastOfUnit({ relation, columns, order, most }: LeastOfUnit): string {
  const place = `row_number() OVER (PARTITION BY owned.u ORDER BY ${order}, owned.u)`;
  const ranked = `SELECT ${columns.map((column) => `owned.${column}`).join(", ")}, ${place} AS place FROM ${relation}`;
  return `SELECT ${columns.map((column) => `ranked.${column}`).join(", ")} FROM (${ranked}) AS ranked WHERE ranked.place <= ${most}`;
}
