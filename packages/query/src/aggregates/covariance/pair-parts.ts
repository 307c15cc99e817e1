import {
  correlationIntervals,
  interceptIntervals,
  type SlopeMeasured,
  type SlopeSetting,
  slopeIntervals,
} from "@lethe/core/accuracy";
import type { Noise } from "@lethe/core/mechanisms";
import { everywhere, type JointAnswers, type Part } from "../answers/interval-part.ts";
import type { NoisyNumbers } from "../answers/noisy-numbers.ts";
import type { PlannedAverage as Average } from "../average/average-types.ts";
import type { PlannedAggregate } from "../kinds.ts";
import type { PostExpression } from "../post-expression.ts";
import type { PlannedSpread as Spread } from "../spread/spread-types.ts";
import type { PlannedCovariance as Joint } from "./covariance-types.ts";

/**
 * A covariance over a variance, or over two standard deviations, of the same rows, and an average less such a slope times the other
 * average: slopes, correlations and intercepts, whose totals have one noise together. Null for whatever else, and where a total is
 * a sum of draws: then its parts have intervals.
 */
export function pairPart(expression: PostExpression, answers: JointAnswers): Part | null {
  if (expression.kind !== "call") return null;
  const [first, second] = expression.args;
  if (expression.operator === "-") return interceptOf(first, second, answers);
  return expression.operator === "/" ? quotientPart(first, second, answers) : null;
}

function quotientPart(
  above: PostExpression | undefined,
  below: PostExpression | undefined,
  answers: JointAnswers,
): Part | null {
  const line = lineOf(above, below, answers);
  if (line) return slopePart(line);
  const joint = aggregateOf(above, answers);
  if (joint?.kind !== "covariance" || below?.kind !== "call" || below.operator !== "*") return null;
  const [first, second] = below.args.map((arg) => aggregateOf(arg, answers));
  if (first?.kind !== "stddev" || second?.kind !== "stddev") return null;
  return first.sum === joint.sum
    ? correlationPart(joint, first, second, answers)
    : correlationPart(joint, second, first, answers);
}

function interceptOf(
  from: PostExpression | undefined,
  taken: PostExpression | undefined,
  answers: JointAnswers,
): Part | null {
  if (taken?.kind !== "call" || taken.operator !== "*") return null;
  const [slope, times] = taken.args;
  if (slope?.kind !== "call" || slope.operator !== "/") return null;
  const line = lineOf(slope.args[0], slope.args[1], answers);
  const [other, mean] = [aggregateOf(from, answers), aggregateOf(times, answers)];
  if (line === null || other?.kind !== "avg" || mean?.kind !== "avg") return null;
  const { joint } = line;
  const belongs =
    other.sum === joint.otherSum &&
    mean.sum === joint.sum &&
    other.count === joint.count &&
    mean.count === joint.count;
  return belongs ? interceptPart(line, other, mean) : null;
}

