import type { TablePolicy } from "./policy.ts";

/** Every column the policy reads: the declared ones, the unit's, the key's. */
export function usedColumns(policy: TablePolicy): readonly string[] {
  return [...new Set([...Object.keys(policy.columns), ...columnsOfUnits(policy)])];
}

/** Those whose values say whose a row is: they name a unit, lead to one, or are led to. */
export function columnsOfUnits({ unit, key }: TablePolicy): readonly string[] {
  return [...("column" in unit ? [unit.column] : []), ...(key === null ? [] : [key])];
}
