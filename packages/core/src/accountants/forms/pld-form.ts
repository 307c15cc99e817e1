import { randomAllocation } from "../../amplification/random-allocation.ts";
import { shufflePair } from "../../amplification/shuffle.ts";
import type { ApproximateCarrierLoss } from "../../carriers/approximate.ts";
import type { GaussianCarrierLoss } from "../../carriers/gaussian.ts";
import { type PldLoss, pldCarrier, pldLoss, selectBest } from "../../carriers/pld.ts";
import type { PureCarrierLoss } from "../../carriers/pure.ts";
import type { RenyiCarrierLoss } from "../../carriers/renyi.ts";
import { renyiProfile } from "../../conversions/renyi-profile.ts";
import type { DominatingPair } from "../../measures/pairs/dominating-pair.ts";
import { gaussianPair } from "../../measures/pairs/gaussian-pair.ts";
import { profilePair } from "../../measures/pairs/profile-pair.ts";
import { secretMovesPair } from "../../measures/pairs/secret-moves-pair.ts";
import { twoPointPair } from "../../measures/pairs/two-point-pair.ts";
import type { ProvableLosses } from "../../measures/provable-losses.ts";
import { composeRenyi } from "../../measures/renyi/compose-renyi.ts";
import { sqrtUp } from "../../numeric/directed.ts";
import { divide, parseRational, toDouble } from "../../numeric/rational.ts";
import type { Conversion, Form } from "../form.ts";
import { finite } from "./finite.ts";

const bound = "bound(";

/** A Gaussian pair; as a bound alone it is none of the Gaussians that compose to a Gaussian with lower ends. */
function gaussianBound(muSquared: number, tight: boolean): DominatingPair {
  const pair = gaussianPair(sqrtUp(muSquared));
  return tight ? pair : boundBy(pair);
}

/** The same as a bound alone, also of what a group sees. */
function boundBy(pair: DominatingPair): DominatingPair {
  const group = (k: number): DominatingPair | null => {
    const grouped = pair.group(k);
    return grouped === null ? null : boundBy(grouped);
  };
  return { ...pair, id: `${bound}${pair.id})`, tight: false, gaussian: null, group };
}

const fromGaussian: Conversion<PldLoss, GaussianCarrierLoss> = {
  from: "gaussian",
  direction: "exact",
  theorem: "Dong, Roth & Su 2022, Thm 2.7",
  convert: ({ muSquared, tight }) => pldLoss(gaussianBound(muSquared, tight ?? false)),
};

const fromApproximate: Conversion<PldLoss, ApproximateCarrierLoss> = {
  from: "approximate",
  direction: "exact",
  theorem: "Kairouz, Oh & Viswanath 2017, Thm 2.5",
  convert: ({ terms, tight }) => ({
    cases: [
      terms.map(({ epsilon, delta, count }) => ({
        pair: twoPointPair(epsilon, delta, tight ?? false),
        count,
      })),
    ],
  }),
};

const fromPure: Conversion<PldLoss, PureCarrierLoss> = {
  from: "pure",
  direction: "exact",
  theorem: "Kairouz, Oh & Viswanath 2017, Thm 2.5",
  convert: ({ epsilon, tight }) => pldLoss(twoPointPair(epsilon, 0, tight ?? false)),
};

/** Tells profiles of Rényi curves apart: equal ids would be counted as one pair. */
let profiles = 0;

const fromRenyi: Conversion<PldLoss, RenyiCarrierLoss> = {
  from: "renyi",
  direction: "upper",
  theorem: "Canonne, Kamath & Steinke 2020, Prop. 12, as a profile",
  late: true,
  convert({ terms }) {
    profiles += 1;
    return pldLoss(profilePair(renyiProfile(composeRenyi(terms)), `renyi ${profiles}`, { points: 500 }));
  },
};

/** Privacy-loss distributions. What a mechanism does not declare as a pair follows from the parts of its mixed loss. */
export const pldForm: Form<PldLoss> = {
  carrier: pldCarrier,
  leaf: ({ pair, mixed }) => (pair ? pldLoss(pair) : fromMixed(mixed)),
  special: {
    shuffle(event, adjacency) {
      const epsilon0 = finite(parseRational(event.epsilon));
      if (adjacency !== "replace-one" || epsilon0 === null) return null;
      // More than 10⁹ reports count as 10⁹, which only adds loss.
      return pldLoss(shufflePair({ reports: Math.min(1e9, Number(event.reports)), epsilon0 }));
    },
    "gaussian-mixture"(event, adjacency) {
      const sigma = parseRational(event.sigma);
      const moves = event.moves.map(({ weight, move }) => ({
        weight: toDouble(parseRational(weight), "up"),
        move: toDouble(divide(parseRational(move), sigma), "up"),
      }));
      return pldLoss(secretMovesPair(moves, adjacency));
    },
    "random-allocation"(event, adjacency) {
      if (adjacency !== "add-or-remove-one") return null;
      const run = randomAllocation({
        steps: Number(event.steps),
        selected: Number(event.selected),
        sigma: toDouble(parseRational(event.sigma), "down"),
        sensitivity: toDouble(parseRational(event.sensitivity), "up"),
      });
      return pldLoss(run.pair());
    },
  },
  select: (loss, trials) =>
    selectBest(
      loss,
      trials.law === "poisson"
        ? { law: trials.law, mean: toDouble(parseRational(trials.mean), "up") }
        : {
            law: trials.law,
            shape: toDouble(parseRational(trials.shape), "up"),
            stop: toDouble(parseRational(trials.stop), "down"),
          },
    ),
  // Bounds by Gaussians alone: the Gaussian form has them exactly.
  redundant: ({ cases }) =>
    cases.every((pairs) => pairs.length > 0 && pairs.every(({ pair }) => pair.id.startsWith(bound))),
  from: [fromGaussian, fromApproximate, fromPure, fromRenyi],
};

function fromMixed(mixed: ProvableLosses["mixed"]): PldLoss | null {
  if (mixed === null || mixed.rho.num !== 0n) return null;
  const [epsilon, delta, muSquared] = [finite(mixed.epsilon), finite(mixed.delta), finite(mixed.muSquared)];
  if (epsilon === null || delta === null || muSquared === null) return null;
  return pldCarrier.compose([
    pldLoss(twoPointPair(epsilon, delta, false)),
    ...(muSquared > 0 ? [pldLoss(gaussianBound(muSquared, false))] : []),
  ]);
}
