export * from "./design.ts";
export { designRow, scaledToOne, unscaled } from "./design-row.ts";
export { type DesignRows, designRows } from "./design-rows.ts";
