import { SeededSource } from "@lethe/core/tape";
import type { ModelColumn } from "../../model/model.ts";
import type { RowValues } from "../../models/row-values.ts";

export const age: ModelColumn = { kind: "number", name: "age", bounds: [18, 90], nullable: true };
export const wage: ModelColumn = { kind: "number", name: "wage", bounds: [0, 100], nullable: true };
export const sector: ModelColumn = {
  kind: "category",
  name: "sector",
  categories: ["trade", "it's", "other"],
  nullable: true,
};
export const member: ModelColumn = {
  kind: "category",
  name: "member",
  categories: [false, true],
  nullable: true,
};

/** People of whom the older, and those in trade, earn more; members earn above 50. Reproducible. */
export function people(count: number, seed: number): readonly RowValues[] {
  const coins = new SeededSource(seed);
  const below = (n: number): number => coins.word() % n;
  return Array.from({ length: count }, (_, id) => {
    const years = 18 + below(73);
    const place = ["trade", "it's", "other"][below(3)] ?? "other";
    const earned = 20 + (place === "trade" ? 30 : 0) + (years - 18) / 2 + below(10) - 5;
    return { id, age: years, sector: place, wage: earned, member: earned > 50 };
  });
}

/** Records that say nothing, or too much. */
export const oddPeople: readonly RowValues[] = [
  {},
  { age: null, sector: null, member: null, wage: null },
  { age: Number.NaN, sector: "unheard of", member: true, wage: Number.POSITIVE_INFINITY },
  { age: Number.POSITIVE_INFINITY, sector: "trade", member: false, wage: -1e308 },
  { age: -1e308, sector: "it's", member: true, wage: 1e308 },
];
