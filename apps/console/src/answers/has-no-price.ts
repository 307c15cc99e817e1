import { LetheProblem } from "@lethe/client";
import { asksCatalog } from "../words/catalog-text.ts";

/** Whether a text was not explained because its answer costs nothing: it reads public tables alone, or asks which tables there are. */
export function hasNoPrice(sql: string, refusal: unknown): boolean {
  return refusal instanceof LetheProblem && (refusal.code === "query.public" || asksCatalog(sql));
}
