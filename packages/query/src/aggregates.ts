/**
 * A family of aggregates is written with these parts, and enters these registries. A new aggregate is a folder like `aggregates/average`, and a line
 * in `families`; a sum that no family takes yet is also a line in `sumKinds`.
 * @module @lethe/query/aggregates
 */
export type { AnswerSetting } from "./aggregates/answers/answer-setting.ts";
export { measureCentred } from "./aggregates/average/measure-centred.ts";
export { centre } from "./aggregates/bounds/centre.ts";
export { rowGrid } from "./aggregates/bounds/row-grid.ts";
export { writeArguments } from "./aggregates/bounds/write-arguments.ts";
export { measureCount } from "./aggregates/count/measure-count.ts";
export type { AggregateFamily } from "./aggregates/family.ts";
export type { Measurer } from "./aggregates/measurer.ts";
export { families, sumKinds } from "./aggregates/registry.ts";
export { measureSquares } from "./aggregates/spread/measure-squares.ts";
export type { SumKind } from "./aggregates/sum-kind.ts";
export type { SumWriter } from "./aggregates/sum-writer.ts";
