/** The end of a bracket that is computed: an upper or a lower bound of the result. */
export type End = "upper" | "lower";
