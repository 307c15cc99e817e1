import { invalidParameter } from "../../errors/lethe-error.ts";
import { approximate } from "./approximate.ts";
import type { PrivacyLoss, PrivacyLossText, PrivacyMeasure } from "./loss.ts";
import type { Measure } from "./measure.ts";
import { pure } from "./pure.ts";
import { zcdp } from "./zcdp.ts";

export type LossOf<M extends PrivacyMeasure> = Extract<PrivacyLoss, { measure: M }>;
export type LossTextOf<M extends PrivacyMeasure> = Extract<PrivacyLossText, { measure: M }>;

/** Every measure an account can be kept in. */
export const measures: { readonly [M in PrivacyMeasure]: Measure<LossOf<M>, LossTextOf<M>> } = {
  pure,
  approximate,
  zcdp,
};

/** The measure of a loss that is known only at run time. Each method still refuses a loss of another measure. */
function of(id: PrivacyMeasure): Measure<PrivacyLoss, PrivacyLossText> {
  if (!Object.hasOwn(measures, id)) {
    throw invalidParameter("measure", id, `one of ${Object.keys(measures).join(", ")}`);
  }
  return measures[id] as unknown as Measure<PrivacyLoss, PrivacyLossText>;
}

/** The loss of asking nothing. */
export function zeroLoss(measure: PrivacyMeasure): PrivacyLoss {
  return of(measure).zero;
}

/** The loss of the adaptive composition of all. Errors: parameter.invalid when one is of another measure. */
export function composeLosses(measure: PrivacyMeasure, losses: Iterable<PrivacyLoss>): PrivacyLoss {
  return of(measure).compose(losses);
}

/** The loss of n-fold composition. */
export function powerLoss(loss: PrivacyLoss, n: bigint): PrivacyLoss {
  return of(loss.measure).power(loss, n);
}

/** Whether a cap covers a loss: every number of the loss ≤ the cap's. */
export function lossFits(loss: PrivacyLoss, cap: PrivacyLoss): boolean {
  return of(loss.measure).fits(loss, cap);
}

/** granted − spent, each number at least 0. */
export function lossLeft(granted: PrivacyLoss, spent: PrivacyLoss): PrivacyLoss {
  return of(granted.measure).left(granted, spent);
}

/** @example lossToJson({ measure: "pure", epsilon: ratio(1n, 2n) }) // => { measure: "pure", epsilon: "1/2" } */
export function lossToJson(loss: PrivacyLoss): PrivacyLossText {
  return of(loss.measure).toJson(loss);
}

/** Reads untrusted JSON strictly. Errors: parameter.invalid. */
export function lossFromJson(json: unknown): PrivacyLoss {
  const id = (json as { readonly measure?: unknown } | null | undefined)?.measure;
  return of(String(id) as PrivacyMeasure).fromJson(json);
}
