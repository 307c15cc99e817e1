export {
  type ProposedValue,
  type ProposeTestReleaseAnswer,
  type ProposeTestReleaseNoise,
  type ProposeTestReleaseSetting,
  proposeTestRelease,
  proposeTestReleaseEvent,
  proposeTestReleaseFor,
  proposeTestReleaseReach,
  proposeTestReleaseWith,
  releasedFrom,
} from "./propose-test-release.ts";
export { orderStatisticDistance, releaseStableMedian } from "./stable-median.ts";
