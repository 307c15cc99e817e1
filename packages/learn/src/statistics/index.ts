export type * from "./layout.ts";
export { layoutOf } from "./layout-of.ts";
