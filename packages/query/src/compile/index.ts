export { placedSelect } from "./bounded-rows.ts";
export { compilePlan } from "./compile-plan.ts";
export { compileTrees } from "./compile-trees.ts";
export type { CompiledQuery } from "./compiled-query.ts";
export { groupOrder, keyedNumber, placeInOrder } from "./group-order.ts";
export { joinedRows as relationRows } from "./joined-rows.ts";
export { type KeptRows, keptRows } from "./kept-rows.ts";
export {
  numberColumn,
  placeColumn,
  type StoredColumn,
  snapshotColumns,
  snapshotSelect,
  unitColumn,
} from "./snapshot-select.ts";
export type { StorageOf } from "./storage-of.ts";
