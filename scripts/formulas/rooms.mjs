/** The folders of packages/core/src that hold formulas, in the order of the page. Each file, or each mechanism, must have one as `each` says. */
export const rooms = [
  { folder: "losses/renyi/curves", title: "Rényi divergences", each: "file" },
  { folder: "losses/pld/pairs", title: "Dominating pairs", each: null },
  { folder: "conversions", title: "Conversions between measures", each: "file" },
  { folder: "amplification", title: "Amplification: samples, shuffles, allocation, groups", each: "file" },
  { folder: "losses/pld", title: "Privacy loss distributions", each: null },
  { folder: "losses", title: "Representations of loss", each: null },
  { folder: "accountants", title: "Accountants: composition, filters, odometers, calibration", each: null },
  { folder: "mechanisms", title: "Mechanisms", each: "mechanism" },
  { folder: "accuracy", title: "Accuracy: intervals, sample sizes, errors", each: "file" },
];

/** Files of rooms where each file is a formula that are none: what formulas are written with. */
export const tools = new Set([
  "accuracy/calculators/checks.ts",
  "accuracy/intervals/confidence-interval.ts",
  "accuracy/laws/noise-law.ts",
  "accuracy/laws/noise-laws.ts",
  "accuracy/laws/normal-tail-at-most.ts",
  "accuracy/laws/quantile-range.ts",
  "accuracy/laws/smallest-certified.ts",
  "amplification/loss-atoms.ts",
  "amplification/worst-places.ts",
  "conversions/search/checks.ts",
  "conversions/search/least-epsilon.ts",
  "conversions/search/loss-grid.ts",
  "conversions/search/remembered.ts",
  "conversions/search/search.ts",
  "losses/renyi/curves/trapezoid-log-sum.ts",
  "losses/renyi/curves/renyi-curve.ts",
  "losses/renyi/curves/least-over-orders.ts",
  "losses/renyi/curves/chord-of-integers.ts",
]);
