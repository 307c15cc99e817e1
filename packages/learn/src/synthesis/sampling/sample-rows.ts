import type { BitSource } from "@lethe/core";
import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";
import { addUp, cellMap, codesOf, type GraphicalModel } from "../inference/index.ts";
import { roundedCounts } from "./rounded-counts.ts";
import { shuffle } from "./shuffle.ts";

/**
 * Draws rows of a model as codes, a column an attribute. A clique at a time gives the codes that it adds to rows of the same codes before: not each by a
 * coin, but as many of each as the model says, rounded at random, so that tables of the rows are hardly noisier than the model. From noisy answers alone.
 * Source: McKenna, Miklau & Sheldon 2021 (arXiv 2108.04978), Sec. 4.4 (randomized rounding).
 */
export function sampleRows(model: GraphicalModel, rows: number, bits: BitSource): readonly Int32Array[] {
  const { sizes, tree, beliefs } = model;
  const columns = sizes.map(() => new Int32Array(rows));
  for (const [at, clique] of tree.cliques.entries()) {
    const separator = elementAt(tree.separators, at);
    const added = clique.filter((attribute) => !separator.includes(attribute));
    const [groups, cells] = [cellsOf(sizes, separator), cellsOf(sizes, added)];
    // P(separator, added), with the added attributes fastest.
    const order = cellMap(sizes, clique, separator);
    const within = cellMap(sizes, clique, added);
    const belief = elementAt(beliefs, at);
    const chances = new Float64Array(groups * cells);
    for (let cell = 0; cell < belief.length; cell++) {
      chances[intAt(order, cell) * cells + intAt(within, cell)] = doubleAt(belief, cell);
    }
    const codes = Array.from({ length: cells }, (_, cell) => codesOf(sizes, added, cell));
    for (const [group, members] of rowsByGroup(sizes, separator, columns, rows, groups).entries()) {
      if (members.length === 0) continue;
      const counts = roundedCounts(
        chances.subarray(group * cells, (group + 1) * cells),
        members.length,
        bits,
      );
      shuffle(members, bits);
      let next = 0;
      for (const [cell, count] of counts.entries()) {
        const values = elementAt(codes, cell);
        for (let k = 0; k < count; k++) {
          const row = intAt(members, next++);
          for (const [place, attribute] of added.entries()) {
            elementAt(columns, attribute)[row] = elementAt(values, place);
          }
        }
      }
    }
  }
  return columns;
}

/** The rows of each cell of the separator. */
function rowsByGroup(
  sizes: readonly number[],
  separator: readonly number[],
  columns: readonly Int32Array[],
  rows: number,
  groups: number,
): readonly Int32Array[] {
  const cells = new Int32Array(rows);
  for (const attribute of separator) {
    const [size, column] = [elementAt(sizes, attribute), elementAt(columns, attribute)];
    for (let row = 0; row < rows; row++) cells[row] = intAt(cells, row) * size + intAt(column, row);
  }
  const counts = addUp(new Float64Array(rows).fill(1), cells, groups);
  const members = Array.from(counts, (count) => new Int32Array(count));
  const filled = new Int32Array(groups);
  for (let row = 0; row < rows; row++) {
    const group = intAt(cells, row);
    const place = intAt(filled, group);
    elementAt(members, group)[place] = row;
    filled[group] = place + 1;
  }
  return members;
}
