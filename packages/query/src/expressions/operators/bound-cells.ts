import { elementAt, lastElement } from "@lethe/core/numeric";
import type { NumberDomain } from "../domain.ts";

/** The largest bounds that a question may state. Values beyond them are clipped to them, whatever is learned. */
const largest = 2 ** 50;
/** The exponent of the end of the cell beside 0, for numbers that are no integers. */
const leastExponent = -30;
const greatestExponent = 50;

/**
 * The public ends among which bounds are learned, increasing: 0 and the powers of two of both signs that lie within the domain,
 * and the domain's own ends where it has any nearer than ±2^50. Null where there is nothing to learn: of a domain that is one
 * value, or lies beyond ±2^50.
 * @example boundEnds({ type: "number", bounds: [0, 100], integer: true, nullable: false, values: null })
 * // => [0, 1, 2, 4, 8, 16, 32, 64, 100]
 */
export function boundEnds({ bounds, integer }: NumberDomain): readonly number[] | null {
  const [lo, hi] = bounds ?? [-largest, largest];
  const [least, greatest] = [Math.max(lo, -largest), Math.min(hi, largest)];
  if (!(least < greatest)) return null;
  const powers: number[] = [];
  for (let exponent = integer ? 0 : leastExponent; exponent <= greatestExponent; exponent += 1)
    powers.push(2 ** exponent);
  const inner = [...powers.map((power) => -power).reverse(), 0, ...powers];
  return [least, ...inner.filter((end) => least < end && end < greatest), greatest];
}

/** A test that tells cells apart: a value is behind an end below 0 from that end on, behind one above 0 beyond it, and 0 is a cell. */
export interface CellTest {
  readonly end: number;
  /** Whether the test begins beyond the end, so that the end itself lies before it. */
  readonly beyond: boolean;
}

/** Returns the tests in order: a value that passes one has passed all before it. */
export function cellTests(ends: readonly number[]): readonly CellTest[] {
  return ends.flatMap((end) => [
    ...(end <= 0 ? [{ end, beyond: false }] : []),
    ...(end >= 0 ? [{ end, beyond: true }] : []),
  ]);
}

/**
 * Returns the cell of a value: the number of tests that it passes. The operator cell-among means the same.
 * @example [-3, 0, 1, 4].map((x) => cellAmong(x, -4, -2, 0, 1, 2, 4)) // => [1, 3, 4, 6]
 */
export function cellAmong(x: number, ...ends: readonly number[]): number {
  return cellTests(ends).filter(({ end, beyond }) => (beyond ? x > end : x >= end)).length;
}

/** Returns the least interval between two ends that holds the values of a cell; one point for 0, and for values beyond all ends. */
export function cellInterval(cell: number, ends: readonly number[]): readonly [number, number] {
  const tests = cellTests(ends);
  return [tests[cell - 1]?.end ?? elementAt(ends, 0), tests[cell]?.end ?? lastElement(ends)];
}
