import { type CellCounts, seal } from "@lethe/core/mechanisms";
import { addAt, elementAt, intAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import type { ExactTables } from "./marginal-source.ts";

/**
 * Sealed tables of rows that lie in memory as codes, a column an attribute. A code that is none of the domain is in no cell. The columns are the data
 * themselves: who holds this function can count them, so hand it to a source and to nothing else.
 */
export function countedTables(columns: readonly Int32Array[]): ExactTables {
  return ({ attributes, merged }) => {
    const sizes = merged.map(({ size }) => size);
    const counts = new Float64Array(cellsOf(sizes, [...sizes.keys()]));
    const rows = attributes.reduce(
      (least, attribute) => Math.min(least, elementAt(columns, attribute).length),
      Number.POSITIVE_INFINITY,
    );
    const cells = new Int32Array(rows);
    for (const [at, attribute] of attributes.entries()) {
      const [column, { places, size }] = [elementAt(columns, attribute), elementAt(merged, at)];
      for (let row = 0; row < rows; row++) {
        const before = intAt(cells, row);
        const code = intAt(column, row);
        const place = before < 0 || code < 0 || code >= places.length ? -1 : intAt(places, code);
        cells[row] = place < 0 ? -1 : before * size + place;
      }
    }
    for (let row = 0; row < rows; row++) {
      const cell = intAt(cells, row);
      if (cell >= 0) addAt(counts, cell, 1);
    }
    return Promise.resolve(seal<CellCounts>(counts));
  };
}
