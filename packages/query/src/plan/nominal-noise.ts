import { type Event, LetheError, parseRational, ratio, toText } from "@lethe/core";
import { gaussianFor, type Noise, noiseEvent } from "@lethe/core/mechanisms";
import { divide, multiply } from "@lethe/core/numeric";
import type { NominalNoise } from "./plan.ts";

interface Noised {
  readonly name: string;
  readonly noise: Noise;
  readonly l1: string;
  readonly l2Squared: string;
}

/**
 * Not 1: of integers that move by 1 core prices the masses that are drawn, which for small noise cost less than noise of the same
 * ratio at a larger sensitivity.
 */
const nominalL2Squared = 4n;

/**
 * Noise as it is priced before bounds, and so sensitivities, are known: at a sensitivity of its own, whose price covers that of
 * every noise of {@link fittedNoise}. Laplace at ℓ1 = 1 is randomized response, which no ε-DP mechanism exceeds; a Gaussian is
 * priced by Δ₂/σ alone. Proof: ./sensitivity.proof.md.
 */
export function nominalNoise({ name, noise, l1, l2Squared }: Noised): NominalNoise {
  switch (noise.mechanism) {
    case "constant@1":
      return { name, noise, l1: "0", l2Squared: "0" };
    case "discrete-laplace@1": {
      const scale = toText(divide(parseRational(noise.scale), parseRational(l1)));
      return { name, noise: { ...noise, scale }, l1: "1", l2Squared: "1" };
    }
    case "rounded-gaussian@1": {
      const sigma = parseRational(noise.sigma);
      const muSquared = divide(parseRational(l2Squared), multiply(sigma, sigma));
      const nominal = gaussianFor({ l2Squared: nominalL2Squared, muSquared });
      return { name, noise: nominal, l1: "2", l2Squared: `${nominalL2Squared}` };
    }
    case "discrete-gaussian@1":
      throw new LetheError("internal.invariant", "a plan draws no discrete Gaussian noise", {
        fix: "report this with the question asked",
      });
  }
}

/** The noise for a sensitivity that costs no more than the nominal one: Laplace of the same ε, a Gaussian of no larger Δ₂/σ. */
export function fittedNoise(
  { noise, l2Squared: nominal }: NominalNoise,
  { l1, l2Squared }: { readonly l1: bigint; readonly l2Squared: bigint },
): Noise {
  switch (noise.mechanism) {
    case "constant@1":
    case "discrete-gaussian@1":
      return noise;
    case "discrete-laplace@1":
      return { ...noise, scale: toText(multiply(parseRational(noise.scale), ratio(l1))) };
    case "rounded-gaussian@1": {
      const sigma = parseRational(noise.sigma);
      return gaussianFor({ l2Squared, muSquared: divide(parseRational(nominal), multiply(sigma, sigma)) });
    }
  }
}

export function nominalEvent({ noise, l1, l2Squared }: Omit<Noised, "name">): Event {
  return noiseEvent(noise, { l1: BigInt(l1), l2Squared: BigInt(l2Squared) });
}
