import { compareValues } from "../types/compare.ts";
import { oids } from "../types/oids.ts";
import { ArrayValue, type Value } from "../types/values.ts";
import { writeText } from "../types/write-text.ts";
import type { Call, ScalarFunctions } from "./call.ts";

const items = (value: Value | undefined): readonly Value[] =>
  value instanceof ArrayValue ? value.items : [];
const lower = (value: Value | undefined): number => (value instanceof ArrayValue ? value.lower : 1);

function made(values: readonly Value[], { run }: Call): ArrayValue {
  run.budget.step(values.length);
  run.budget.hold(values.length);
  return new ArrayValue(values);
}

function isSame(a: Value, b: Value): boolean {
  return a === null || b === null ? a === b : compareValues(a, b) === 0;
}

/** Functions of arrays, which have one dimension here. */
export const arrayFunctions: ScalarFunctions = {
  array_length: ([array, dimension]) =>
    dimension === 1 && items(array).length > 0 ? items(array).length : null,
  array_lower: ([array, dimension]) => (dimension === 1 && items(array).length > 0 ? lower(array) : null),
  array_upper: ([array, dimension]) =>
    dimension === 1 && items(array).length > 0 ? lower(array) + items(array).length - 1 : null,
  array_ndims: ([array]) => (items(array).length > 0 ? 1 : null),
  array_dims: ([array]) =>
    items(array).length > 0 ? `[${lower(array)}:${lower(array) + items(array).length - 1}]` : null,
  cardinality: ([array]) => items(array).length,
  array_position: ([array, item]) => {
    const at = items(array).findIndex((each) => isSame(each, item ?? null));
    return at < 0 ? null : at + lower(array);
  },
  array_positions: ([array, item], call) =>
    array instanceof ArrayValue
      ? made(
          array.items.flatMap((each, at) => (isSame(each, item ?? null) ? [at + array.lower] : [])),
          call,
        )
      : null,
  array_append: ([array, item], call) => made([...items(array), item ?? null], call),
  array_prepend: ([item, array], call) => made([item ?? null, ...items(array)], call),
  array_cat: ([one = null, other = null], call) =>
    one === null || other === null ? (one ?? other) : made([...items(one), ...items(other)], call),
  array_remove: ([array, item], call) =>
    array instanceof ArrayValue
      ? made(
          array.items.filter((each) => !isSame(each, item ?? null)),
          call,
        )
      : null,
  array_reverse: ([array], call) => made([...items(array)].reverse(), call),
  array_sort: ([array], call) =>
    made(
      [...items(array)].sort((a, b) => (a === null ? 1 : b === null ? -1 : compareValues(a, b))),
      call,
    ),
  array_to_string: ([array, separator, absent], { run, types }) => {
    if (!(array instanceof ArrayValue) || separator === null || separator === undefined) return null;
    const element = run.catalog.types.elementOf(types[0] ?? 0) || oids.text;
    const texts = array.items.flatMap((item) =>
      item === null
        ? absent === null || absent === undefined
          ? []
          : [String(absent)]
        : [writeText(item, element, run)],
    );
    const text = texts.join(String(separator));
    run.budget.step(1 + (text.length >> 4));
    run.budget.hold(text.length >> 4);
    return text;
  },
  string_to_array: ([text, separator, absent], call) => {
    if (text === null || text === undefined) return null;
    const whole = String(text);
    if (whole === "") return new ArrayValue([]);
    const parts =
      separator === null ? [...whole] : separator === "" ? [whole] : whole.split(String(separator));
    return made(
      parts.map((part) => (part === absent ? null : part)),
      call,
    );
  },
};
