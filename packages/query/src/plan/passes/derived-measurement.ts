import type { UnitRange } from "../../aggregates/measurer.ts";
import type { Measurement } from "../plan.ts";
import type { DerivedNoised } from "./derive-tree.ts";

/** A measurement before noise is chosen for it. */
export interface DerivedMeasurement extends Omit<Measurement, "noise" | "l1" | "l2Squared">, DerivedNoised {
  /** Present where it has its noise together with others: its importance, then, is that of all of them. */
  readonly together?: true;
  /** The range of a present unit's value in one group. */
  readonly range: UnitRange;
}
