import type { Run } from "../evaluate/frame.ts";
import type { Tuple, Value } from "../types/values.ts";

/** What a function is called with, beside its values. */
export interface Call {
  readonly run: Run;
  /** The types of its values. */
  readonly types: readonly number[];
  readonly result: number;
}

/** A function of values that are of the types that it takes. It is not called with NULL where PostgreSQL's is strict. */
export type ScalarFunction = (values: readonly Value[], call: Call) => Value;
export type ScalarFunctions = Readonly<Record<string, ScalarFunction>>;

/** A function that returns rows. */
export type SetFunction = (values: readonly Value[], call: Call) => readonly Tuple[];
export type SetFunctions = Readonly<Record<string, SetFunction>>;
