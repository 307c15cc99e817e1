import { elementAt, intAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";

/**
 * Returns, for each cell of a table of the attributes `from`, the cell of the table of `to` that holds it; both in order, the last attribute fastest, `to`
 * within `from`.
 * @example cellMap([2, 3], [0, 1], [1]) // => Int32Array [0, 1, 2, 0, 1, 2]
 */
export function cellMap(
  sizes: readonly number[],
  from: readonly number[],
  to: readonly number[],
): Int32Array {
  const strides = new Map<number, number>();
  let stride = 1;
  for (const attribute of to.toReversed()) {
    strides.set(attribute, stride);
    stride *= elementAt(sizes, attribute);
  }
  let places = Int32Array.of(0);
  for (const attribute of from) {
    const [size, step] = [elementAt(sizes, attribute), strides.get(attribute) ?? 0];
    const longer = new Int32Array(places.length * size);
    let at = 0;
    for (const place of places)
      for (let value = 0; value < size; value++) longer[at++] = place + value * step;
    places = longer;
  }
  return places;
}

/** Returns the codes of a cell, one for each attribute. */
export function codesOf(
  sizes: readonly number[],
  attributes: readonly number[],
  cell: number,
): readonly number[] {
  const codes: number[] = [];
  let rest = cell;
  for (const attribute of attributes.toReversed()) {
    const size = elementAt(sizes, attribute);
    codes.push(rest % size);
    rest = Math.floor(rest / size);
  }
  return codes.reverse();
}

/** Returns the sums of a table's cells by the cell of a coarser one. */
export function addUp(table: Float64Array, map: Int32Array, cells: number): Float64Array {
  const sums = new Float64Array(cells);
  for (let cell = 0; cell < table.length; cell++) {
    const place = intAt(map, cell);
    sums[place] = (sums[place] as number) + (table[cell] as number);
  }
  return sums;
}

/** Returns the table of some of a table's attributes. */
export function projected(
  sizes: readonly number[],
  { attributes, values }: Table,
  onto: readonly number[],
): Table {
  if (onto.length === attributes.length) return { attributes, values };
  return { attributes: onto, values: addUp(values, cellMap(sizes, attributes, onto), cellsOf(sizes, onto)) };
}

/** A number for each cell of some attributes, which stand in order; the last is fastest. */
export interface Table {
  readonly attributes: readonly number[];
  readonly values: Float64Array;
}
