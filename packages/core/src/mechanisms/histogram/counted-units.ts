import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import type { Sensitivity } from "../mechanism.ts";

/** The adjacency, and the limits on the rows of one unit in a table of counts. Public. */
export interface CountedUnits {
  readonly adjacency: Adjacency;
  /** Rows of one unit in all; 1 unless stated. */
  readonly rows?: bigint;
  /** Rows of one unit in one cell; `rows` unless stated. */
  readonly rowsPerCell?: bigint;
}

/** The number of units that two neighbours differ in: one comes or goes, or one goes and one comes. */
const units: { readonly [A in Adjacency]: bigint } = { "add-or-remove-one": 1n, "replace-one": 2n };

/**
 * Returns the sensitivity of disjoint counts. With m rows in all and at most c in a cell: ℓ1 = m and ℓ2² = ⌊m/c⌋·c² + (m mod c)²,
 * twice both under replace-one. One row: ℓ1 = 1 (2), ℓ2² = 1 (2).
 * Source: D (histogram, for add-or-remove-one); Dwork & Roth 2014, Ex. 3.2; derived in ./histogram.proof.md.
 * Direction: exact.
 * Errors: parameter.invalid unless 1 ≤ rowsPerCell ≤ rows and the adjacency is known.
 * @example countSensitivity({ adjacency: "replace-one" }) // => { l1: 2n, l2Squared: 2n }
 */
export function countSensitivity({ adjacency, rows = 1n, rowsPerCell = rows }: CountedUnits): Sensitivity {
  if (!Object.hasOwn(units, adjacency)) {
    throw invalidParameter("adjacency", adjacency, `one of ${Object.keys(units).join(", ")}`);
  }
  if (!(typeof rows === "bigint" && rows >= 1n)) throw invalidParameter("rows", rows, "an integer ≥ 1");
  if (!(typeof rowsPerCell === "bigint" && rowsPerCell >= 1n && rowsPerCell <= rows)) {
    throw invalidParameter("rowsPerCell", rowsPerCell, "an integer from 1 to rows");
  }
  const rest = rows % rowsPerCell;
  const squared = (rows / rowsPerCell) * rowsPerCell * rowsPerCell + rest * rest;
  return { l1: units[adjacency] * rows, l2Squared: units[adjacency] * squared };
}
