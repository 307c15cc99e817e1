import type { SynthesisMethod } from "./synthesis-plan.ts";

/**
 * The megabytes that a method's model may take: unless stated, and at most in a description. AIM fills its cap, and its time grows with it; a model of the joint is gone
 * through hundreds of times; tables of pairs are only kept.
 */
export const modelCaps: Readonly<Record<SynthesisMethod, { readonly usual: number; readonly most: number }>> =
  {
    mst: { usual: 16, most: 16 },
    aim: { usual: 1, most: 16 },
    residuals: { usual: 16, most: 16 },
    "aim-grem": { usual: 64, most: 512 },
  };
