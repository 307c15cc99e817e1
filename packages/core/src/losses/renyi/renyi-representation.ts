import { renyiProfile } from "../../conversions/renyi-profile.ts";
import { parseRational, toDouble } from "../../numeric/rational.ts";
import { finite } from "../finite.ts";
import type { GaussianUpperLoss } from "../gaussian/gaussian-algebra.ts";
import type { Conversion, LossRepresentation } from "../loss-representation.ts";
import type { ProvableLosses } from "../provable-losses.ts";
import type { PureUpperLoss } from "../pure/pure-algebra.ts";
import type { ZcdpUpperLoss } from "../zcdp/zcdp-algebra.ts";
import { composeRenyi } from "./curves/compose-renyi.ts";
import { gaussianRenyi } from "./curves/gaussian-renyi.ts";
import { pureRenyi } from "./curves/pure-renyi.ts";
import type { RenyiCurve } from "./curves/renyi-curve.ts";
import { poissonRepeatedRenyi, repeatedRenyi } from "./curves/repeated-renyi.ts";
import { zcdpRenyi } from "./curves/zcdp-renyi.ts";
import { type RenyiUpperLoss, renyiAlgebra } from "./renyi-algebra.ts";

const of = (...curves: readonly RenyiCurve[]): RenyiUpperLoss => ({
  terms: curves.map((curve) => ({ curve, count: 1n })),
});

const fromGaussian: Conversion<RenyiUpperLoss, GaussianUpperLoss> = {
  from: "gaussian",
  direction: "exact",
  theorem: "Mironov 2017, Prop. 7",
  convert: ({ muSquared, tight }) => of({ ...gaussianRenyi(muSquared), tight: tight ?? false }),
};

const fromPure: Conversion<RenyiUpperLoss, PureUpperLoss> = {
  from: "pure",
  direction: "exact",
  theorem: "Mironov 2017, Prop. 5",
  convert: ({ epsilon, tight }) => of({ ...pureRenyi(epsilon), tight: tight ?? false }),
};

const fromZcdp: Conversion<RenyiUpperLoss, ZcdpUpperLoss> = {
  from: "zcdp",
  direction: "exact",
  theorem: "Bun & Steinke 2016, Def. 1.1",
  convert: ({ rho, omega }) => of(zcdpRenyi(rho, omega)),
};

/** Rényi DP at every order. What a mechanism does not declare follows from the parts of its mixed loss. */
export const renyiRepresentation: LossRepresentation<RenyiUpperLoss> = {
  algebra: renyiAlgebra,
  leaf: ({ renyi, mixed }) => (renyi ? of(renyi) : fromMixed(mixed)),
  select({ terms }, trials) {
    const curve = composeRenyi(terms);
    if (trials.law === "poisson") {
      const mean = toDouble(parseRational(trials.mean), "up");
      return of(poissonRepeatedRenyi(curve, mean, renyiProfile(curve)));
    }
    const shape = toDouble(parseRational(trials.shape), "up");
    return of(repeatedRenyi(curve, shape, toDouble(parseRational(trials.stop), "down")));
  },
  from: [fromGaussian, fromPure, fromZcdp],
};

function fromMixed(mixed: ProvableLosses["mixed"]): RenyiUpperLoss | null {
  if (mixed === null || mixed.delta.num !== 0n) return null;
  const [epsilon, muSquared, rho] = [finite(mixed.epsilon), finite(mixed.muSquared), finite(mixed.rho)];
  if (epsilon === null || muSquared === null || rho === null) return null;
  return of(
    ...(epsilon > 0 ? [{ ...pureRenyi(epsilon), tight: false }] : []),
    ...(muSquared > 0 ? [{ ...gaussianRenyi(muSquared), tight: false }] : []),
    ...(rho > 0 ? [zcdpRenyi(rho)] : []),
  );
}
