import { finite } from "../finite.ts";
import type { Conversion, LossRepresentation } from "../loss-representation.ts";
import type { PureUpperLoss } from "../pure/pure-algebra.ts";
import { type ApproximateUpperLoss, approximateAlgebra } from "./approximate-algebra.ts";

const fromPure: Conversion<ApproximateUpperLoss, PureUpperLoss> = {
  from: "pure",
  direction: "exact",
  theorem: "(ε, 0)-DP",
  convert: ({ epsilon, tight }) => ({
    terms: [{ epsilon, delta: 0, count: 1n }],
    tight: tight ?? false,
  }),
};

/** (ε, δ)-DP kept apart for optimal composition. Noise that has no ε without a choice of δ does not enter. */
export const approximateRepresentation: LossRepresentation<ApproximateUpperLoss> = {
  algebra: approximateAlgebra,
  leaf({ mixed }, kind) {
    if (mixed === null || mixed.muSquared.num !== 0n || mixed.rho.num !== 0n) return null;
    const [epsilon, delta] = [finite(mixed.epsilon), finite(mixed.delta)];
    if (epsilon === null || delta === null) return null;
    return { terms: [{ epsilon, delta, count: 1n }], tight: kind === "pure" || kind === "approximate" };
  },
  from: [fromPure],
};
