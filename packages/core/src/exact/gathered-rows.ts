import { elementAt } from "../numeric/index.ts";
import type { UnitRows } from "./unit-rows.ts";

/** Rows of a column are gathered in blocks of this many: no row is moved before all have come. */
const blockRows = 2 ** 16;

/**
 * Gathers rows as an engine brings them, those of one unit one after another. Their number is told by nobody before, so it may not exceed a
 * limit. Whatever it throws is for the owner's log: an engine replaces it by its one constant.
 * @example
 * const gathered = new GatheredRows(1, 1000);
 * gathered.add(1, () => 2.5);
 * gathered.finish(); // { columns: [[2.5]], offsets: [0, 1] }
 */
export class GatheredRows {
  readonly #blocks: Float64Array[][];
  readonly #starts: number[] = [];
  readonly #mostRows: number;
  #rows = 0;
  #unit = 0;

  /** `maxValues` is the most values in all columns together, 8 bytes each; a row without columns counts as one. */
  constructor(columns: number, maxValues: number) {
    this.#blocks = Array.from({ length: columns }, () => []);
    this.#mostRows = Math.min(Math.floor(maxValues / Math.max(1, columns)), 2 ** 32 - 1);
  }

  /** Adds a row of the unit of this number. Units are numbered 1, 2, … in the order in which they come. */
  add(unit: number, read: (column: number) => number): void {
    if (!(this.#rows < this.#mostRows)) throw new Error(`more than ${this.#mostRows} rows`);
    if (unit !== this.#unit) {
      if (unit !== this.#unit + 1) throw new Error("the rows of a unit do not stand one after another");
      this.#unit = unit;
      this.#starts.push(this.#rows);
    }
    const at = this.#rows % blockRows;
    for (const [column, blocks] of this.#blocks.entries()) {
      if (at === 0) blocks.push(new Float64Array(blockRows));
      elementAt(blocks, blocks.length - 1)[at] = read(column);
    }
    this.#rows += 1;
  }

  /** Returns the rows, and lets go of them: columns are put together one by one, each in place of its blocks. */
  finish(): UnitRows {
    const rows = this.#rows;
    const columns = this.#blocks.map((blocks) => {
      const column = new Float64Array(rows);
      for (const [at, block] of blocks.splice(0).entries())
        column.set(block.subarray(0, Math.min(blockRows, rows - at * blockRows)), at * blockRows);
      return column;
    });
    return { columns, offsets: Uint32Array.from([...this.#starts, rows]) };
  }
}
