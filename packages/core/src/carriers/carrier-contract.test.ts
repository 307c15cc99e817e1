import { carrierContract } from "../../../../testing/src/contracts/carrier-contract.ts";
import { gaussianPair, laplacePair, twoPointPair } from "../measures/pairs/index.ts";
import { gaussianRenyi } from "../measures/renyi/gaussian-renyi.ts";
import { laplaceRenyi } from "../measures/renyi/laplace-renyi.ts";
import { approximateCarrier } from "./approximate.ts";
import { gaussianCarrier } from "./gaussian.ts";
import { pldCarrier, pldLoss } from "./pld.ts";
import { pureCarrier } from "./pure.ts";
import { renyiCarrier } from "./renyi.ts";
import { zcdpCarrier } from "./zcdp.ts";

const everything = { group: true, mix: true, poisson: true, withoutReplacement: true } as const;
const noSamples = { group: true, mix: true, poisson: false, withoutReplacement: false } as const;

carrierContract("pure", {
  carrier: pureCarrier,
  ladder: [0.1, 0.5, 2].map((epsilon) => ({ epsilon, tight: true })),
  tolerance: 1e-9,
  supports: everything,
});

carrierContract("approximate", {
  carrier: approximateCarrier,
  ladder: [0.1, 0.5, 2].map((epsilon) => ({ terms: [{ epsilon, delta: 1e-9, count: 1n }], tight: true })),
  tolerance: 1e-8,
  supports: everything,
});

carrierContract("Gaussian", {
  carrier: gaussianCarrier,
  ladder: [0.01, 0.25, 4].map((muSquared) => ({ muSquared, tight: true })),
  tolerance: 1e-9,
  supports: noSamples,
});

carrierContract("zCDP", {
  carrier: zcdpCarrier,
  ladder: [0.005, 0.1, 2].map((rho) => ({ rho, omega: Number.POSITIVE_INFINITY })),
  tolerance: 1e-9,
  supports: noSamples,
});

carrierContract("Rényi", {
  carrier: renyiCarrier,
  ladder: [gaussianRenyi(0.01), laplaceRenyi(0.3), gaussianRenyi(1)].map((curve) => ({
    terms: [{ curve, count: 1n }],
  })),
  tolerance: 1e-6,
  supports: everything,
});

carrierContract("PLD", {
  carrier: pldCarrier,
  ladder: [twoPointPair(0.1, 0), laplacePair(0.5), gaussianPair(1.5)].map(pldLoss),
  tolerance: 2e-3,
  supports: everything,
});
