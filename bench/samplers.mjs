// Draws per second of the noise samplers with real entropy: one at a time (a bigint each) and in batches.
import { discreteGaussian, discreteLaplace, ratio, roundedGaussian, secureEntropy } from "@lethe/core";
import { figure, median } from "./figure.mjs";

const scales = { "1/3": ratio(1n, 3n), 10: ratio(10n), 1000: ratio(1000n), "1e6": ratio(1000000n) };
const rounds = 7;
const roundMs = 120;

function perSecond(work, count) {
  const warmUp = performance.now();
  while (performance.now() - warmUp < roundMs) work();
  const rates = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    let done = 0;
    let elapsed = 0;
    for (; elapsed < roundMs; elapsed = performance.now() - start) {
      work();
      done += count;
    }
    rates.push((done / elapsed) * 1000);
  }
  return median(rates);
}

let sink = 0n;
function single(sampler, entropy) {
  return perSecond(() => {
    for (let i = 0; i < 2000; i++) sink ^= sampler.sample(entropy);
  }, 2000);
}
function batch(sampler, entropy) {
  const out = new Float64Array(4096);
  return perSecond(() => sampler.fill(out, entropy), out.length);
}

export default async function bench() {
  const entropy = secureEntropy();
  const laws = {
    laplace: (scale) => discreteLaplace(scale),
    gaussian: (scale) => roundedGaussian(scale),
    "discrete-gaussian": (scale) => discreteGaussian(ratio(scale.num ** 2n, scale.den ** 2n)),
  };
  for (const [law, make] of Object.entries(laws)) {
    for (const [mode, measure] of Object.entries({ single, batch })) {
      figure(`sampler.${law}.${mode}`, measure(make(ratio(10n)), entropy), "samples/s");
      for (const [name, scale] of Object.entries(scales)) {
        figure(`sampler.${law}.${mode}.scale-${name}`, measure(make(scale), entropy), "samples/s");
      }
    }
  }
  const start = performance.now();
  const built = 2000;
  for (let i = 0; i < built; i++) sink ^= discreteLaplace(ratio(10n)).sample(entropy);
  figure("sampler.laplace.one-shot", ((performance.now() - start) / built) * 1000, "µs");
  if (typeof sink !== "bigint") throw new Error("unreachable");
}
