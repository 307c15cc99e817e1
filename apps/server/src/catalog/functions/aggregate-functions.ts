import type { Run } from "../evaluate/frame.ts";
import type { Accumulator } from "../evaluate/scope.ts";
import { compareValues } from "../types/compare.ts";
import { oids } from "../types/oids.ts";
import { ArrayValue, type Tuple, type Value } from "../types/values.ts";
import { writeText } from "../types/write-text.ts";
import { jsonText } from "./json-functions.ts";

/** Begins to add up values of these types. */
export type AggregateFunction = (types: readonly number[], result: number) => Accumulator;

/** Adds up what is not NULL. */
function folded<S>(
  begin: S | null,
  add: (state: S | null, value: NonNullable<Value>) => S,
  end: (state: S | null) => Value,
): Accumulator {
  let state = begin;
  return {
    add([value = null]: Tuple) {
      if (value !== null) state = add(state, value);
    },
    result: () => end(state),
  };
}

function collected(write: (rows: readonly Tuple[], run: Run) => Value, keepsNulls: boolean): Accumulator {
  const rows: Tuple[] = [];
  return {
    add(values, run) {
      if (!keepsNulls && (values[0] ?? null) === null) return;
      run.budget.hold(values.length);
      rows.push(values);
    },
    result: (run) => (rows.length === 0 ? null : write(rows, run)),
  };
}

function counted(text: string, run: Run): string {
  run.budget.step(1 + (text.length >> 4));
  run.budget.hold(text.length >> 4);
  return text;
}

const every: AggregateFunction = () =>
  folded<boolean>(
    null,
    (state, value) => state !== false && value === true,
    (state) => state,
  );

const jsonList: AggregateFunction = ([type = oids.text]) =>
  collected(
    (rows, run) => counted(`[${rows.map(([value = null]) => jsonText(value, type, run)).join(", ")}]`, run),
    true,
  );

const jsonObject =
  (begin: string, colon: string, comma: string, end: string): AggregateFunction =>
  ([key = oids.text, type = oids.text]) =>
    collected((rows, run) => {
      const fields = rows.map(
        ([name = null, value = null]) =>
          `${JSON.stringify(name === null ? "" : writeText(name, key, run))}${colon}${jsonText(value, type, run)}`,
      );
      return counted(begin + fields.join(comma) + end, run);
    }, true);

/** The aggregates that are known. */
export const aggregateFunctions: Readonly<Record<string, AggregateFunction>> = {
  count: (types) => {
    let count = 0n;
    return {
      add: ([value = null]) => {
        if (types.length === 0 || value !== null) count += 1n;
      },
      result: () => count,
    };
  },
  array_agg: () => collected((rows) => new ArrayValue(rows.map(([value = null]) => value)), true),
  string_agg: () =>
    collected(
      (rows, run) =>
        counted(
          rows
            .map(([value, separator], at) => (at === 0 ? "" : String(separator ?? "")) + String(value))
            .join(""),
          run,
        ),
      false,
    ),
  max: () =>
    folded<NonNullable<Value>>(
      null,
      (state, value) => (state === null || compareValues(value, state) > 0 ? value : state),
      (state) => state,
    ),
  min: () =>
    folded<NonNullable<Value>>(
      null,
      (state, value) => (state === null || compareValues(value, state) < 0 ? value : state),
      (state) => state,
    ),
  any_value: () =>
    folded<NonNullable<Value>>(
      null,
      (state, value) => state ?? value,
      (state) => state,
    ),
  sum: (_, result) =>
    result === oids.int8
      ? folded<bigint>(
          null,
          (state, value) => (state ?? 0n) + BigInt(value as number),
          (state) => state,
        )
      : folded<number>(
          null,
          (state, value) => (state ?? 0) + Number(value),
          (state) => state,
        ),
  avg: () =>
    folded<readonly [number, number]>(
      null,
      (state, value) => [(state?.[0] ?? 0) + Number(value), (state?.[1] ?? 0) + 1],
      (state) => (state === null ? null : state[0] / state[1]),
    ),
  bool_and: every,
  every,
  bool_or: () =>
    folded<boolean>(
      null,
      (state, value) => state === true || value === true,
      (state) => state,
    ),
  json_agg: jsonList,
  jsonb_agg: jsonList,
  json_object_agg: jsonObject("{ ", " : ", ", ", " }"),
  jsonb_object_agg: jsonObject("{", ": ", ", ", "}"),
};
