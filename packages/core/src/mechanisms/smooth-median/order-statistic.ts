import { invalidParameter } from "../../errors/lethe-error.ts";
import { ceil, compare, multiply, one, parseRational, ratio, zero } from "../../numeric/rational.ts";
import { checkRange, clampTo, type PublicRange } from "../geometric/public-range.ts";

/** A quantile of integers in a public range as an order statistic; the number of rows is public (replace-one). */
export interface OrderStatisticSetting {
  readonly range: PublicRange;
  /** "1/2", the median, unless stated; from 0 to 1. Exact text. */
  readonly q?: string;
}

/** One data set's order statistic, with how it can move. This is the data: never release it. */
export interface OrderStatistic {
  /** The ⌈q·n⌉-th smallest row (the first for q = 0); lo where there are no rows. */
  readonly value: bigint;
  readonly rows: number;
  /**
   * The most that replacing one row can move the value, over all data sets at most k replacements away: max over 0 ≤ t ≤ k + 1 of
   * x(m + t) − x(m + t − k − 1), where rows before the first are lo and rows beyond the last hi. Takes k + 2 subtractions.
   */
  sensitivityAt(k: number): bigint;
}

/** Errors: parameter.invalid unless lo ≤ hi and 0 ≤ q ≤ 1. */
export function checkOrderStatistic({ range, q = "1/2" }: OrderStatisticSetting): void {
  checkRange(range);
  const share = parseRational(q, "q");
  if (!(compare(share, zero) >= 0 && compare(share, one) <= 0)) throw invalidParameter("q", q, "from 0 to 1");
}

/**
 * The order statistic of clamped rows and its sensitivity at a distance.
 * Source: Nissim, Raskhodnikova & Smith 2007, Prop. 3.4.
 * Direction: exact.
 * Errors: parameter.invalid, of the setting alone.
 * @example orderStatistic({ range: { lo: 0n, hi: 9n } }, [1n, 4n, 6n]).sensitivityAt(0) // => 3n
 */
export function orderStatistic(setting: OrderStatisticSetting, values: readonly bigint[]): OrderStatistic {
  checkOrderStatistic(setting);
  const { range, q = "1/2" } = setting;
  const sorted = values.map((value) => clampTo(value, range)).sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
  const rows = sorted.length;
  const rank = Math.max(1, Number(ceil(multiply(parseRational(q), ratio(BigInt(rows))))));
  /** Returns the i-th smallest row, i from 1; the ends of the range before and after them. */
  const row = (i: number): bigint => (i < 1 ? range.lo : (sorted[i - 1] ?? range.hi));
  if (rows === 0) return { value: range.lo, rows, sensitivityAt: () => 0n };
  return {
    value: row(rank),
    rows,
    sensitivityAt(k) {
      let most = 0n;
      for (let t = 0; t <= k + 1; t += 1) {
        const apart = row(rank + t) - row(rank + t - k - 1);
        if (apart > most) most = apart;
      }
      return most;
    },
  };
}
