import { expect, it } from "vitest";
import { pureRenyi } from "../losses/renyi/curves/pure-renyi.ts";
import { deltaFromRenyi, epsilonFromRenyi } from "./renyi-to-approximate.ts";

it.each([1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.1, 1, 10, 50])(
  "stays above randomized response of ε %f",
  (size) => {
    // The orders that serve go to 10^10: there log(1 − 1/α) counts to its last digits.
    const curve = pureRenyi(size);
    for (let left = 0.5; left > 1e-9; left *= 0.6) {
      const epsilon = size * (1 - left);
      const delta = (Math.exp(epsilon) * Math.expm1(size - epsilon)) / (1 + Math.exp(size));
      expect(deltaFromRenyi(curve, epsilon)).toBeGreaterThanOrEqual(delta * (1 - 1e-13));
      // Near 1 the double of δ does not hold its ε.
      if (delta < 0.1) expect(epsilonFromRenyi(curve, delta)).toBeGreaterThanOrEqual(epsilon * (1 - 1e-13));
    }
  },
);
