import { type Exact, seal, type UnitRows } from "@lethe/core/mechanisms";
import { codedValue } from "../../design/design-row.ts";
import type { RowValues } from "../../models/row-values.ts";
import type { NetworkPlan } from "../plan/network-plan.ts";

/**
 * Seals records that the caller holds as the rows of a training: values by the names of the plan's columns. `unitOf` tells whose record it is; each is a unit
 * of its own where it is left out. Total: whatever is no value of a column is missing.
 * @example await trainSealedNetwork(plan, sealedRecords(plan, people), trainingDraws(secureEntropy()))
 */
export function sealedRecords(
  { features, target }: Pick<NetworkPlan, "features" | "target">,
  records: readonly RowValues[],
  unitOf?: (record: RowValues) => string | number,
): Exact<UnitRows> {
  const units = unitOf === undefined ? records.map((record) => [record]) : grouped(records, unitOf);
  const rows = units.flat();
  const offsets = new Uint32Array(units.length + 1);
  for (const [unit, own] of units.entries()) offsets[unit + 1] = (offsets[unit] ?? 0) + own.length;
  return seal({
    columns: [...features, target].map((column) =>
      Float64Array.from(rows, (record) => codedValue(column, record)),
    ),
    offsets,
  });
}

function grouped(
  records: readonly RowValues[],
  unitOf: (record: RowValues) => string | number,
): readonly (readonly RowValues[])[] {
  const units = new Map<string | number, RowValues[]>();
  for (const record of records) {
    const unit = unitOf(record);
    const own = units.get(unit);
    if (own) own.push(record);
    else units.set(unit, [record]);
  }
  return [...units.values()];
}
