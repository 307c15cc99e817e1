export {
  type ProposedValue,
  type ProposeTestReleaseAnswer,
  type ProposeTestReleaseNoise,
  type ProposeTestReleaseSetting,
  proposeTestRelease,
  proposeTestReleaseErrorBound,
  proposeTestReleaseEvent,
  proposeTestReleaseFor,
  proposeTestReleaseWith,
  releasedFrom,
} from "./propose-test-release.ts";
export { orderStatisticDistance, releaseStableMedian } from "./stable-median.ts";
