import { account, type Event } from "@lethe/core";
import { elementAt, parseRational, toDouble } from "@lethe/core/numeric";
import { same } from "../procedure/procedure-checks.ts";
import type { Tuning } from "./convex.ts";
import { covers } from "./rounding.ts";

/** A unit's gain is a whole number of at most this size. */
const mostGain = 2 ** 10;
/** How finely the account of all tries is made: it takes a second as it is. */
const accuracy = 1e-3;

/**
 * A try draws a candidate by fair coins, runs it, and scores its weights by a noisy sum of gains, which a unit moves by 2¹⁰, or by twice that where it is
 * replaced. All tries together are one choice of the best; what is charged is the (ε, δ) that their account proves.
 */
export function tuningFindings({ request, noise, event, charge, report }: Tuning): readonly string[] {
  const { candidates, trials } = request;
  const { adjacency, units } = elementAt(candidates, 0).request;
  const moved = BigInt(mostGain) * (adjacency === "replace-one" ? 2n : 1n);
  if (noise.mechanism !== "rounded-gaussian@1") return ["the noise of scores is not rounded Gaussian"];
  const score: Event = {
    ...{ kind: "rounded-gaussian", version: 1 },
    ...{ sigma: noise.sigma, l2Squared: String(moved * moved) },
  };
  const parts = candidates.map((each) => ({ weight: `1/${candidates.length}`, event: each.event }));
  const oneTry: Event = {
    ...{ kind: "compose", version: 1 },
    events: [{ kind: "mix", version: 1, parts }, score],
  };
  const tries: Event = {
    ...{ kind: "repeat-and-select", version: 1, event: oneTry },
    trials: { law: "negative-binomial", shape: trials.shape, stop: trials.stop },
  };
  const delta = toDouble(parseRational(String(request.delta)), "down");
  const costOf = (of: Event): number => account(of, { adjacency, accuracy }).epsilon(delta).upper;
  const cost = costOf(tries);
  return [
    ...(candidates.every((each) => same([each.request.adjacency, each.request.units], [adjacency, units]))
      ? []
      : ["the candidates differ in adjacency or in the number of units"]),
    ...(same(event, tries)
      ? []
      : ["the event is not that of tries of the candidates, each with its noisy score"]),
    ...(charge.kind === "approximate" &&
    covers(toDouble(parseRational(charge.epsilon), "up"), cost) &&
    toDouble(parseRational(charge.delta), "up") >= delta
      ? []
      : ["all tries cost more than what was charged for them"]),
    ...(covers(report.price.epsilon, cost) &&
    report.price.delta === delta &&
    covers(report.oneTry, costOf(oneTry))
      ? []
      : ["the report tells a smaller price of tries than they have"]),
  ];
}
