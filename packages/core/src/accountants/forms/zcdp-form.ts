import type { GaussianCarrierLoss } from "../../carriers/gaussian.ts";
import type { PureCarrierLoss } from "../../carriers/pure.ts";
import { type ZcdpCarrierLoss, zcdpCarrier } from "../../carriers/zcdp.ts";
import { tightRhoFromPure } from "../../conversions/tight-zcdp.ts";
import type { Conversion, Form } from "../form.ts";
import { finite } from "./finite.ts";

const whole = (rho: number): ZcdpCarrierLoss => ({ rho, omega: Number.POSITIVE_INFINITY });

const fromGaussian: Conversion<ZcdpCarrierLoss, GaussianCarrierLoss> = {
  from: "gaussian",
  direction: "exact",
  theorem: "Bun & Steinke 2016, Prop. 1.6",
  convert: ({ muSquared }) => whole(muSquared / 2),
};

const fromPure: Conversion<ZcdpCarrierLoss, PureCarrierLoss> = {
  from: "pure",
  direction: "upper",
  theorem: "ε·tanh(ε/2)-zCDP, Bun & Steinke 2016, Prop. 3.3",
  convert: ({ epsilon }) => whole(tightRhoFromPure(epsilon)),
};

/** ρ-zCDP without a δ of its own. */
export const zcdpForm: Form<ZcdpCarrierLoss> = {
  carrier: zcdpCarrier,
  leaf({ pure, zcdp }) {
    const rho = zcdp && zcdp.delta.num === 0n ? finite(zcdp.rho) : null;
    if (rho === null) return null;
    const epsilon = pure && finite(pure.epsilon);
    return whole(epsilon === null ? rho : Math.min(rho, tightRhoFromPure(epsilon)));
  },
  from: [fromGaussian, fromPure],
};
