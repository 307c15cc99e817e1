import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";

/** Vectors of one length, of which the entries that are not 0 alone are held: a column of categories has one such entry a row. */
export interface RowVectors {
  readonly dimension: number;
  /** Vector after vector. */
  readonly values: Float64Array;
  /** The place of each value in its vector. */
  readonly places: Int32Array;
  /** The first value of each vector, and at the end the number of values. */
  readonly from: Int32Array;
}

/** Writes vectors one after the other. A value of 0 is not kept, which changes no sum. */
export class VectorWriter {
  readonly #dimension: number;
  readonly #values: Float64Array;
  readonly #places: Int32Array;
  readonly #from: Int32Array;
  #rows = 0;
  #next = 0;

  /** Room for so many vectors, and so many values in all. */
  constructor(dimension: number, rows: number, values: number) {
    this.#dimension = dimension;
    this.#values = new Float64Array(values);
    this.#places = new Int32Array(values);
    this.#from = new Int32Array(rows + 1);
  }

  add(vector: Float64Array): void {
    for (let place = 0; place < vector.length; place += 1) {
      const value = doubleAt(vector, place);
      if (value === 0) continue;
      this.#values[this.#next] = value;
      this.#places[this.#next] = place;
      this.#next += 1;
    }
    this.#rows += 1;
    this.#from[this.#rows] = this.#next;
  }

  finish(): RowVectors {
    return {
      dimension: this.#dimension,
      values: this.#values.subarray(0, this.#next),
      places: this.#places.subarray(0, this.#next),
      from: this.#from,
    };
  }
}

/** ⟨weights, a row's vector⟩. */
export function innerProduct(
  { values, places, from }: RowVectors,
  row: number,
  weights: Float64Array,
): number {
  const end = intAt(from, row + 1);
  let sum = 0;
  for (let i = intAt(from, row); i < end; i += 1)
    sum += doubleAt(weights, intAt(places, i)) * doubleAt(values, i);
  return sum;
}

/** Adds so many times a row's vector. */
export function addTimes(
  { values, places, from }: RowVectors,
  row: number,
  factor: number,
  into: Float64Array,
): void {
  const end = intAt(from, row + 1);
  for (let i = intAt(from, row); i < end; i += 1) {
    const place = intAt(places, i);
    into[place] = doubleAt(into, place) + factor * doubleAt(values, i);
  }
}

/** The vectors of some rows alone. */
export function vectorsOf({ dimension, values, places, from }: RowVectors, rows: Uint32Array): RowVectors {
  const starts = new Int32Array(rows.length + 1);
  rows.forEach((row, at) => {
    starts[at + 1] = elementAt(starts, at) + elementAt(from, row + 1) - elementAt(from, row);
  });
  const kept = {
    values: new Float64Array(starts[rows.length] ?? 0),
    places: new Int32Array(starts[rows.length] ?? 0),
  };
  rows.forEach((row, at) => {
    const [first, end] = [elementAt(from, row), elementAt(from, row + 1)];
    kept.values.set(values.subarray(first, end), elementAt(starts, at));
    kept.places.set(places.subarray(first, end), elementAt(starts, at));
  });
  return { dimension, ...kept, from: starts };
}
