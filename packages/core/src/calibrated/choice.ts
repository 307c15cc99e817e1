import { invalidParameter } from "../errors/lethe-error.ts";
import type { PureLoss } from "../losses/measures/loss.ts";
import { permuteAndFlipFor } from "../mechanisms/permute-and-flip/permute-and-flip.ts";
import { utilityLoss } from "../mechanisms/scores/utility-loss.ts";
import { multiplyUp, subtractDown } from "../numeric/directed.ts";
import type { RationalInput } from "../numeric/exact-input.ts";
import { parseRational } from "../numeric/rational.ts";
import { gridFor, type Measured, positiveOf } from "./grid.ts";
import { type Charged, lossOf, type Means } from "./noisy-number.ts";

/** The budget of a choice by scores; `sensitivity` is that of every single score. */
export interface ChoiceSetting extends Measured {
  readonly epsilon: RationalInput;
  /** Whether one privacy unit moves all scores the same way, as counts do: half the noise. */
  readonly monotone?: boolean;
}

/** A private choice of the best among candidates. Every call of `release` draws anew, and costs `loss` again. */
export interface PrivateChoice extends Charged<PureLoss> {
  /** The index of a candidate; better scores are likelier. Errors: parameter.invalid for no candidates and for scores that are no numbers. */
  release(scores: readonly RationalInput[]): number;
  /**
   * How far below the best the chosen score lies at most, with this confidence, among so many candidates. It compares scores after they were
   * rounded to the grid; scores that are no multiples of the step can lie up to one step further apart. Errors: parameter.invalid.
   */
  errorBound(confidence: number, candidates: number): number;
}

/** Permute-and-flip at an exact ε, from given coins. Errors: parameter.invalid unless sensitivity, step and ε are above 0. */
export function calibratedChoice(setting: ChoiceSetting, { price, bits }: Means): PrivateChoice {
  const grid = gridFor(setting);
  const { event, parameters, choose } = permuteAndFlipFor({
    epsilon: positiveOf(setting.epsilon, "epsilon"),
    sensitivity: grid.sensitivity,
    monotone: setting.monotone ?? false,
  });
  const rate = parseRational(parameters.rate);
  return {
    event,
    loss: lossOf<"pure">(price, event, { measure: "pure" }),
    release: (scores) =>
      choose(
        scores.map((score) => grid.place(score, "scores")),
        bits,
      ),
    errorBound(confidence, candidates) {
      if (!(confidence > 0 && confidence < 1)) {
        throw invalidParameter("confidence", confidence, "between 0 and 1, both excluded");
      }
      const steps = utilityLoss({ rate, candidates, miss: subtractDown(1, confidence) });
      return multiplyUp(steps, grid.distance(1n));
    },
  };
}
