import type { Event } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import { differences, tallyOfEvent } from "../derive/event.ts";

/** What is amiss where an event is not so many releases with this noise, each at this squared sensitivity. */
export function releaseFindings(
  event: Event,
  due: { readonly noise: Noise; readonly l2Squared: bigint; readonly times: number },
): readonly string[] {
  const { noise, l2Squared, times } = due;
  if (noise.mechanism !== "rounded-gaussian@1") return ["the noise of the weights is not rounded Gaussian"];
  const release: Event = {
    ...{ kind: "rounded-gaussian", version: 1 },
    ...{ sigma: noise.sigma, l2Squared: String(l2Squared) },
  };
  const derived: Event = { kind: "repeat", version: 1, count: String(times), event: release };
  return differences(tallyOfEvent(event), tallyOfEvent(derived));
}
