import type { Expression } from "../../expressions/expression.ts";
import { writeSql } from "../../expressions/write-sql.ts";
import type { Grid } from "../../grid/grid.ts";
import { argumentGrid, isUnlimited } from "../bounds/argument-grid.ts";
import type { Factor } from "../factor.ts";
import { largestOf } from "../largest-of.ts";

/** A product whose factors are put on grids, and the integers that their products can be. */
export interface Product {
  readonly factors: readonly Factor[];
  /** The step is the product of the factors' steps. */
  readonly grid: Grid;
}

/** More factors than this no product is written out with. */
const mostFactors = 8;
/** What engines multiply integers in. */
const largestProduct = 2n ** 63n - 1n;
/** Above product · rows²: then 2 · rows · Σ over 2^40 rows, the widest that the planner's verify asks about, fits 127 bits. */
const largestOfUnit = 2n ** 84n;
/** 2^±1000 is a normal double, and so is its inverse. */
const largestExponent = 1000;

/**
 * Returns an argument x·y … as the product of its factors' grid integers; null for what is none, and where an integer could exceed what
 * engines multiply in. A factor is clamped to its own domain, which the domain of the product was derived from, so the product needs no
 * clamp: clamping the factors moves nothing beyond their rounding. With steps sᵢ and |xᵢ| ≤ Xᵢ a product of n factors is off by at most
 * Σᵢ (sᵢ/2)·Πⱼ≠ᵢ Xⱼ, and by up to twice that where a factor lies within a step of its bounds; by nothing where factors are columns, which
 * are kept on these grids. `rows` are the most of a unit in a group. Proof: ../../plan/sensitivity.proof.md.
 */
export function productOfFactors(argument: Expression, rows: bigint): Product | null {
  const { domain } = argument;
  if (domain.type !== "number" || domain.bounds === null) return null;
  const parts = [...partsOf(argument, 1)];
  const count = parts.reduce((sum, { power }) => sum + power, 0);
  if (count < 2 || count > mostFactors || parts.some(({ argument }) => isUnlimited(argument))) return null;
  const merged = new Map<string, Factor>();
  for (const { argument, power } of parts) {
    const text = writeSql(argument);
    const grid = argumentGrid("SUM", argument, null);
    merged.set(text, { argument, grid, power: power + (merged.get(text)?.power ?? 0) });
  }
  const factors = [...merged.values()];
  const grid = productGrid(factors);
  return fitEngine(factors, rows) && Math.abs(grid.exponent) <= largestExponent ? { factors, grid } : null;
}

/** Yields the factors of a product and of a power; a number times a constant is one factor. */
function* partsOf(argument: Expression, power: number): Iterable<Omit<Factor, "grid">> {
  const [left, right] = argument.kind === "call" ? argument.args : [];
  if (argument.kind === "call" && left && right && left.kind !== "literal") {
    if (argument.operator === "*" && right.kind !== "literal") {
      yield* partsOf(left, power);
      yield* partsOf(right, power);
      return;
    }
    const exponent = argument.operator === "power" && right.kind === "literal" ? Number(right.value) : 0;
    if (Number.isInteger(exponent) && exponent >= 1) {
      yield* partsOf(left, power * exponent);
      return;
    }
  }
  yield { argument, power };
}

/** Whether every partial product fits 63 bits, and the sums of a unit's rows what sums have. */
function fitEngine(factors: readonly Factor[], rows: bigint): boolean {
  const largest = factors.reduce(
    // A factor that is always 0 makes no partial product smaller.
    (product, { grid, power }) => product * largestOf(grid.lo, grid.hi, "1") ** BigInt(power),
    1n,
  );
  return largest <= largestProduct && largest * rows * rows < largestOfUnit;
}

function productGrid(factors: readonly Factor[]): Grid {
  const [lo, hi] = factors.map(powersOf).reduce(times);
  const exponent = factors.reduce((sum, { grid, power }) => sum + grid.exponent * power, 0);
  return { exponent, lo: `${lo}`, hi: `${hi}` };
}

type Range = readonly [bigint, bigint];

const times = ([a, b]: Range, [c, d]: Range): Range => rangeOf([a * c, a * d, b * c, b * d]);

/** Returns the powers of a grid's integers. */
function powersOf({ grid, power }: Factor): Range {
  const ends = [BigInt(grid.lo), BigInt(grid.hi)].map((end) => end ** BigInt(power));
  const isAroundZero = BigInt(grid.lo) < 0n && BigInt(grid.hi) > 0n;
  return rangeOf(isAroundZero ? [...ends, 0n] : ends);
}

function rangeOf(numbers: readonly bigint[]): Range {
  return [numbers.reduce((a, b) => (b < a ? b : a)), numbers.reduce((a, b) => (b > a ? b : a))];
}
