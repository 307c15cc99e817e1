import type { UnitRange } from "../../aggregates/measurer.ts";
import type { Measurement } from "../plan.ts";
import type { DerivedNoised } from "./derive-tree.ts";

/** A measurement before noise is chosen for it. */
export interface DerivedMeasurement extends Omit<Measurement, "noise" | "l1" | "l2Squared">, DerivedNoised {
  /** The range of a present unit's value in one group. */
  readonly range: UnitRange;
}
