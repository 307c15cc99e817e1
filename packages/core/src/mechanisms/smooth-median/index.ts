export { type OrderStatistic, type OrderStatisticSetting, orderStatistic } from "./order-statistic.ts";
export {
  releaseSmoothMedian,
  type SmoothMedianSetting,
  smoothMedianErrorBound,
  smoothMedianEvent,
  smoothMedianFor,
  smoothMedianNoise,
} from "./smooth-median.ts";
