import { type AverageSetting, averageIntervals, checkedHalf } from "./average-interval.ts";
import type { ConfidenceInterval } from "./confidence-interval.ts";
import { type CovarianceSetting, covarianceIntervals } from "./covariance-interval.ts";
import { type SharedAverageSetting, sharedAverageIntervals } from "./shared-average-interval.ts";
import { stddevIntervals, type VarianceSetting, varianceIntervals } from "./variance-interval.ts";

/**
 * How far an answer may lie from the end of its interval at one group size: what to expect before asking. Grid units.
 * `typical` is for values around the middle of their bounds, `worst` for the least favourable values the bounds allow.
 */
export interface ExpectedHalfWidth {
  readonly typical: number;
  readonly worst: number;
}

/** (number of rows in the group) ↦ expected half-width. The half-width of a count or a sum is its noiseQuantile, at any size. */
export type HalfWidthCurve = (rows: number) => ExpectedHalfWidth;

/**
 * The interval of an average as a function of the group's size, from the setting alone: the interval that comes out when
 * the noise happens to be 0.
 * Source: the interval of an average (Fieller 1954) at noise 0.
 * Direction: exact, of a typical release; no bound.
 * @example averageHalfWidths({ half: 30n, sumNoise, countNoise, confidence: 0.95 })(500).typical
 */
export function averageHalfWidths(setting: AverageSetting): HalfWidthCurve {
  const interval = averageIntervals(setting);
  return meanHalfWidths(setting.half, (mean, rows) =>
    interval({ sum: whole(mean * rows), count: whole(rows) }),
  );
}

/** The same for an average whose sum and count are read from the same totals. Grid units. */
export function sharedAverageHalfWidths(setting: SharedAverageSetting): HalfWidthCurve {
  const interval = sharedAverageIntervals(setting);
  return meanHalfWidths(setting.half, (mean, rows) =>
    interval({ sum: mean * rows, count: rows, size: 2 * Number(setting.half) * rows }),
  );
}

function meanHalfWidths(
  most: bigint,
  interval: (mean: number, rows: number) => ConfidenceInterval,
): HalfWidthCurve {
  const half = checkedHalf(most);
  return (rows) => {
    const at = (mean: number): number => reach(interval(mean, rows));
    return { typical: at(0), worst: Math.max(...[0, 0.25, 0.5, 0.75, 1].map((share) => at(share * half))) };
  };
}

/** The same for a variance; typical: values spread evenly over their bounds. Squared grid units. */
export function varianceHalfWidths(setting: VarianceSetting): HalfWidthCurve {
  return spreadHalfWidths(setting, varianceIntervals(setting));
}

/** The same for a standard deviation. Grid units. */
export function stddevHalfWidths(setting: VarianceSetting): HalfWidthCurve {
  return spreadHalfWidths(setting, stddevIntervals(setting));
}

/** The same for a covariance; typical: values spread evenly over their bounds, of no correlation. Products of grid units. */
export function covarianceHalfWidths(setting: CovarianceSetting): HalfWidthCurve {
  const interval = covarianceIntervals(setting);
  const [half, otherHalf] = [checkedHalf(setting.half), checkedHalf(setting.otherHalf)];
  return (rows) => {
    const at = (mean: number, correlation: number): number =>
      reach(
        interval({
          products: whole((mean * mean + correlation * (1 - mean * mean)) * half * otherHalf * rows),
          sum: whole(mean * half * rows),
          otherSum: whole(mean * otherHalf * rows),
          count: whole(rows),
        }),
      );
    const cases = [0, 0.5, 1].flatMap((mean) => [0, 0.5, 1].map((correlation) => at(mean, correlation)));
    return { typical: at(0, 0), worst: Math.max(...cases) };
  };
}

function spreadHalfWidths(
  setting: VarianceSetting,
  interval: (measured: { squares: bigint; sum: bigint; count: bigint }) => ConfidenceInterval,
): HalfWidthCurve {
  const half = checkedHalf(setting.half);
  return (rows) => {
    const at = (mean: number, variance: number): number =>
      reach(
        interval({
          squares: whole((variance + mean * mean - Number(setting.offset)) * rows),
          sum: whole(mean * rows),
          count: whole(rows),
        }),
      );
    const shares = [0, 0.5, 1];
    const cases = shares.flatMap((m) => shares.map((v) => at(m * half, v * (1 - m * m) * half * half)));
    return { typical: at(0, (half * half) / 3), worst: Math.max(...cases) };
  };
}

function whole(x: number): bigint {
  return BigInt(Math.round(x));
}

function reach({ value, lower, upper }: ConfidenceInterval): number {
  return Math.max(value - lower, upper - value);
}
