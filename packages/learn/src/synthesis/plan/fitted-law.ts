import { estimate } from "../inference/index.ts";
import { graphicalLaw, type Measured, type RowLaw } from "../sampling/index.ts";
import { passes } from "./passes.ts";

/** Fits the law that factors along the tables that were measured. */
export function fittedLaw({ merged, measurements }: Measured): RowLaw {
  const sizes = merged.map(({ size }) => size);
  return graphicalLaw(estimate(sizes, measurements, { steps: passes.last }).model);
}
