import { canonicalJson } from "../../canonical/canonical-json.ts";
import { gaussianTradeoff } from "../../conversions/tradeoff.ts";
import { LetheError } from "../../errors/lethe-error.ts";
import type { Event } from "../../events/event.ts";
import { eventFromJson } from "../../events/event-json.ts";
import type { GaussianUpperLoss } from "../../losses/gaussian/gaussian-algebra.ts";
import type { AnyRepresentation } from "../../losses/loss-representation.ts";
import type { Adjacency } from "../../losses/measures/adjacency.ts";
import type { PrivacyCurve } from "../../losses/measures/privacy-curve.ts";
import { gaussianCurve } from "../../losses/pld/curves/index.ts";
import type { PldLoss } from "../../losses/pld/pld-algebra.ts";
import { sqrtUp } from "../../numeric/directed.ts";
import { ratio } from "../../numeric/rational.ts";
import type { AccountFor } from "../account-with.ts";
import { foldRepresentations } from "../fold-representations.ts";
import { type PriceTarget, type ProveLosses, priceEvents } from "../price-events.ts";
import { sharedEvents } from "../shared-events.ts";
import { truncation } from "../truncation.ts";
import { groupByGroup } from "./group-by-group.ts";
import { lossOdds } from "./loss-odds.ts";
import { bothHold, eitherHolds, falsePositives, noneHidden, type Odds } from "./odds.ts";
import { pairsOdds } from "./pairs-odds.ts";

export type OddsOf = (event: Event, adjacency?: Adjacency) => Odds;

/** Losses that are known without a detour over Rényi divergences, which a grid of losses would follow slowly and no more tightly than their own odds do. */
const direct: ReadonlySet<string> = new Set(["gaussian", "pld", "approximate", "pure"]);

/** Answers that are kept: a service asks for the same few events again. */
const kept = 64;

/** The (ε, δ) that are tried where nothing tighter reaches an event. */
const deltas = [0, 2, 4, 6, 9].map((power) => (power === 0 ? ratio(0n) : ratio(1n, 10n ** BigInt(power))));
const targets: readonly PriceTarget[] = [
  { measure: "zcdp" },
  ...deltas.map((delta): PriceTarget => ({ measure: "approximate", delta })),
];

/**
 * The odds of events by what each mechanism in them is known to be: a Gaussian's in closed form; else those of its dominating pairs, composed in both directions
 * of neighbours; else, and where nothing is known but ρ or (ε, δ), of the worst mechanism of that loss.
 */
export function oddsWith(
  representations: readonly AnyRepresentation[],
  prove: ProveLosses,
  account: AccountFor,
): OddsOf {
  const price = priceEvents(prove);
  const known = new Map<string, Odds>();
  const asked = representations.filter(({ algebra }) => direct.has(algebra.id));

  function compute(event: Event, adjacency: Adjacency): Odds {
    const fold = foldRepresentations(asked, prove, adjacency);
    const gaussian = fold(event, "gaussian")?.loss as GaussianUpperLoss | undefined;
    if (gaussian) return gaussianOdds(sqrtUp(gaussian.muSquared));
    // The cut of a truncated sample is a distance of the whole run, which the account alone adds.
    if (truncation(event) > 0) return curveOdds(account(event, { adjacency }));
    const pld = fold(event, "pld")?.loss as PldLoss | undefined;
    if (!pld) return priced(event) ?? curveOdds(account(event, { adjacency }));
    const cases = pld.cases.map(pairsOdds);
    const worst = cases.every((each) => each !== null) ? cases.reduce(eitherHolds) : null;
    return worst ?? priced(event) ?? curveOdds(account(event, { adjacency, representations: ["pld"] }));
  }

  /** The best of what the exact prices imply; null for events that have none. */
  function priced(event: Event): Odds | null {
    const losses = targets.flatMap((target) => {
      try {
        return [price(event, target)];
      } catch (error) {
        if (error instanceof LetheError) return [];
        throw error;
      }
    });
    return losses.length === 0 ? null : losses.map(lossOdds).reduce(bothHold);
  }

  return (untrusted, adjacency = "add-or-remove-one") => {
    const event = sharedEvents(groupByGroup(eventFromJson(untrusted)));
    const key = `${adjacency} ${canonicalJson(event)}`;
    const found = known.get(key) ?? compute(event, adjacency);
    const [oldest] = known.keys();
    if (known.size >= kept && oldest !== undefined) known.delete(oldest);
    known.set(key, found);
    return found;
  };
}

function gaussianOdds(mu: number): Odds {
  return {
    advantage: gaussianCurve(mu).delta(0).upper,
    mu,
    truePositives: atMostOne(1 - gaussianTradeoff(mu, falsePositives).lower),
  };
}

/** The odds that an account proves; none are hidden where it proves nothing. */
function curveOdds(curve: PrivacyCurve): Odds {
  try {
    return {
      advantage: curve.delta(0).upper,
      mu: null,
      truePositives: atMostOne(1 - curve.tradeoff(falsePositives).lower),
    };
  } catch (error) {
    if (error instanceof LetheError && error.code === "account.unprovable") return noneHidden;
    throw error;
  }
}

function atMostOne(x: number): number {
  return Math.min(1, x * (1 + 1e-15));
}
