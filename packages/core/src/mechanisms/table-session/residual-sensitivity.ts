import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import { type IntegerInput, integerOf } from "../../numeric/exact-input.ts";
import { divide, multiply, type Rational, ratio } from "../../numeric/rational.ts";

/**
 * Returns how far one unit moves the residual of a table, squared: r²·Π(1 − 1/n) where it adds rows, all of them in one cell at worst; where it is replaced,
 * 2r²·Π(1 − 1/n) over all axes but the shortest, reached by two cells that lie apart on that axis alone. Proof: ./table-session.proof.md
 * Source: Xiao, He, Zhang & Kifer 2023 (arXiv 2305.08175), Thm 1 (under add-or-remove-one)
 * Direction: exact
 * Errors: parameter.invalid unless the shape has an axis, of 2 values or more each, and rowsPerUnit is an integer ≥ 1.
 * @example residualSensitivity("add-or-remove-one", 1, [2, 2]) // => 1/4
 */
export function residualSensitivity(
  adjacency: Adjacency,
  rowsPerUnit: IntegerInput,
  shape: readonly number[],
): Rational {
  const rows = integerOf(rowsPerUnit, "rowsPerUnit");
  if (!(rows >= 1n)) throw invalidParameter("rowsPerUnit", rows, "an integer ≥ 1");
  if (shape.length === 0 || !shape.every((size) => Number.isSafeInteger(size) && size >= 2))
    throw invalidParameter("shape", shape.join(" × "), "one axis or more, each of 2 values or more");
  const own = shape
    .map((size) => ratio(BigInt(size - 1), BigInt(size)))
    .reduce((product, each) => multiply(product, each), ratio(rows * rows));
  const shortest = BigInt(Math.min(...shape));
  const moved = {
    "add-or-remove-one": own,
    "replace-one": divide(multiply(own, ratio(2n * shortest)), ratio(shortest - 1n)),
  }[adjacency];
  if (moved === undefined) throw invalidParameter("adjacency", adjacency, "add-or-remove-one or replace-one");
  return moved;
}
