export type { Interval } from "./error-interval.ts";
export { type Feature, momentsOf, type NoisyMoments } from "./noisy-moments.ts";
export { combineMeasured, type NoisyStatistics, readStatistics } from "./noisy-statistics.ts";
