import { algebraContract } from "../../../../testing/src/contracts/algebra-contract.ts";
import { approximateAlgebra } from "./approximate/approximate-algebra.ts";
import { gaussianAlgebra } from "./gaussian/gaussian-algebra.ts";
import { gaussianPair, laplacePair, twoPointPair } from "./pld/pairs/index.ts";
import { pldAlgebra, pldLoss } from "./pld/pld-algebra.ts";
import { pureAlgebra } from "./pure/pure-algebra.ts";
import { gaussianRenyi } from "./renyi/curves/gaussian-renyi.ts";
import { laplaceRenyi } from "./renyi/curves/laplace-renyi.ts";
import { renyiAlgebra } from "./renyi/renyi-algebra.ts";
import { zcdpAlgebra } from "./zcdp/zcdp-algebra.ts";

const everything = { group: true, mix: true, poisson: true, withoutReplacement: true } as const;
const noSamples = { group: true, mix: true, poisson: false, withoutReplacement: false } as const;

algebraContract("pure", {
  algebra: pureAlgebra,
  ladder: [0.1, 0.5, 2].map((epsilon) => ({ epsilon, tight: true })),
  tolerance: 1e-9,
  supports: everything,
});

algebraContract("approximate", {
  algebra: approximateAlgebra,
  ladder: [0.1, 0.5, 2].map((epsilon) => ({ terms: [{ epsilon, delta: 1e-9, count: 1n }], tight: true })),
  tolerance: 1e-8,
  supports: everything,
});

algebraContract("Gaussian", {
  algebra: gaussianAlgebra,
  ladder: [0.01, 0.25, 4].map((muSquared) => ({ muSquared, tight: true })),
  tolerance: 1e-9,
  supports: noSamples,
});

algebraContract("zCDP", {
  algebra: zcdpAlgebra,
  ladder: [0.005, 0.1, 2].map((rho) => ({ rho, omega: Number.POSITIVE_INFINITY })),
  tolerance: 1e-9,
  supports: noSamples,
});

algebraContract("Rényi", {
  algebra: renyiAlgebra,
  ladder: [gaussianRenyi(0.01), laplaceRenyi(0.3), gaussianRenyi(1)].map((curve) => ({
    terms: [{ curve, count: 1n }],
  })),
  tolerance: 1e-6,
  supports: everything,
});

algebraContract("PLD", {
  algebra: pldAlgebra,
  ladder: [twoPointPair(0.1, 0), laplacePair(0.5), gaussianPair(1.5)].map(pldLoss),
  tolerance: 2e-3,
  supports: everything,
});
