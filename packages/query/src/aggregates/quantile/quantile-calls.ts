import type { CallForm } from "../call-form.ts";

/** The names of quantiles. MIN and MAX would show one row's value: shares near the ends stand for them. */
export const quantileCalls: Readonly<Record<string, CallForm>> = {
  median: { reads: "share", form: "fixed", share: 0.5, standsFor: null },
  min: { reads: "share", form: "fixed", share: 0.01, standsFor: "min" },
  max: { reads: "share", form: "fixed", share: 0.99, standsFor: "max" },
  percentile_cont: { reads: "share", form: "stated" },
  percentile_disc: { reads: "share", form: "stated" },
  quantile: { reads: "share", form: "stated" },
  quantile_cont: { reads: "share", form: "stated" },
  quantile_disc: { reads: "share", form: "stated" },
  quantiles: { reads: "share", form: "several" },
  approx_quantiles: { reads: "share", form: "several" },
};
