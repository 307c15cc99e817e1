import { correlationIntervals, type Noise, slopeIntervals } from "@lethe/core";
import { noiseOf, type Plan, type PlannedAggregate, type PostExpression, type RowNoise } from "@lethe/query";
import { everywhere, type Part } from "./interval-part.ts";

type Joint = Extract<PlannedAggregate, { readonly kind: "covariance" }>;
type Spread = Extract<PlannedAggregate, { readonly kind: "variance" | "stddev" }>;

/**
 * A covariance over a variance, or over two standard deviations, of the same rows: slopes and correlations, whose totals have
 * one noise together. Null for whatever else, and where a total is a sum of draws: then its parts have intervals.
 */
export function pairPart([above, below]: readonly PostExpression[], plan: Plan, row: RowNoise): Part | null {
  const joint = aggregateOf(above, plan);
  if (joint?.kind !== "covariance") return null;
  if (below?.kind === "call" && below.operator === "*") {
    const [first, second] = below.args.map((arg) => aggregateOf(arg, plan));
    if (first?.kind !== "stddev" || second?.kind !== "stddev") return null;
    return first.sum === joint.sum
      ? correlationPart(joint, first, second, plan, row)
      : correlationPart(joint, second, first, plan, row);
  }
  const spread = aggregateOf(below, plan);
  return spread?.kind === "variance" ? slopePart(joint, spread, plan, row) : null;
}

function aggregateOf(expression: PostExpression | undefined, plan: Plan): PlannedAggregate | null {
  return expression?.kind === "aggregate" ? (plan.aggregates[expression.aggregate] ?? null) : null;
}

/** Whether both are of the same rows, divided alike, and the first column of the one is that of the other. */
function belongTo(joint: Joint, spread: Spread): boolean {
  const { sum, count, half, population } = joint;
  return (
    spread.sum === sum && spread.count === count && spread.half === half && spread.population === population
  );
}

/** The other column first. */
function swapped(joint: Joint): Joint {
  const { sum, otherSum, half, otherHalf } = joint;
  return { ...joint, sum: otherSum, otherSum: sum, half: otherHalf, otherHalf: half };
}

/** The noise of each, where all are independent single draws. */
function noisesOf<const T extends readonly number[]>(
  plan: Plan,
  measured: T,
  row: RowNoise,
): { readonly [K in keyof T]: Noise } | null {
  const noises = measured.flatMap((at) => {
    const noise = noiseOf(plan, at, row);
    return "mechanism" in noise ? [noise] : [];
  });
  const independent = new Set(measured).size === measured.length && noises.length === measured.length;
  return independent ? (noises as unknown as { readonly [K in keyof T]: Noise }) : null;
}

function slopePart(given: Joint, spread: Spread, plan: Plan, row: RowNoise): Part | null {
  const joint = spread.sum === given.sum ? given : swapped(given);
  const { products, sum, otherSum, count } = joint;
  const { squares } = spread;
  const noises = noisesOf(plan, [products, sum, otherSum, squares, count], row);
  if (!belongTo(joint, spread) || noises === null) return null;
  const [productsNoise, sumNoise, otherSumNoise, squaresNoise, countNoise] = noises;
  const unit = 2 ** (joint.exponent - 2 * spread.exponent);
  return {
    id: `slope ${products} ${squares}`,
    prepare(confidence) {
      const intervals = slopeIntervals({
        ...{ half: BigInt(joint.half), otherHalf: BigInt(joint.otherHalf), offset: BigInt(spread.offset) },
        ...{ productsNoise, sumNoise, otherSumNoise, squaresNoise, countNoise, confidence },
      });
      return (values) => {
        const range = intervals({
          ...{ products: values[products]!, sum: values[sum]!, otherSum: values[otherSum]! },
          ...{ squares: values[squares]!, count: values[count]! },
        });
        return range ? { lo: range.lower * unit, hi: range.upper * unit } : everywhere;
      };
    },
  };
}

function correlationPart(
  joint: Joint,
  spread: Spread,
  otherSpread: Spread,
  plan: Plan,
  row: RowNoise,
): Part | null {
  const { products, sum, otherSum, count } = joint;
  const [squares, otherSquares] = [spread.squares, otherSpread.squares];
  const noises = noisesOf(plan, [products, sum, otherSum, squares, otherSquares, count], row);
  if (!belongTo(joint, spread) || !belongTo(swapped(joint), otherSpread) || noises === null) return null;
  const [productsNoise, sumNoise, otherSumNoise, squaresNoise, otherSquaresNoise, countNoise] = noises;
  return {
    id: `correlation ${products} ${squares} ${otherSquares}`,
    prepare(confidence) {
      const intervals = correlationIntervals({
        ...{ half: BigInt(joint.half), otherHalf: BigInt(joint.otherHalf) },
        ...{ offset: BigInt(spread.offset), otherOffset: BigInt(otherSpread.offset) },
        ...{ productsNoise, sumNoise, otherSumNoise, squaresNoise, otherSquaresNoise, countNoise },
        confidence,
      });
      return (values) => {
        const { lower, upper } = intervals({
          ...{ products: values[products]!, sum: values[sum]!, otherSum: values[otherSum]! },
          ...{ squares: values[squares]!, otherSquares: values[otherSquares]!, count: values[count]! },
        });
        return { lo: lower, hi: upper };
      };
    },
  };
}
