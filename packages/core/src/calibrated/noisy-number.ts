import type { Price, PriceTarget } from "../accountants/price-events.ts";
import { noiseQuantile } from "../accuracy/laws/noise-quantile.ts";
import type { BitSource } from "../entropy/bit-source.ts";
import type { Event } from "../events/event.ts";
import type { PrivacyLoss, PrivacyMeasure, PureLoss } from "../losses/measures/loss.ts";
import type { LossOf } from "../losses/measures/losses.ts";
import type { Noise } from "../mechanisms/noise.ts";
import { noiseEvent, noiseSampler } from "../mechanisms/registry.ts";
import type { IntegerInput, RationalInput } from "../numeric/exact-input.ts";
import type { Rational } from "../numeric/rational.ts";
import type { Grid } from "./grid.ts";

/** The means that the door gives a calibrated mechanism: how an event is priced, and the coins of its releases. */
export interface Means {
  readonly price: Price;
  readonly bits: BitSource;
}

/** The charge for a calibrated mechanism: its event, and the loss that the event provably costs. */
export interface Charged<Loss extends PrivacyLoss = PrivacyLoss> {
  /** The durable record of one release; an account, a filter or an odometer takes it. */
  readonly event: Event;
  /** The exact loss of one release, as an account of the same measure charges it. */
  readonly loss: Loss;
}

/** Noise calibrated to the sensitivity of one number. Every call of `release` draws anew, and costs `loss` again. */
export interface NoisyNumber<Loss extends PrivacyLoss, Value = RationalInput> extends Charged<Loss> {
  /**
   * The number plus fresh noise. Errors: parameter.invalid for what is no number; the error does not show it.
   */
  release(value: Value): number;
  /**
   * The distance that the noise keeps within with this confidence, rounded up. It counts from the number after it was rounded to the grid, which
   * lies up to half a step from a number that is no multiple of the step. Errors: parameter.invalid unless 0 < confidence < 1.
   */
  errorBound(confidence: number): number;
}

/** Noise on a grid: numbers are rounded to multiples of the step first, which moves them by at most half a step. */
export interface NoiseOnGrid<Loss extends PrivacyLoss> extends NoisyNumber<Loss> {
  readonly step: Rational;
  /** The noise that is drawn, in steps. */
  readonly noise: Noise;
}

/** Noise on a whole number. */
export type NoisyInteger = NoisyNumber<PureLoss, IntegerInput>;

/** The price of an event under one measure. */
export function lossOf<M extends PrivacyMeasure>(
  price: Price,
  event: Event,
  target: Extract<PriceTarget, { readonly measure: M }>,
): LossOf<M> {
  return price(event, target) as LossOf<M>;
}

/** Puts noise and price of one number on a grid together. Errors: parameter.invalid. */
export function noiseOnGrid<M extends PrivacyMeasure>(
  { step, sensitivity, place, value, distance }: Grid,
  noise: Noise,
  target: Extract<PriceTarget, { readonly measure: M }>,
  { price, bits }: Means,
): NoiseOnGrid<LossOf<M>> {
  const event = noiseEvent(noise, { l1: sensitivity, l2Squared: sensitivity * sensitivity });
  const sampler = noiseSampler(noise);
  return {
    step,
    noise,
    event,
    loss: lossOf<M>(price, event, target),
    release: (exact) => value(place(exact, "value") + sampler.sample(bits)),
    errorBound: (confidence) => distance(noiseQuantile(noise, confidence)),
  };
}
