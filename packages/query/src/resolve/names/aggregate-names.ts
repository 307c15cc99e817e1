import type { BoundsForm, CallForm, ComputedForm, ShareForm } from "../../aggregates/call-form.ts";
import { families } from "../../aggregates/registry.ts";

/** A name that an aggregate is called by: what it makes of the call, and the bounds that the call may state. */
export interface AggregateName {
  readonly form: CallForm;
  readonly bounds: BoundsForm;
}

/** Returns the aggregate that people call by a name; null where none is answered by it. */
export function aggregateNamed(name: string): AggregateName | null {
  for (const { calls, bounds } of Object.values(families))
    if (Object.hasOwn(calls, name)) return { form: calls[name]!, bounds };
  return null;
}

/** Returns the names of aggregates that are measured, neither computed from others nor read from a tree: those to suggest. */
export function measuredNames(): readonly string[] {
  const names = Object.values(families).flatMap(({ calls }) =>
    Object.entries(calls).flatMap(([name, { reads }]) =>
      reads === "computed pair" || reads === "share" ? [] : [name],
    ),
  );
  return [...new Set(names)];
}

/** Whether a function is called like an aggregate, answered or not. */
export function isAggregateName(name: string): boolean {
  return aggregateNamed(name) !== null || otherAggregates.has(name);
}

/** Returns what computes a value from other aggregates of two numbers; null for every other name. */
export function computedForm(name: string): ComputedForm | null {
  const form = aggregateNamed(name)?.form;
  return form?.reads === "computed pair" ? form : null;
}

/** Returns how a name asks for quantiles; null for a name that does not. */
export function shareForm(name: string): ShareForm | null {
  const form = aggregateNamed(name)?.form;
  return form?.reads === "share" ? form : null;
}

/** Known elsewhere, and refused with a reason rather than as unknown. */
export const otherAggregates: ReadonlyMap<string, string> = new Map([
  [
    "mode",
    "MODE is answered for groups of rows of many units, and neither within a unit nor over released rows",
  ],
  [
    "approx_top_count",
    "APPROX_TOP_COUNT is answered as a column of a list, for groups of rows of many units",
  ],
  ["approx_top_k", "APPROX_TOP_K is answered as a column of a list, for groups of rows of many units"],
  ["histogram", "HISTOGRAM would put several numbers into one column"],
  ["array_agg", "ARRAY_AGG shows single rows"],
  ["string_agg", "STRING_AGG shows single rows"],
  ["json_agg", "JSON_AGG shows single rows"],
  ["jsonb_agg", "JSONB_AGG shows single rows"],
  ["list", "LIST shows single rows"],
  ["first", "FIRST shows one row's value"],
  ["last", "LAST shows one row's value"],
  ["any_value", "ANY_VALUE shows one row's value"],
  ["arg_min", "ARG_MIN shows one row's value"],
  ["arg_max", "ARG_MAX shows one row's value"],
  ["bool_and", "BOOL_AND depends on a single row"],
  ["bool_or", "BOOL_OR depends on a single row"],
  ["every", "EVERY depends on a single row"],
  ["bit_and", "BIT_AND depends on a single row"],
  ["bit_or", "BIT_OR depends on a single row"],
  ["bit_xor", "BIT_XOR depends on a single row"],
]);
