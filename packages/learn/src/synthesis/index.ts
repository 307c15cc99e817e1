export * from "./domain/index.ts";
export { type JunctionTree, junctionTree, modelBytes } from "./graph/index.ts";
export {
  type Estimate,
  type EstimateOptions,
  estimate,
  type GraphicalModel,
  type Measurement,
  marginalsOf,
  measured,
  type Table,
} from "./inference/index.ts";
export * from "./methods/index.ts";
export type {
  Stage,
  SynthesisBudget,
  SynthesisMethod,
  SynthesisPlan,
  SynthesisRequest,
  SynthesisRound,
  Work,
} from "./plan/index.ts";
export * from "./questions/index.ts";
export * from "./released/index.ts";
export * from "./report/index.ts";
export { type Reconstructed, reconstruction } from "./residuals/index.ts";
export {
  graphicalLaw,
  type Learned,
  type Measured,
  mostSyntheticRows,
  type RowLaw,
  sampleRows,
  syntheticCodes,
  syntheticRowCount,
  syntheticRows,
} from "./sampling/index.ts";
export * from "./source/index.ts";
export * from "./spec/index.ts";
