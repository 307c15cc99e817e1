import { doubleAt, elementAt } from "@lethe/core/numeric";
import { junctionTree } from "../graph/index.ts";
import { type GraphicalModel, marginalsOf, noisyTotal } from "../inference/index.ts";
import { knownResiduals, withoutNegatives } from "../residuals/index.ts";
import { gradualUpdate, type Measured, type PairTarget, type RowLaw, sampleRows } from "../sampling/index.ts";
import { independentTable } from "./pair-estimates.ts";

/** Passes over all tables that are reconstructed. */
export const tablePasses = 300;
/** Passes over all measured pairs, towards which rows are moved. */
export const rowPasses = 12;

/**
 * Reconstructs all attributes and all pairs that were measured, without negative cells. No model joins the pairs: other pairs are taken as independent where they are asked for, and rows are drawn of a tree of
 * the strongest pairs and then moved towards every measured one, which they meet as far as they can all be met.
 */
export function gremLaw({ merged, measurements, residuals }: Measured): RowLaw {
  const sizes = merged.map(({ size }) => size);
  const known = knownResiduals(sizes);
  for (const table of measurements) known.addTable(table);
  for (const residual of residuals) known.addResidual(residual);
  const pairs = measuredPairs(residuals.map(({ attributes }) => attributes));
  const singles = sizes.map((_, at) => [at]);
  const { tables } = withoutNegatives(sizes, known, [...singles, ...pairs], { passes: tablePasses });
  const single = tables.slice(0, sizes.length).map(chancesOf);
  const targets = pairs.map((attributes, at): PairTarget => {
    return { attributes, values: chancesOf(elementAt(tables, sizes.length + at)) };
  });
  const byName = new Map(targets.map(({ attributes, values }) => [attributes.join(","), values]));
  const pairChances = (a: number, b: number): Float64Array =>
    byName.get(`${a},${b}`) ?? independentTable(sizes, [a, b], [elementAt(single, a), elementAt(single, b)]);
  const model = treeModel(sizes, targets, { single, total: noisyTotal(measurements) });
  const joint = marginalsOf(model);
  return {
    ...{ sizes, total: model.total },
    bytes: tables.reduce((bytes, { byteLength }) => bytes + byteLength, 0),
    chances(attributes) {
      const [a, b, ...more] = attributes.toSorted((x, y) => x - y);
      if (a === undefined || more.length > 0) return joint(attributes);
      return b === undefined ? elementAt(single, a) : pairChances(a, b);
    },
    draw(rows, bits) {
      const columns = sampleRows(model, rows, bits);
      gradualUpdate(sizes, columns, targets, { passes: rowPasses, bits });
      return columns;
    },
  };
}

function measuredPairs(sets: readonly (readonly number[])[]): readonly (readonly [number, number])[] {
  const pairs = new Map<string, readonly [number, number]>();
  for (const [a, b] of sets) if (a !== undefined && b !== undefined) pairs.set(`${a},${b}`, [a, b]);
  return [...pairs.values()];
}

function chancesOf(table: Float64Array): Float64Array {
  const sum = table.reduce((a, b) => a + b, 0);
  return table.map((x) => (sum > 0 ? x / sum : 1 / table.length));
}

/** The law along the tree of pairs that lie furthest from independence: Kruskal's algorithm, and each clique's own table. */
function treeModel(
  sizes: readonly number[],
  targets: readonly PairTarget[],
  { single, total }: { readonly single: readonly Float64Array[]; readonly total: number },
): GraphicalModel {
  const scored = targets.map(({ attributes, values }) => {
    const [a, b] = attributes;
    const apart = independentTable(sizes, attributes, [elementAt(single, a), elementAt(single, b)]);
    const distance = values.reduce((sum, x, cell) => sum + Math.abs(x - doubleAt(apart, cell)), 0);
    return { attributes, values, distance };
  });
  const part = [...sizes.keys()];
  const kept = new Map<string, Float64Array>(single.map((table, at) => [String(at), table]));
  const edges: (readonly number[])[] = [];
  for (const { attributes, values } of scored.toSorted((x, y) => y.distance - x.distance)) {
    const [a, b] = [elementAt(part, attributes[0]), elementAt(part, attributes[1])];
    if (a === b) continue;
    edges.push(attributes);
    kept.set(attributes.join(","), values);
    for (const [at, of] of part.entries()) if (of === b) part[at] = a;
  }
  const tree = junctionTree(sizes, edges);
  const beliefs = tree.cliques.map((clique) => kept.get(clique.join(",")) ?? new Float64Array());
  return { sizes, tree, beliefs, total };
}
