import type { BitSource } from "../../entropy/bit-source.ts";
import { invalidParameter } from "../../errors/lethe-error.ts";
import { clampTo } from "../geometric/public-range.ts";
import { type OrderStatisticSetting, orderStatistic } from "../smooth-median/index.ts";
import {
  type ProposedValue,
  type ProposeTestReleaseAnswer,
  type ProposeTestReleaseSetting,
  proposeTestRelease,
} from "./propose-test-release.ts";

/**
 * The order statistic of clamped rows with its distance: the least k at which {@link OrderStatistic.sensitivityAt} exceeds the bound,
 * and rows + 1 where it never does. Replace-one; the number of rows is public. This is the data: never release it.
 * Source: Dwork & Lei 2009, Sec. 4; Nissim, Raskhodnikova & Smith 2007, Prop. 3.4.
 * Direction: exact.
 * Errors: parameter.invalid, of the setting and the bound alone.
 * @example orderStatisticDistance({ range: { lo: 0n, hi: 9n } }, [4n, 4n, 4n, 4n, 4n], 0n).distance // => 2n
 */
export function orderStatisticDistance(
  setting: OrderStatisticSetting,
  values: readonly bigint[],
  bound: bigint,
): ProposedValue {
  if (!(typeof bound === "bigint" && bound >= 0n)) throw invalidParameter("bound", bound, "an integer ≥ 0");
  const statistic = orderStatistic(setting, values);
  // The sensitivity does not fall with k, so the first k beyond the bound is found by halving.
  let [low, high] = [-1, statistic.rows + 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (statistic.sensitivityAt(middle) > bound) high = middle;
    else low = middle;
  }
  return { value: statistic.value, distance: BigInt(high) };
}

/**
 * An order statistic by propose-test-release, clamped to its range.
 * Source: Dwork & Lei 2009, Sec. 4.
 * Direction: exact.
 * Errors: parameter.invalid, of the settings alone.
 */
export function releaseStableMedian(
  test: ProposeTestReleaseSetting,
  setting: OrderStatisticSetting,
  values: readonly bigint[],
  bits: BitSource,
): ProposeTestReleaseAnswer {
  const answer = proposeTestRelease(test, orderStatisticDistance(setting, values, test.bound), bits);
  return answer.released ? { released: true, value: clampTo(answer.value, setting.range) } : answer;
}
