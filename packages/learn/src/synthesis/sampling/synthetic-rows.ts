import type { BitSource } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { type Domain, decodeValue, type MergedValues, membersOf } from "../domain/index.ts";
import type { Learned } from "../plan/index.ts";
import { sampleRows } from "./sample-rows.ts";
import { uniform } from "./shuffle.ts";

/** A synthetic table has no more rows, however the noise of a small budget turns out. */
export const mostSyntheticRows = 20_000_000;

/** Returns the number of rows of a synthetic table: the noisy total, rounded; from 0 to 20 million. */
export function syntheticRowCount({ model }: Learned): number {
  return Math.min(mostSyntheticRows, Math.max(0, Math.round(model.total)));
}

/** Draws rows as codes of the domain, a column an attribute. A merged value becomes one of its values, each alike. */
export function syntheticCodes(learned: Learned, rows: number, bits: BitSource): readonly Int32Array[] {
  const columns = sampleRows(learned.model, rows, bits);
  return columns.map((column, at) => spread(column, elementAt(learned.merged, at), bits));
}

function spread(column: Int32Array, merged: MergedValues, bits: BitSource): Int32Array {
  const members = membersOf(merged);
  return column.map((place) => {
    const codes = elementAt(members, place);
    return codes.length === 1
      ? elementAt(codes, 0)
      : elementAt(codes, Math.floor(uniform(bits) * codes.length));
  });
}

/**
 * Draws rows as values, each a list in the domain's order: categories, NULLs, and numbers that are spread evenly over their bins. As many as
 * {@link syntheticRowCount} says, or as are asked for.
 */
export function* syntheticRows(
  learned: Learned,
  domain: Domain,
  bits: BitSource,
  rows: number = syntheticRowCount(learned),
): Generator<readonly (string | number | boolean | null)[]> {
  const columns = syntheticCodes(learned, rows, bits);
  for (let row = 0; row < rows; row++) {
    yield domain.map((attribute, at) =>
      decodeValue(attribute, elementAt(elementAt(columns, at), row), uniform(bits)),
    );
  }
}
