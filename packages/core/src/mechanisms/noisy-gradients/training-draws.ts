import type { BitSource } from "../../entropy/bit-source.ts";
import type { SecureEntropy } from "../../entropy/secure-entropy.ts";
import { doubleAt } from "../../numeric/elements/element-at.ts";
import { parseRational } from "../../numeric/rational.ts";
import { cutBatch, poissonBatch, uniformBins } from "../../samplers/index.ts";
import type { Noise } from "../noise.ts";
import { noiseSampler } from "../registry.ts";

declare const made: unique symbol;

/**
 * Everything that a training draws: noise, and which units a step sees. Made from secure coins here, or for tests and audits by core's tape:
 * production code can make no other. It has no key and no counter, so nothing of it can be drawn twice.
 * Errors: parameter.invalid, when a part is prepared.
 */
export interface TrainingDraws {
  readonly [made]: true;
  /**
   * A vector of exact integers ↦ it plus its own draw of the noise on every coordinate. `turn` makes of that noise, in place, what is added:
   * the noise itself unless stated.
   */
  noise(noise: Noise, turn?: (drawn: Float64Array) => void): (exact: Float64Array) => Float64Array;
  /** A number of units ↦ the places of those in a Poisson sample of this rate, cut to `limit` of them where it is larger. */
  poisson(rate: string, limit: number | null): (units: number) => Uint32Array;
  /** A number of units ↦ a bin for each, uniform and independent. */
  bins(bins: number): (units: number) => Uint32Array;
}

/** All draws of a training from one secure source. */
export function trainingDraws(entropy: SecureEntropy): TrainingDraws {
  return trainingDrawsFrom(entropy);
}

/** {@link trainingDraws} from any coins: not for releases, and exported by core's tape alone. */
export function trainingDrawsFrom(bits: BitSource): TrainingDraws {
  return asTrainingDraws({
    noise(noise, turn) {
      const sampler = noiseSampler(noise);
      return (exact) => {
        const noisy = new Float64Array(exact.length);
        sampler.fill(noisy, bits);
        turn?.(noisy);
        for (let i = 0; i < noisy.length; i++) noisy[i] = doubleAt(noisy, i) + doubleAt(exact, i);
        return noisy;
      };
    },
    poisson(rate, limit) {
      const chance = parseRational(rate, "rate");
      return (units) => {
        const batch = poissonBatch(chance, units, bits);
        return limit === null ? batch : cutBatch(batch, limit, bits);
      };
    },
    bins: (bins) => (units) => uniformBins(bins, units, bits),
  });
}

/** Other answers in the place of draws: for tests and audits, and exported by core's tape alone. */
export function asTrainingDraws(draws: Omit<TrainingDraws, typeof made>): TrainingDraws {
  return draws as TrainingDraws;
}
