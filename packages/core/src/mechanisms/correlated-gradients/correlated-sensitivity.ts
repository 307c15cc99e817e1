import { invalidParameter } from "../../errors/lethe-error.ts";
import { addUp, divideUp, multiplyUp, sqrtUp, subtractDown } from "../../numeric/directed.ts";
import { elementAt } from "../../numeric/elements/element-at.ts";
import {
  add,
  ceil,
  fromDouble,
  multiply,
  parseRational,
  type Rational,
  ratio,
} from "../../numeric/rational.ts";
import { type Participation, toeplitzSensitivity, treeSensitivity } from "../continual-counting/index.ts";
import type { Sensitivity } from "../mechanism.ts";
import type { Noise } from "../noise.ts";
import {
  checkInteger,
  type GradientShape,
  gaussianOf,
  gradientSensitivity,
  type UnitMove,
} from "../noisy-gradients/gradient-sensitivity.ts";
import { rootUp } from "../root.ts";
import {
  bandedCoefficients,
  bltCoefficientsUp,
  type Correlation,
  checkCorrelation,
  measurementBits,
  priceBits,
} from "./correlation.ts";

/** A sensitivity is summed step by step. */
const mostSteps = 2 ** 20;

/** A training of `steps` steps in which a unit takes part in at most so many, so far apart. */
export interface CorrelatedRun extends Participation {
  readonly steps: number;
  readonly correlation: Correlation;
}

/**
 * The sensitivity of all measurements of a training together, in the units in which their noise is drawn, when a unit takes part in at most
 * `participations` steps, any two at least `separation` apart, and moves each step's sum as `move` says, in any direction.
 * Source: Denisov et al. 2022 (arXiv 2202.08312), Choquette-Choo et al. 2023 (arXiv 2211.06530), Kalinin & Lampert 2024 (arXiv 2405.13763), Thm 2;
 * Dvijotham et al. 2024 (arXiv 2404.16706) for BLT; proof: ./correlated-gradients.proof.md.
 * Direction: upper; exact for one participation and for banded noise.
 * Errors: parameter.invalid for a correlation or a count outside its domain.
 */
export function correlatedSensitivity(run: CorrelatedRun, shape: GradientShape, move: UnitMove): Sensitivity {
  const { steps, correlation } = run;
  checkInteger("steps", steps, 1, mostSteps);
  checkCorrelation(correlation);
  const step = gradientSensitivity({ ...shape, countWeight: 0 }, move);
  if (correlation.kind === "tree") {
    const { l1, l2Squared } = treeSensitivity(steps, run);
    return { l1: l1 * step.l1, l2Squared: l2Squared * step.l2Squared };
  }
  if (correlation.kind === "banded") {
    const { l1, l2Squared } = toeplitzSensitivity(bandedCoefficients(correlation.bands), steps, run);
    return { l1: l1 * step.l1, l2Squared: l2Squared * step.l2Squared };
  }
  const unit = toeplitzSensitivity(bltCoefficientsUp(correlation, steps), steps, run);
  const norm = rootUp(multiply(ratio(unit.l2Squared), ratio(step.l2Squared)));
  const scaled = multiply(norm, ratio(1n << BigInt(measurementBits), 1n << BigInt(priceBits)));
  const whole = add(scaled, roundingSlack(correlation, steps, shape.parameters));
  const l2Squared = ceil(multiply(whole, whole));
  return { l1: ceil(rootUp(ratio(l2Squared * BigInt(steps) * BigInt(shape.parameters)))), l2Squared };
}

/**
 * How far the rounding of the buffers can move the means of all measurements beyond the linear ones, in ℓ2: at most 2·Σ outputs/(1 − decays) + buffers + 1 in each
 * of steps × parameters coordinates.
 */
function roundingSlack(
  { decays, outputs }: Extract<Correlation, { readonly kind: "blt" }>,
  steps: number,
  parameters: number,
): Rational {
  let each = decays.length + 1;
  for (const [k, output] of outputs.entries()) {
    each = addUp(each, divideUp(multiplyUp(2, output), subtractDown(1, elementAt(decays, k))));
  }
  return multiply(fromDouble(each), fromDouble(sqrtUp(multiplyUp(steps, parameters))));
}

/** Up to this σ all sums of noise are exact in doubles (proof note). */
const mostSigma = 1n << 40n;

/**
 * The noise of one measurement: σ is `multiplier` times the root of the sensitivity of the whole training, rounded up.
 * Errors: parameter.invalid unless multiplier > 0 and σ ≤ 2^40.
 */
export function correlatedNoise(multiplier: Rational, l2Squared: bigint): Noise {
  const noise = gaussianOf(multiplier, l2Squared);
  checkCorrelatedNoise(noise);
  return noise;
}

export function checkCorrelatedNoise(noise: Noise): void {
  const sigma = noise.mechanism === "rounded-gaussian@1" ? parseRational(noise.sigma, "sigma") : null;
  if (sigma === null || sigma.num > sigma.den * mostSigma) {
    throw invalidParameter(
      "noise",
      noise.mechanism,
      "a rounded Gaussian of σ at most 2^40 in units of its measurements",
    );
  }
}
