import { randomAllocation } from "../../amplification/random-allocation.ts";
import { shufflePair } from "../../amplification/shuffle.ts";
import { renyiProfile } from "../../conversions/renyi-profile.ts";
import { sqrtUp } from "../../numeric/directed.ts";
import { divide, parseRational, toDouble } from "../../numeric/rational.ts";
import type { ApproximateUpperLoss } from "../approximate/approximate-algebra.ts";
import { finite } from "../finite.ts";
import type { GaussianUpperLoss } from "../gaussian/gaussian-algebra.ts";
import type { Conversion, LossRepresentation } from "../loss-representation.ts";
import type { ProvableLosses } from "../provable-losses.ts";
import type { PureUpperLoss } from "../pure/pure-algebra.ts";
import { composeRenyi } from "../renyi/curves/compose-renyi.ts";
import type { RenyiUpperLoss } from "../renyi/renyi-algebra.ts";
import type { DominatingPair } from "./pairs/dominating-pair.ts";
import { gaussianPair } from "./pairs/gaussian-pair.ts";
import { profilePair } from "./pairs/profile-pair.ts";
import { secretMovesPair } from "./pairs/secret-moves-pair.ts";
import { twoPointPair } from "./pairs/two-point-pair.ts";
import { type PldLoss, pldAlgebra, pldLoss, selectBest } from "./pld-algebra.ts";

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

const fromGaussian: Conversion<PldLoss, GaussianUpperLoss> = {
  from: "gaussian",
  direction: "exact",
  theorem: "Dong, Roth & Su 2022, Thm 2.7",
  convert: ({ muSquared, tight }) => pldLoss(gaussianBound(muSquared, tight ?? false)),
};

const fromApproximate: Conversion<PldLoss, ApproximateUpperLoss> = {
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

const fromPure: Conversion<PldLoss, PureUpperLoss> = {
  from: "pure",
  direction: "exact",
  theorem: "Kairouz, Oh & Viswanath 2017, Thm 2.5",
  convert: ({ epsilon, tight }) => pldLoss(twoPointPair(epsilon, 0, tight ?? false)),
};

/** Tells profiles of Rényi curves apart: equal ids would be counted as one pair. */
let profiles = 0;

const fromRenyi: Conversion<PldLoss, RenyiUpperLoss> = {
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
export const pldRepresentation: LossRepresentation<PldLoss> = {
  algebra: pldAlgebra,
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
  // Bounds by Gaussians alone: the Gaussian representation has them exactly.
  redundant: ({ cases }) =>
    cases.every((pairs) => pairs.length > 0 && pairs.every(({ pair }) => pair.id.startsWith(bound))),
  from: [fromGaussian, fromApproximate, fromPure, fromRenyi],
};

function fromMixed(mixed: ProvableLosses["mixed"]): PldLoss | null {
  if (mixed === null || mixed.rho.num !== 0n) return null;
  const [epsilon, delta, muSquared] = [finite(mixed.epsilon), finite(mixed.delta), finite(mixed.muSquared)];
  if (epsilon === null || delta === null || muSquared === null) return null;
  return pldAlgebra.compose([
    pldLoss(twoPointPair(epsilon, delta, false)),
    ...(muSquared > 0 ? [pldLoss(gaussianBound(muSquared, false))] : []),
  ]);
}