function aggregateOf(expression: PostExpression | undefined, answers: JointAnswers): PlannedAggregate | null {
  return expression?.kind === "aggregate" ? answers.aggregateOf(expression.aggregate) : null;
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
function noisesOf<const T extends readonly string[]>(
  answers: JointAnswers,
  measured: T,
): { readonly [K in keyof T]: Noise } | null {
  const noises = measured.flatMap((name) => {
    const noise = answers.noiseOf(name);
    return "mechanism" in noise ? [noise] : [];
  });
  const independent = new Set(measured).size === measured.length && noises.length === measured.length;
  return independent ? (noises as unknown as { readonly [K in keyof T]: Noise }) : null;
}

/** The parts from which a line of least squares is computed, with x as the first column of `joint`. */
interface Line {
  readonly joint: Joint;
  readonly spread: Spread;
  /** The setting for core, without the confidence. */
  readonly setting: Omit<SlopeSetting, "confidence">;
}

function lineOf(
  above: PostExpression | undefined,
  below: PostExpression | undefined,
  answers: JointAnswers,
): Line | null {
  const [given, spread] = [aggregateOf(above, answers), aggregateOf(below, answers)];
  if (given?.kind !== "covariance" || spread?.kind !== "variance") return null;
  const joint = spread.sum === given.sum ? given : swapped(given);
  const { products, sum, otherSum, count } = joint;
  const noises = noisesOf(answers, [products, sum, otherSum, spread.squares, count]);
  if (!belongTo(joint, spread) || noises === null) return null;
  const [productsNoise, sumNoise, otherSumNoise, squaresNoise, countNoise] = noises;
  return {
    joint,
    spread,
    setting: {
      ...{ half: BigInt(joint.half), otherHalf: BigInt(joint.otherHalf), offset: BigInt(spread.offset) },
      ...{ productsNoise, sumNoise, otherSumNoise, squaresNoise, countNoise },
    },
  };
}

function measuredOf({ joint, spread }: Line, noisy: NoisyNumbers): SlopeMeasured {
  return {
    ...{ products: noisy.total(joint.products), sum: noisy.total(joint.sum) },
    ...{
      otherSum: noisy.total(joint.otherSum),
      squares: noisy.total(spread.squares),
      count: noisy.total(joint.count),
    },
  };
}

function slopePart(line: Line): Part {
  const { joint, spread, setting } = line;
  const unit = 2 ** (joint.exponent - 2 * spread.exponent);
  return {
    id: `slope ${joint.products} ${spread.squares}`,
    rangeAt(confidence) {
      const intervals = slopeIntervals({ ...setting, confidence });
      return (noisy) => {
        const range = intervals(measuredOf(line, noisy));
        return range ? { lo: range.lower * unit, hi: range.upper * unit } : everywhere;
      };
    },
  };
}

function interceptPart(line: Line, other: Average, mean: Average): Part {
  const unit = 2 ** other.exponent;
  const middle = Number(other.mid);
  return {
    id: `intercept ${line.joint.products} ${line.spread.squares}`,
    rangeAt(confidence) {
      const intervals = interceptIntervals({ ...line.setting, mid: BigInt(mean.mid), confidence });
      return (noisy) => {
        const range = intervals(measuredOf(line, noisy));
        if (range === null) return everywhere;
        return { lo: (range.lower + middle) * unit, hi: (range.upper + middle) * unit };
      };
    },
  };
}

function correlationPart(
  joint: Joint,
  spread: Spread,
  otherSpread: Spread,
  answers: JointAnswers,
): Part | null {
  const { products, sum, otherSum, count } = joint;
  const [squares, otherSquares] = [spread.squares, otherSpread.squares];
  const noises = noisesOf(answers, [products, sum, otherSum, squares, otherSquares, count]);
  if (!belongTo(joint, spread) || !belongTo(swapped(joint), otherSpread) || noises === null) return null;
  const [productsNoise, sumNoise, otherSumNoise, squaresNoise, otherSquaresNoise, countNoise] = noises;
  return {
    id: `correlation ${products} ${squares} ${otherSquares}`,
    rangeAt(confidence) {
      const intervals = correlationIntervals({
        ...{ half: BigInt(joint.half), otherHalf: BigInt(joint.otherHalf) },
        ...{ offset: BigInt(spread.offset), otherOffset: BigInt(otherSpread.offset) },
        ...{ productsNoise, sumNoise, otherSumNoise, squaresNoise, otherSquaresNoise, countNoise },
        confidence,
      });
      return (noisy) => {
        const { lower, upper } = intervals({
          ...{ products: noisy.total(products), sum: noisy.total(sum), otherSum: noisy.total(otherSum) },
          ...{
            squares: noisy.total(squares),
            otherSquares: noisy.total(otherSquares),
            count: noisy.total(count),
          },
        });
        return { lo: lower, hi: upper };
      };
    },
  };
}
