import type { NumberDomain } from "../bind/domain.ts";

/** Values beyond these are clipped to them whatever is learned: the largest bounds that a question may state. */
const largest = 2 ** 50;
/** Of numbers that are no integers the cell beside 0 ends here. */
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

/** What tells cells apart: a value is behind an end below 0 from that end on, behind one above 0 beyond it, and 0 is a cell. */
export interface CellTest {
  readonly end: number;
  /** Whether the end itself lies before it. */
  readonly beyond: boolean;
}

/** The tests in order: who passes one has passed all before it. */
export function cellTests(ends: readonly number[]): readonly CellTest[] {
  return ends.flatMap((end) => [
    ...(end <= 0 ? [{ end, beyond: false }] : []),
    ...(end >= 0 ? [{ end, beyond: true }] : []),
  ]);
}

/**
 * The cell of a value: how many tests it passes. What the operator cell-among means.
 * @example [-3, 0, 1, 4].map((x) => cellAmong(x, -4, -2, 0, 1, 2, 4)) // => [1, 3, 4, 6]
 */
export function cellAmong(x: number, ...ends: readonly number[]): number {
  return cellTests(ends).filter(({ end, beyond }) => (beyond ? x > end : x >= end)).length;
}

/** The least interval between two ends that holds the values of a cell; one point for 0, and for what lies beyond all ends. */
export function cellInterval(cell: number, ends: readonly number[]): readonly [number, number] {
  const tests = cellTests(ends);
  return [tests[cell - 1]?.end ?? ends[0]!, tests[cell]?.end ?? ends.at(-1)!];
}
