export type { Answer, Measured } from "./answer.ts";
export type * from "./layout.ts";
export { layoutOf } from "./layout-of.ts";
export type { NoiseShape } from "./noise-shape.ts";
export { demandSameLimits, demandSameRows } from "./same-rows.ts";
export type { Cell, Statistic } from "./statistic.ts";
