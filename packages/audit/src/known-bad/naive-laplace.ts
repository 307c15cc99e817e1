import { type BitSource, ratio } from "@lethe/core";
import { subject } from "../subject.ts";
import { pureClaim } from "../verify/claim.ts";
import { uniformDouble } from "./doubles.ts";
import type { KnownBad } from "./known-bad.ts";

const grid = 2 ** 53;
const noisy = (value: number, k: number, sign: number): number => value + sign * -Math.log(k / grid);

/**
 * Whether any of the 2^54 coins gives this output: the noise falls as its uniform grows, so bisection finds the only place, and a
 * few neighbours cover where the logarithm is not quite monotone.
 */
export function naiveLaplaceGives(value: number, output: number): boolean {
  return [1, -1].some((sign) => {
    let [low, high] = [1, grid];
    while (high - low > 1) {
      const middle = Math.floor(low + (high - low) / 2);
      if (sign * (noisy(value, middle, sign) - output) > 0) low = middle;
      else high = middle;
    }
    for (let step = -8; step <= 8; step += 1) {
      const k = Math.min(grid, Math.max(1, low + step));
      if (noisy(value, k, sign) === output) return true;
    }
    return false;
  });
}

/** −ln u in doubles: most sums that one value can give, its neighbour cannot (Mironov 2012). */
export const naiveLaplace: KnownBad = {
  id: "naive-laplace",
  fault: "Laplace noise drawn and added in doubles",
  source: "Mironov 2012",
  caughtBy: ["estimate"],
  subject: () =>
    subject<number>({
      id: "naive-laplace",
      describes: "0 or 1 plus −ln u in doubles",
      claim: pureClaim(ratio(1n)),
      neighbours: [[0, 1]],
      run: (value, bits: BitSource) => [
        noisy(value, uniformDouble(bits) * grid, (bits.word() & 1) === 0 ? 1 : -1),
      ],
      canGive: (value, [output]) => naiveLaplaceGives(value, output as number),
    }),
};
