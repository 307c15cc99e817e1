import type { BitSource } from "../entropy/bit-source.ts";
import { invalidParameter } from "../errors/lethe-error.ts";
import type { Event, EventOf, LeafKind } from "../events/event.ts";
import type { ProvableLosses } from "../losses/provable-losses.ts";
import type { Sampler } from "../samplers/index.ts";
import { constant } from "./constant/constant.ts";
import { approximate } from "./declared/approximate.ts";
import { boundedRange } from "./declared/bounded-range.ts";
import { gaussianDp } from "./declared/gaussian-dp.ts";
import { gaussianMixture } from "./declared/gaussian-mixture.ts";
import { pure } from "./declared/pure.ts";
import { randomAllocation } from "./declared/random-allocation.ts";
import { shuffle } from "./declared/shuffle.ts";
import { zcdp } from "./declared/zcdp.ts";
import { finitePair } from "./finite-pair/finite-pair.ts";
import { discreteGaussian } from "./gaussian/discrete-gaussian.ts";
import { roundedGaussian } from "./gaussian/rounded-gaussian.ts";
import { groupSelection } from "./group-selection/group-selection.ts";
import { continuousLaplace } from "./ideal/continuous-laplace.ts";
import { gaussian } from "./ideal/gaussian.ts";
import { laplace } from "./laplace/laplace.ts";
import type { Mechanism, NoiseSource, Sensitivity } from "./mechanism.ts";
import type { Noise } from "./noise.ts";

/** Every mechanism, by the kind of its event. A new one is a folder and a line here. */
export const mechanisms: { readonly [K in LeafKind]: Mechanism<K> } = {
  laplace,
  "rounded-gaussian": roundedGaussian,
  "discrete-gaussian": discreteGaussian,
  "select-groups": groupSelection,
  constant,
  pure,
  approximate,
  zcdp,
  "bounded-range": boundedRange,
  "gaussian-dp": gaussianDp,
  "finite-pair": finitePair,
  gaussian,
  "continuous-laplace": continuousLaplace,
  shuffle,
  "random-allocation": randomAllocation,
  "gaussian-mixture": gaussianMixture,
};

/** Those that add noise to integers, by the name of their noise. */
export const noises: { readonly [I in Noise["mechanism"]]: NoiseSource<I> } = {
  "discrete-laplace@1": laplace,
  "rounded-gaussian@1": roundedGaussian,
  "discrete-gaussian@1": discreteGaussian,
  "constant@1": constant,
};

/** The registry of provable losses, by kind of event: an accountant folds events through it. */
export const proveLosses: { readonly [K in LeafKind]: (event: EventOf<K>) => ProvableLosses } =
  Object.fromEntries(
    Object.values(mechanisms).map(({ kind, losses }) => [kind, losses]),
  ) as unknown as typeof proveLosses;

function sourceOf(noise: Noise): NoiseSource<Noise["mechanism"]> {
  if (!Object.hasOwn(noises, noise.mechanism)) {
    throw invalidParameter("noise", noise.mechanism, `one of ${Object.keys(noises).join(", ")}`);
  }
  return noises[noise.mechanism] as unknown as NoiseSource<Noise["mechanism"]>;
}

/**
 * The event of adding this noise to an integer vector of this sensitivity: the only way from noise to price.
 * Errors: internal.invariant for constant@1 at a sensitivity other than 0.
 * @example noiseEvent({ mechanism: "discrete-laplace@1", scale: "2" }, { l1: 1n, l2Squared: 1n })
 */
export function noiseEvent(noise: Noise, sensitivity: Sensitivity): Event {
  return sourceOf(noise).event(noise, sensitivity);
}

/** The noise itself. Errors: parameter.invalid, when it is made. */
export function noiseSampler(noise: Noise): Sampler {
  return sourceOf(noise).sampler(noise);
}

/** exact + one draw of the noise. */
export function addNoise(exact: bigint, noise: Sampler, bits: BitSource): bigint {
  return exact + noise.sample(bits);
}
