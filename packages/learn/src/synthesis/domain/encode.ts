import { elementAt } from "@lethe/core/numeric";
import { type Attribute, type BinnedAttribute, valuesBeforeNull } from "./attribute.ts";

/** Stands for a value that is in no cell: it is outside the domain, where NULL is no value. */
export const noCode = -1;

/**
 * Prepares a value ↦ its code from 0: the place of its category, or its bin. NULL and what is outside of the categories is the last code where the
 * attribute is nullable, else {@link noCode}. Numbers are cut to the bounds. Nothing here fails because of a value.
 */
export function encoderOf(attribute: Attribute): (value: unknown) => number {
  const missing = attribute.nullable ? valuesBeforeNull(attribute) : noCode;
  if (attribute.kind === "bins") {
    return (value) => {
      const x = typeof value === "bigint" ? Number(value) : value;
      return typeof x === "number" && !Number.isNaN(x) ? binOf(attribute.edges, x) : missing;
    };
  }
  const places = new Map<unknown, number>(attribute.categories.map((value, at) => [value, at]));
  return (value) => places.get(typeof value === "bigint" ? Number(value) : value) ?? missing;
}

/** Returns the bin of a number, which is cut to the edges. */
export function binOf(edges: readonly number[], x: number): number {
  let [low, high] = [0, edges.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (elementAt(edges, middle) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the codes of a column. */
export function encodeColumn(attribute: Attribute, values: ArrayLike<unknown>): Int32Array {
  const encode = encoderOf(attribute);
  return Int32Array.from({ length: values.length }, (_, row) => encode(values[row]));
}

/**
 * Returns a value of a code: the category, NULL, or a number of the bin, evenly spread over it by a uniform `share` in [0, 1).
 * @example decodeValue({ kind: "bins", name: "age", edges: [0, 10, 20], integer: true, nullable: false }, 1, 0.35) // => 13
 */
export function decodeValue(
  attribute: Attribute,
  code: number,
  share: number,
): string | number | boolean | null {
  if (code < 0 || code >= valuesBeforeNull(attribute)) return null;
  return attribute.kind === "categories"
    ? elementAt(attribute.categories, code)
    : numberIn(attribute, code, share);
}

function numberIn({ edges, integer }: BinnedAttribute, bin: number, share: number): number {
  const [low, high] = [elementAt(edges, bin), elementAt(edges, bin + 1)];
  if (!integer) return low + (high - low) * share;
  // The whole numbers of the bin; its upper edge belongs to the next one, but for the last bin.
  const first = Math.ceil(low);
  const last = bin === edges.length - 2 ? Math.floor(high) : Math.ceil(high) - 1;
  return last < first ? Math.round((low + high) / 2) : first + Math.floor((last - first + 1) * share);
}
