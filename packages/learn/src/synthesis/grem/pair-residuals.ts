import { type Adjacency, type Rational, toDouble } from "@lethe/core";
import { residualSensitivity } from "@lethe/core/mechanisms";
import { elementAt } from "@lethe/core/numeric";
import { cellsOf } from "../graph/index.ts";

/** A pair of attributes, and the residuals that its table is made of but for the number of rows: of each attribute, and of both, which comes last. */
export interface PairResiduals {
  readonly attributes: readonly [number, number];
  readonly cells: number;
  readonly residuals: readonly PairResidual[];
}

/** A residual as a part of a pair's table. */
export interface PairResidual {
  readonly attributes: readonly number[];
  /** How far a unit moves it, squared: what a precision of 1 takes. */
  readonly moved: Rational;
  readonly cost: number;
  /** The variance of a cell of the pair's table that a variance of 1 along each of the residual's directions makes. */
  readonly inCell: number;
}

/** Returns what is public of a pair. Both attributes have two values or more. */
export function pairResiduals(
  sizes: readonly number[],
  pair: readonly [number, number],
  { adjacency, rowsPerUnit }: { readonly adjacency: Adjacency; readonly rowsPerUnit: string },
): PairResiduals {
  const cells = cellsOf(sizes, pair);
  const [a, b] = pair;
  return {
    attributes: pair,
    cells,
    residuals: [[a], [b], pair].map((attributes): PairResidual => {
      const shape = attributes.map((attribute) => elementAt(sizes, attribute));
      const moved = residualSensitivity(adjacency, rowsPerUnit, shape);
      // Spread over the cells of the pair that share a cell of its own.
      const share = cellsOf(sizes, attributes) / cells;
      const kept = shape.reduce((product, size) => product * (1 - 1 / size), 1);
      return { attributes, moved, cost: toDouble(moved, "up"), inCell: kept * share * share };
    }),
  };
}
