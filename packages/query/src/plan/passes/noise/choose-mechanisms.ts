import type { PrivacyLoss } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import { refuse } from "../../../refusals/refuse.ts";
import { deltaOf, questionBudget } from "../../question-budget.ts";
import type { DerivedQuestion } from "../derive-sensitivity.ts";

/** One kind of noise for all measurements of a question. */
export type NoiseFamily = "laplace" | "gaussian";

/** The question with its budget, and the kinds of noise that may be tried for it. */
export interface ChosenQuestion extends DerivedQuestion {
  readonly budget: PrivacyLoss;
  readonly families: readonly NoiseFamily[];
}

/**
 * Chooses the kinds of noise that the account's measure can price: Laplace anywhere, Gaussian where δ > 0 or in zCDP. In an
 * approximate account Gaussian noise spends δ, so it is only weighed where somebody said how much δ the question may take, or
 * where private keys take some anyway.
 * allocateLoss takes the family with the smaller expected error, the first of equals.
 * Errors: query.option, query.missing-delta.
 */
export function chooseMechanisms(derived: DerivedQuestion): ChosenQuestion {
  const { policy, options, keys, question } = derived;
  const budget = questionBudget(policy, options);
  const hasDelta = compare(deltaOf(budget), zero) > 0;
  if (keys.kind === "private" && !hasDelta) {
    const keyNames = question.groupBy.map(({ name }) => name).join(", ");
    refuse(
      "query.missing-delta",
      `the keys ${keyNames} are data, and selecting them privately needs a delta above 0`,
      budget.measure === "pure"
        ? `declare categories of ${keyNames} in the policy: a pure account answers public keys alone`
        : `state delta, or declare categories of ${keyNames} in the policy`,
    );
  }
  const possible: Readonly<Record<PrivacyLoss["measure"], readonly NoiseFamily[]>> = {
    pure: ["laplace"],
    approximate: hasDelta ? ["laplace", "gaussian"] : ["laplace"],
    zcdp: ["gaussian", "laplace"],
  };
  const allowed = possible[budget.measure];
  const { mechanism } = options;
  if (mechanism === null) {
    const saysDelta = options.delta !== null || policy.defaults.delta !== null || keys.kind === "private";
    return {
      ...derived,
      budget,
      families: saysDelta || budget.measure !== "approximate" ? allowed : ["laplace"],
    };
  }
  if (!allowed.includes(mechanism)) {
    if (budget.measure === "pure") {
      refuse(
        "query.option",
        "a pure account cannot pay for Gaussian noise",
        "leave mechanism out, or write mechanism = laplace",
      );
    }
    refuse(
      "query.missing-delta",
      "Gaussian noise needs a delta above 0",
      "state delta, or write mechanism = laplace",
    );
  }
  return { ...derived, budget, families: [mechanism] };
}

/** The kinds of noise that may be tried for all: private keys take some δ, and so allow Gaussian noise to whatever shares their price. */
export function commonFamilies(chosen: readonly ChosenQuestion[]): readonly NoiseFamily[] {
  return chosen
    .map(({ families }) => families)
    .reduce((widest, families) => (families.length > widest.length ? families : widest));
}
