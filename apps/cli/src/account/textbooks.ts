import { type Event, LetheError } from "@lethe/core";
import {
  advancedComposition,
  advancedCompositionSix,
  advancedCompositionZcdp,
  basicComposition,
  classicalGaussianSigma,
  tailBoundGaussianSigma,
} from "@lethe/core/accounting";
import { mironovEpsilon } from "./mironov.ts";
import type { Question } from "./question.ts";
import { shown } from "./shown-number.ts";
import { gaussianEpsilon, type StepLoss, stepLoss } from "./step-loss.ts";
import type { Subject } from "./subject.ts";

/** The result of one formula of a textbook for the same event. Nothing rests on it: it stands beside the answer. */
export interface Textbook {
  readonly name: string;
  /** The formula's ε; null outside its domain. */
  readonly value: number | null;
  /** The inputs of the formula, or the reason why it does not apply. */
  readonly says: string;
}

interface Said {
  readonly epsilon: number;
  readonly says: string;
}
type Formulas = Readonly<Record<string, () => Said>>;

/** Returns every textbook's ε at the δ that is asked; none where δ is asked at an ε, which they do not answer. */
export function textbooksOf(subject: Subject, asked: Question): readonly Textbook[] {
  if (!("delta" in asked) || !(asked.delta > 0)) return [];
  const { delta } = asked;
  const { event, whole } = subject;
  const formulas: Formulas = {
    "Rényi by Mironov 2017, Prop. 3": () => mironov(subject, delta),
    ...(event.kind === "repeat"
      ? compositions(event.event, Number(event.count), delta, whole.adjacency === "add-or-remove-one")
      : gaussians(event, delta)),
  };
  return Object.entries(formulas).map(([name, formula]) => ({ name, ...answered(formula) }));
}

/** Evaluates a formula; one that refuses is told by its refusal. */
function answered(formula: () => Said): Omit<Textbook, "name"> {
  try {
    const { epsilon, says } = formula();
    return { value: epsilon, says };
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return { value: null, says: `does not apply because ${error.message}` };
  }
}

function mironov({ whole }: Subject, delta: number): Said {
  const epsilon = mironovEpsilon(whole, delta);
  if (epsilon === null)
    throw new LetheError("account.unprovable", "no theorem gives this event a Rényi curve", {
      fix: "use another representation",
    });
  return { epsilon, says: "the least over all orders" };
}

/**
 * Returns the composition theorems for a repeated step. Where a step has a δ of its own, half of δ goes to the steps and half to the slack of the
 * theorem that has one.
 */
function compositions(step: Event, count: number, delta: number, isAddOrRemove: boolean): Formulas {
  const composed = (
    share: number,
    compose: (runs: StepLoss & { count: number }, slack: number) => StepLoss,
  ) => {
    return (): Said => {
      const each = stepLoss(step, (share * delta) / count, isAddOrRemove);
      const { epsilon } = compose({ ...each, count }, delta - each.delta * count);
      const steps = `${count.toLocaleString("en")} × (${shown(each.epsilon, "up", 4)}, ${shown(each.delta, "up", 4)})`;
      return { epsilon, says: `${steps}, composed` };
    };
  };
  return {
    "basic composition": composed(1, (runs) => basicComposition([runs])),
    "advanced composition": composed(0.5, advancedComposition),
    "advanced composition, ε√(6k·ln 1/δ)": composed(0.5, advancedCompositionSix),
    "advanced composition by zCDP": composed(0.5, advancedCompositionZcdp),
  };
}

/** Returns the two classical calibrations of one Gaussian, read backwards. */
function gaussians(event: Event, delta: number): Formulas {
  if (event.kind !== "gaussian") return {};
  const says = "the calibration, read backwards";
  return {
    "Gaussian, √(2·ln(1.25/δ))": () => ({
      epsilon: gaussianEpsilon(event, delta, classicalGaussianSigma),
      says,
    }),
    "Gaussian, √(2·ln(2/δ))": () => ({
      epsilon: gaussianEpsilon(event, delta, tailBoundGaussianSigma),
      says,
    }),
  };
}
