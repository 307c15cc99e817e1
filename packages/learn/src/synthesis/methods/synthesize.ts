import { type SynthesisPlan, type SynthesisRound, targetOf } from "../plan/index.ts";
import type { Learned, Measured } from "../sampling/index.ts";
import type { MarginalSource } from "../source/index.ts";
import { methods } from "./methods.ts";

/**
 * Runs a plan that was charged, over a source of its session: what it returns is noisy answers.
 * Errors: those of the source.
 */
export function synthesize(
  plan: SynthesisPlan,
  source: MarginalSource,
  progress?: (round: SynthesisRound) => void,
): Promise<Measured> {
  return methods[plan.method].measure(plan, source, progress);
}

/** Fits the law of a plan's method to what was measured: the same for everyone who does it, and at no charge. */
export function learnedFrom(
  measured: Measured,
  plan: Pick<SynthesisPlan, "method" | "domain" | "target">,
): Learned {
  return { ...measured, law: methods[plan.method].law(measured, targetOf(plan)) };
}
