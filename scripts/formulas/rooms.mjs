/** The folders of packages/core/src that hold formulas, in the order of the page. Each file, or each mechanism, must have one as `each` says. */
export const rooms = [
  { folder: "measures/renyi", title: "Rényi divergences", each: "file" },
  { folder: "measures/pairs", title: "Dominating pairs", each: null },
  { folder: "conversions", title: "Conversions between measures", each: "file" },
  { folder: "amplification", title: "Amplification: samples, shuffles, allocation, groups", each: "file" },
  { folder: "pld", title: "Privacy loss distributions", each: null },
  { folder: "carriers", title: "Carriers of loss", each: null },
  { folder: "accountants", title: "Accountants: composition, filters, odometers, calibration", each: null },
  { folder: "mechanisms", title: "Mechanisms", each: "mechanism" },
  { folder: "accuracy", title: "Accuracy: intervals, sample sizes, errors", each: "file" },
];

/** Files of rooms where each file is a formula that are none: what formulas are written with. */
export const tools = new Set([
  "accuracy/calculators/checks.ts",
  "accuracy/confidence-interval.ts",
  "accuracy/noise-law.ts",
  "accuracy/noise-laws.ts",
  "accuracy/normal-tail-at-most.ts",
  "accuracy/smallest-certified.ts",
  "amplification/loss-atoms.ts",
  "amplification/worst-places.ts",
  "conversions/checks.ts",
  "conversions/least-epsilon.ts",
  "conversions/loss-grid.ts",
  "conversions/remembered.ts",
  "conversions/search.ts",
  "measures/renyi/trapezoid-log-sum.ts",
  "measures/renyi/renyi-curve.ts",
  "measures/renyi/least-over-orders.ts",
  "measures/renyi/chord-of-integers.ts",
]);
