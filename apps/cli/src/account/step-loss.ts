import { account, type Event, type EventOf, LetheError, parseRational, toDouble } from "@lethe/core";
import { classicalGaussianSigma, subsampledEpsilon } from "@lethe/core/accounting";

/** The (ε, δ) that a textbook gives one step. */
export interface StepLoss {
  readonly epsilon: number;
  readonly delta: number;
}

/** σ for (ε, δ) at a sensitivity as a textbook has it: it falls as 1/ε, and holds for ε ≤ 1. */
export type Calibration = (sensitivity: number, epsilon: number, delta: number) => number;

/**
 * One step as textbooks price it before they compose: a pure mechanism by its ε, Gaussian noise by the classical formula at
 * `delta`, a Poisson sample by ln(1 + q(e^ε − 1)) and qδ. Errors: parameter.invalid where no textbook has a price, saying why.
 */
export function stepLoss(step: Event, delta: number, isAddOrRemove: boolean): StepLoss {
  if (step.kind === "gaussian")
    return { epsilon: gaussianEpsilon(step, delta, classicalGaussianSigma), delta };
  if (step.kind === "approximate") return { epsilon: up(step.epsilon), delta: up(step.delta) };
  if (step.kind === "poisson-sample") return sampledLoss(step, delta, isAddOrRemove);
  const epsilon = account(step).by("pure")?.epsilon(0).upper ?? Number.POSITIVE_INFINITY;
  if (epsilon === Number.POSITIVE_INFINITY) throw noPrice(`no textbook prices one ${step.kind} as (ε, δ)`);
  return { epsilon, delta: 0 };
}

function sampledLoss(step: EventOf<"poisson-sample">, delta: number, isAddOrRemove: boolean): StepLoss {
  if (!isAddOrRemove) throw noPrice("the textbook's theorem on Poisson samples is of add-or-remove-one");
  const rate = up(step.rate);
  if (rate === 0) return { epsilon: 0, delta: 0 };
  const inner = stepLoss(step.event, Math.min(0.5, delta / rate), isAddOrRemove);
  return { epsilon: subsampledEpsilon(inner.epsilon, rate), delta: inner.delta * rate };
}

/** The ε of one Gaussian by a calibration read backwards. Errors: parameter.invalid beyond ε = 1, where it is false. */
export function gaussianEpsilon(
  { sigma, sensitivity }: EventOf<"gaussian">,
  delta: number,
  calibration: Calibration,
): number {
  const moved = up(sensitivity);
  if (moved === 0) return 0;
  const epsilon = (calibration(moved, 1, delta) / toDouble(parseRational(sigma), "down")) * (1 + 2 ** -51);
  if (epsilon <= 1) return epsilon;
  throw noPrice(`the classical Gaussian formula holds for ε ≤ 1, and one step has ${epsilon.toPrecision(3)}`);
}

const up = (text: string): number => toDouble(parseRational(text), "up");

function noPrice(why: string): LetheError {
  return new LetheError("parameter.invalid", why, { fix: "use the answer above: it has no such condition" });
}
