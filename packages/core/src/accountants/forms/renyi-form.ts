import type { GaussianCarrierLoss } from "../../carriers/gaussian.ts";
import type { PureCarrierLoss } from "../../carriers/pure.ts";
import { type RenyiCarrierLoss, renyiCarrier } from "../../carriers/renyi.ts";
import type { ZcdpCarrierLoss } from "../../carriers/zcdp.ts";
import { renyiProfile } from "../../conversions/renyi-profile.ts";
import type { ProvableLosses } from "../../measures/provable-losses.ts";
import { composeRenyi } from "../../measures/renyi/compose-renyi.ts";
import { gaussianRenyi } from "../../measures/renyi/gaussian-renyi.ts";
import { pureRenyi } from "../../measures/renyi/pure-renyi.ts";
import type { RenyiCurve } from "../../measures/renyi/renyi-curve.ts";
import { poissonRepeatedRenyi, repeatedRenyi } from "../../measures/renyi/repeated-renyi.ts";
import { zcdpRenyi } from "../../measures/renyi/zcdp-renyi.ts";
import { parseRational, toDouble } from "../../numeric/rational.ts";
import type { Conversion, Form } from "../form.ts";
import { finite } from "./finite.ts";

const of = (...curves: readonly RenyiCurve[]): RenyiCarrierLoss => ({
  terms: curves.map((curve) => ({ curve, count: 1n })),
});

const fromGaussian: Conversion<RenyiCarrierLoss, GaussianCarrierLoss> = {
  from: "gaussian",
  direction: "exact",
  theorem: "Mironov 2017, Prop. 7",
  convert: ({ muSquared, tight }) => of({ ...gaussianRenyi(muSquared), tight: tight ?? false }),
};

const fromPure: Conversion<RenyiCarrierLoss, PureCarrierLoss> = {
  from: "pure",
  direction: "exact",
  theorem: "Mironov 2017, Prop. 5",
  convert: ({ epsilon, tight }) => of({ ...pureRenyi(epsilon), tight: tight ?? false }),
};

const fromZcdp: Conversion<RenyiCarrierLoss, ZcdpCarrierLoss> = {
  from: "zcdp",
  direction: "exact",
  theorem: "Bun & Steinke 2016, Def. 1.1",
  convert: ({ rho, omega }) => of(zcdpRenyi(rho, omega)),
};

/** Rényi DP at every order. What a mechanism does not declare follows from the parts of its mixed loss. */
export const renyiForm: Form<RenyiCarrierLoss> = {
  carrier: renyiCarrier,
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

function fromMixed(mixed: ProvableLosses["mixed"]): RenyiCarrierLoss | null {
  if (mixed === null || mixed.delta.num !== 0n) return null;
  const [epsilon, muSquared, rho] = [finite(mixed.epsilon), finite(mixed.muSquared), finite(mixed.rho)];
  if (epsilon === null || muSquared === null || rho === null) return null;
  return of(
    ...(epsilon > 0 ? [{ ...pureRenyi(epsilon), tight: false }] : []),
    ...(muSquared > 0 ? [{ ...gaussianRenyi(muSquared), tight: false }] : []),
    ...(rho > 0 ? [zcdpRenyi(rho)] : []),
  );
}
