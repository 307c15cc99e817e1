/** Which end of a bracket is computed: what a result is at most, or at least. */
export type End = "upper" | "lower";
