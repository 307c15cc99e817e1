import { doubleAt, elementAt, intAt } from "@lethe/core/numeric";
import { cellMap } from "../inference/index.ts";
import { type KnownResiduals, withoutNegatives } from "../residuals/index.ts";

/** What noisy answers say of pairs, made when it is asked for and kept until an answer changes it. */
export interface PairEstimates {
  /** Returns the table of one attribute or two, in rows: the same array until it changes. */
  of(attributes: readonly number[]): Float64Array;
  /** Lets go of what a new residual of these attributes changes: their own table, and of one attribute all pairs with it. */
  forget(attributes: readonly number[]): void;
}

const passes = 40;

/**
 * Keeps tables of pairs over residuals that are still gathered. A pair whose own residual was measured is what residuals say, without negative cells of its own; of another
 * one the two attributes are taken as independent.
 * Source: Fuentes, Mullins, Xiao, Kifer, Musco & Sheldon 2026 (arXiv 2602.05674) (lazy updates)
 */
export function pairEstimates(sizes: readonly number[], known: KnownResiduals): PairEstimates {
  const tables = new Map<string, Float64Array>();
  const multipliers = new Map<string, Float64Array>();
  function made(attributes: readonly number[]): Float64Array {
    const key = attributes.join(",");
    const [a, b] = attributes;
    if (b !== undefined && a !== undefined && known.of(attributes) === null) return independent(a, b);
    const start = multipliers.get(key);
    const found = withoutNegatives(sizes, known, [attributes], {
      passes,
      ...(start ? { start: new Map([[key, start]]) } : {}),
    });
    multipliers.set(key, found.multipliers.get(key) ?? new Float64Array());
    return elementAt(found.tables, 0);
  }
  function of(attributes: readonly number[]): Float64Array {
    const key = attributes.join(",");
    const table = tables.get(key) ?? made(attributes);
    tables.set(key, table);
    return table;
  }
  function independent(a: number, b: number): Float64Array {
    return independentTable(sizes, [a, b], [of([a]), of([b])]);
  }
  return {
    of,
    forget(attributes) {
      tables.delete(attributes.join(","));
      const [a, ...others] = attributes;
      if (others.length > 0) return;
      for (const other of sizes.keys()) tables.delete([a, other].sort((x = 0, y = 0) => x - y).join(","));
    },
  };
}

/** Returns the table of a pair whose attributes say nothing of each other: the product of their tables over the rows. */
export function independentTable(
  sizes: readonly number[],
  pair: readonly [number, number],
  [first, second]: readonly [Float64Array, Float64Array],
): Float64Array {
  const rows = first.reduce((sum, count) => sum + count, 0);
  const [own, other] = pair.map((attribute) => cellMap(sizes, pair, [attribute]));
  if (!own || !other) return new Float64Array();
  const table = new Float64Array(own.length);
  if (rows > 0) {
    for (let cell = 0; cell < table.length; cell++)
      table[cell] = (doubleAt(first, intAt(own, cell)) * doubleAt(second, intAt(other, cell))) / rows;
  }
  return table;
}
