/** BigQuery's named arguments: contribution_bounds_per_row clamps each value, contribution_bounds_per_group a unit's sum in a group. */
export interface AggregateBounds {
  readonly per: "row" | "group";
  readonly lo: number;
  readonly hi: number;
  /**
   * Marks bounds that were found or assumed in the place of auto. A measurement within such bounds is shared with no other, even
   * where bounds are alike.
   */
  readonly learned?: true;
}

/** Bounds, or contribution_bounds_per_row => auto: bounds to be learned from the data, for all groups together. */
export type AskedBounds = AggregateBounds | { readonly per: "auto" };
