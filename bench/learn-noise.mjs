// learn.noise: milliseconds of exact noise, the rounding of a Gaussian of 1.3 clipping norms on the grid of 2^20 to the norm, with real entropy,
//   on the 26,010 parameters of a small convolutional network; the median of 301 fills, after 50.
// learn.noise.draw: the same, nanoseconds a coordinate.

import { ratio, secureEntropy } from "@lethe/core";
import { roundedGaussian } from "@lethe/core/samplers";
import { figure, median } from "./figure.mjs";

const parameters = 26_010;

export default async function bench() {
  const [entropy, out] = [secureEntropy(), new Float64Array(parameters)];
  const noise = roundedGaussian(ratio(13n << 20n, 10n));
  const times = Array.from({ length: 351 }, () => {
    const start = performance.now();
    noise.fill(out, entropy);
    return performance.now() - start;
  }).slice(50);
  // Five standard errors of a variance: noise of another scale is not what is timed.
  const variance = out.reduce((sum, x) => sum + x * x, 0) / parameters / (1.3 * 2 ** 20) ** 2;
  if (!(Math.abs(variance - 1) < 5 * Math.sqrt(2 / parameters))) throw new Error(`variance ${variance}`);
  figure("learn.noise", median(times), "ms");
  figure("learn.noise.draw", (1e6 * median(times)) / parameters, "ns");
}
