export type { Interval } from "./error-interval.ts";
export { type Feature, momentsOf, type NoisyMoments } from "./noisy-moments.ts";
export { type NoisyStatistics, readStatistics } from "./noisy-statistics.ts";
