import type { DerivedQuestion } from "../derive-sensitivity.ts";

/** What is measured for a question, and how its totals are read from that: all of a question that measuring together changes. */
export type Measured = Pick<DerivedQuestion, "sums" | "measurements" | "joint" | "combined">;
