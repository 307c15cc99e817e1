/** A value of the catalog: NULL, a truth value, a number of any type but int8, an int8, an array, a row, and a text for every other type in PostgreSQL's own form. */
export type Value = null | boolean | number | bigint | string | ArrayValue | RowValue;

/** A row of a relation. */
export type Tuple = readonly Value[];

/** An array of one dimension. */
export class ArrayValue {
  readonly items: readonly Value[];
  /** The subscript of the first item: 0 in vectors, else 1. */
  readonly lower: number;

  constructor(items: readonly Value[], lower = 1) {
    this.items = items;
    this.lower = lower;
  }
}

/** A value of several columns. */
export class RowValue {
  readonly items: readonly Value[];
  readonly types: readonly number[];
  readonly names: readonly string[];

  constructor(items: readonly Value[], types: readonly number[], names: readonly string[]) {
    this.items = items;
    this.types = types;
    this.names = names;
  }
}
