export { type OrderStatistic, type OrderStatisticSetting, orderStatistic } from "./order-statistic.ts";
export {
  releaseSmoothMedian,
  type SmoothMedianSetting,
  smoothMedianEvent,
  smoothMedianFor,
  smoothMedianNoise,
  smoothMedianReach,
} from "./smooth-median.ts";
