export { compilePlan } from "./compile-plan.ts";
export { compileRows, type RowsRequest } from "./compile-rows.ts";
export { compileTrees } from "./compile-trees.ts";
export type { CompiledPublic, PublicCell, PublicRows } from "./compiled-public.ts";
export type { CompiledQuery } from "./compiled-query.ts";
export type { CompiledRows } from "./compiled-rows.ts";
export type { Engine, TellingEngine } from "./engine.ts";
export { groupOrder, keyedNumber, placeInOrder } from "./physical/group-order.ts";
export { placedSelect } from "./relations/bounded-rows.ts";
export { relationRows } from "./relations/relation-rows.ts";
export type { Category, CategoryRowColumn, NumberRowColumn, RowColumn } from "./rows/row-column.ts";
export { type KeptRows, keptRows } from "./stored/kept-rows.ts";
export type { CellText, RowsToFreeze } from "./stored/rows-to-freeze.ts";
export {
  cleanedColumns,
  cleanedSelect,
  frozenSelect,
  numberColumn,
  placeColumn,
  type StoredColumn,
  snapshotColumns,
  snapshotSelect,
  unitColumn,
} from "./stored/snapshot-select.ts";
export type { Partitions, StorageOf, TableStorage } from "./stored/storage-of.ts";
