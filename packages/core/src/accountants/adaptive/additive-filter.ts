import { invalidParameter } from "../../errors/lethe-error.ts";
import type { PrivacyMeasure } from "../../losses/measures/loss.ts";
import {
  composeLosses,
  type LossOf,
  type LossTextOf,
  lossFits,
  lossLeft,
  lossToJson,
  zeroLoss,
} from "../../losses/measures/losses.ts";
import { parseRational } from "../../numeric/rational.ts";
import { type Filter, overspent } from "./filter.ts";

const theorems: Readonly<Record<PrivacyMeasure, string>> = {
  pure: "Rogers, Roth, Ullman & Vadhan 2016, Thm 3.6",
  approximate: "Rogers, Roth, Ullman & Vadhan 2016, Thm 3.6",
  zcdp: "Whitehouse, Ramdas, Rogers & Wu 2023, Thm 1; Feldman & Zrnic 2021, Thm 4.5",
};

/** The numbers of a loss in words: "epsilon 1/2, delta 1/1000". Errors: parameter.invalid for a number below 0. */
function words(loss: LossOf<PrivacyMeasure>): string {
  const { measure: _, ...numbers } = lossToJson(loss) as LossTextOf<PrivacyMeasure> & Record<string, string>;
  for (const [name, text] of Object.entries(numbers)) {
    // A negative loss would be a refund.
    if (!(parseRational(text).num >= 0n)) throw invalidParameter(name, text, "≥ 0");
  }
  return Object.entries(numbers)
    .map(([name, text]) => `${name} ${text}`)
    .join(", ");
}

/**
 * The filter that admits while every number of the loss adds up to at most the grant's: ε under pure DP, ε and δ under
 * approximate DP, ρ and δ under (approximate) zCDP. Exact; the whole satisfies the grant however the losses were chosen.
 * Pure and approximate: Rogers, Roth, Ullman & Vadhan 2016 (arXiv 1605.08294), Thm 3.6. zCDP: Feldman & Zrnic 2021
 * (arXiv 2008.11193), Thm 4.5 with Cor. 4.6 over every order; with δ: Whitehouse, Ramdas, Rogers & Wu 2023
 * (arXiv 2203.05481), Thm 1. Proof: ./adaptive.proof.md
 * Source: Rogers, Roth, Ullman & Vadhan 2016, Thm 3.6; Feldman & Zrnic 2021, Thm 4.5; Whitehouse, Ramdas, Rogers & Wu 2023, Thm 1
 * Direction: exact
 * @example const filter = additiveFilter({ measure: "pure", epsilon: one });
 */
export function additiveFilter<M extends PrivacyMeasure>(grant: LossOf<M>): Filter<LossOf<M>> {
  // The caller's object may change later, the grant not.
  const granted: LossOf<M> = { ...grant };
  const { measure } = granted;
  words(granted);
  let spent = zeroLoss(measure);
  const covers = (loss: LossOf<M>): boolean => {
    words(loss);
    return lossFits(composeLosses(measure, [spent, loss]), granted);
  };
  const left = (): LossOf<M> => lossLeft(granted, spent) as LossOf<M>;
  return {
    measure,
    theorem: theorems[measure],
    left,
    covers,
    spend(loss) {
      if (!covers(loss)) throw overspent(measure, words(left()));
      spent = composeLosses(measure, [spent, loss]);
    },
  };
}
