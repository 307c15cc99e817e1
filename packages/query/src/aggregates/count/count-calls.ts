import type { CallForm } from "../call-form.ts";

/** The names of counts. */
export const countCalls: Readonly<Record<string, CallForm>> = {
  count: { reads: "rows", withinUnit: "count" },
  count_if: { reads: "condition", withinUnit: "count" },
  countif: { reads: "condition", withinUnit: "count" },
  approx_count_distinct: { reads: "distinct", withinUnit: "count" },
};
