import { canonicalJson, sha256 } from "@lethe/core/canonical";
import type { Policy } from "./policy.ts";

/**
 * Hash of what a ledger's charges are about: who is protected, under which adjacency, and where each table keeps the
 * unit. Bounds, categories and prices may change between questions; this may not, or charges of unlike things would add up.
 * @example unitHash(readPolicy(text)) // => 64 hex digits
 */
export function unitHash({ privacyUnit, tables }: Policy): string {
  const units = Object.fromEntries(Object.entries(tables).map(([name, { unit }]) => [name, unit]));
  return sha256(canonicalJson({ privacyUnit, units }));
}
