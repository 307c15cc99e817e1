export {
  type InventedTable,
  openUnprotected,
  type Unprotected,
  type UnprotectedRows,
} from "./unprotected.ts";
