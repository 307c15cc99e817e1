import { invalidParameter } from "../../errors/lethe-error.ts";
import type { Noise } from "../../mechanisms/noise.ts";
import { parseRational, type Rational } from "../../numeric/rational.ts";
import { discreteGaussianLaw } from "./discrete-gaussian-law.ts";
import { laplaceLaw } from "./laplace-law.ts";
import type { NoiseLaw } from "./noise-law.ts";
import { roundedGaussianLaw } from "./rounded-gaussian-law.ts";

type Registry = { readonly [M in Noise["mechanism"]]: (noise: Extract<Noise, { mechanism: M }>) => NoiseLaw };

const laws: Registry = {
  "discrete-laplace@1": ({ scale }) => laplaceLaw(positive("scale", scale)),
  "rounded-gaussian@1": ({ sigma }) => roundedGaussianLaw(positive("sigma", sigma)),
  "discrete-gaussian@1": ({ sigmaSquared }) => discreteGaussianLaw(positive("sigmaSquared", sigmaSquared)),
  "constant@1": () => noNoise,
};

const noNoise: NoiseLaw = {
  family: "none",
  scale: 0,
  coupling: 0,
  variance: () => 0,
  mass: (z) => (z === 0 ? 1 : 0),
  beyond: () => 0,
  quantile: () => 0n,
  quantileRange: () => ({ least: 0, most: 0 }),
};

/** The law of a plan's noise. Errors: parameter.invalid unless its mechanism is known and its parameter a positive number. */
export function noiseLaw(noise: Noise): NoiseLaw {
  if (!Object.hasOwn(laws, noise.mechanism))
    throw invalidParameter("noise", noise.mechanism, `one of ${Object.keys(laws).join(", ")}`);
  return laws[noise.mechanism](noise as never);
}

function positive(name: string, text: string): Rational {
  const value = parseRational(text, name);
  if (!(value.num > 0n)) throw invalidParameter(name, text, "> 0");
  return value;
}
