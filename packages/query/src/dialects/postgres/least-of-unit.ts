import type { LeastOfUnit } from "../dialect.ts";

/**
 * Keeps the rows by ROW_NUMBER, which sorts once and stops numbering a unit at the last row that is kept. A threshold (the kth
 * hash of array_agg, joined back) took as long at best and holds each unit's hashes in memory.
 */
export function leastOfUnit({ relation, columns, order, most }: LeastOfUnit): string {
  const place = `row_number() OVER (PARTITION BY owned.u ORDER BY ${order})`;
  const ranked = `SELECT ${columns.map((column) => `owned.${column}`).join(", ")}, ${place} AS place FROM ${relation}`;
  return `SELECT ${columns.map((column) => `ranked.${column}`).join(", ")} FROM (${ranked}) AS ranked WHERE ranked.place <= ${most}`;
}
