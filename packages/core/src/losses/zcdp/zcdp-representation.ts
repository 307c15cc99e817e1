import { tightRhoFromPure } from "../../conversions/tight-zcdp.ts";
import { finite } from "../finite.ts";
import type { GaussianUpperLoss } from "../gaussian/gaussian-algebra.ts";
import type { Conversion, LossRepresentation } from "../loss-representation.ts";
import type { PureUpperLoss } from "../pure/pure-algebra.ts";
import { type ZcdpUpperLoss, zcdpAlgebra } from "./zcdp-algebra.ts";

const whole = (rho: number): ZcdpUpperLoss => ({ rho, omega: Number.POSITIVE_INFINITY });

const fromGaussian: Conversion<ZcdpUpperLoss, GaussianUpperLoss> = {
  from: "gaussian",
  direction: "exact",
  theorem: "Bun & Steinke 2016, Prop. 1.6",
  convert: ({ muSquared }) => whole(muSquared / 2),
};

const fromPure: Conversion<ZcdpUpperLoss, PureUpperLoss> = {
  from: "pure",
  direction: "upper",
  theorem: "ε·tanh(ε/2)-zCDP, Bun & Steinke 2016, Prop. 3.3",
  convert: ({ epsilon }) => whole(tightRhoFromPure(epsilon)),
};

/** ρ-zCDP without a δ of its own. */
export const zcdpRepresentation: LossRepresentation<ZcdpUpperLoss> = {
  algebra: zcdpAlgebra,
  leaf({ pure, zcdp }) {
    const rho = zcdp && zcdp.delta.num === 0n ? finite(zcdp.rho) : null;
    if (rho === null) return null;
    const epsilon = pure && finite(pure.epsilon);
    return whole(epsilon === null ? rho : Math.min(rho, tightRhoFromPure(epsilon)));
  },
  from: [fromGaussian, fromPure],
};
