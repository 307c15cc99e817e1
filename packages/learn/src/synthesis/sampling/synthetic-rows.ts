import type { BitSource } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { type Domain, decodeValue, type MergedValues, membersOf } from "../domain/index.ts";
import type { Learned } from "./learned.ts";
import { uniform } from "./shuffle.ts";

/** A synthetic table has no more rows, however the noise of a small budget turns out. */
export const mostSyntheticRows = 20_000_000;

/** Returns the number of rows of a synthetic table: the noisy total, rounded; from 0 to 20 million. */
export function syntheticRowCount({ law }: Learned): number {
  return Math.min(mostSyntheticRows, Math.max(0, Math.round(law.total)));
}

/** Draws rows as codes of the domain, a column an attribute. A merged value becomes one of its values, each alike. */
export function syntheticCodes(learned: Learned, rows: number, bits: BitSource): readonly Int32Array[] {
  return spreadCodes(learned, learned.law.draw(rows, bits), bits);
}

function spreadCodes(
  { merged }: Learned,
  columns: readonly Int32Array[],
  bits: BitSource,
): readonly Int32Array[] {
  return columns.map((column, at) => spread(column, elementAt(merged, at), bits));
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
 * Gives rows that a law has drawn as values, each a list in the domain's order: categories, NULLs, and numbers that are spread evenly over their bins; a merged value becomes one of its
 * values, each alike.
 */
export function* syntheticRows(
  learned: Learned,
  domain: Domain,
  columns: readonly Int32Array[],
  bits: BitSource,
): Generator<readonly (string | number | boolean | null)[]> {
  const codes = spreadCodes(learned, columns, bits);
  for (let row = 0; row < (codes[0]?.length ?? 0); row++) {
    yield domain.map((attribute, at) =>
      decodeValue(attribute, elementAt(elementAt(codes, at), row), uniform(bits)),
    );
  }
}
