import { ratio, secureEntropy } from "@lethe/core";
import { gaussianOf, gradientReleaser, trainingDraws } from "@lethe/core/mechanisms";
import { openExact } from "@lethe/core/tape";
import { openGradients } from "@lethe/learn/kernels";
import { startWeights, trainStep } from "./step.mjs";

/**
 * Lethe's training under a setting: clip, rate, noise over clip, expected batch. `steps` gives milliseconds a step, by the clock and of all threads
 * (garbage and compilation included).
 */
export async function ourSide(source, setting) {
  const gradients = await openGradients(source);
  const weights = roundedStart(source);
  const step =
    setting.noise > 0 ? noisyStep(gradients, weights, setting) : quietStep(gradients, weights, setting);
  return {
    async steps(batches) {
      const [start, busy] = [performance.now(), process.cpuUsage()];
      for (const batch of batches) step(batch);
      const [clock, { user, system }] = [performance.now() - start, process.cpuUsage(busy)];
      return { clock: clock / batches.length, processor: (user + system) / 1000 / batches.length };
    },
    weights: async () => weights,
  };
}

/** The clipped sum over a batch at the first weights, and how many units were not clipped. Opened as an audit would. */
export async function ourSum(source, batch, clip) {
  const gradients = await openGradients(source);
  const { sums, unclipped } = openExact(gradients.sum(roundedStart(source), batch, clip));
  return { sums: sums.map((each) => (each * clip) / 2 ** 20), unclipped };
}

/** Weights to start from that the peers have too: 32-bit floats. */
export const roundedStart = (source) => Float64Array.from(Float32Array.from(startWeights(source)));

const quietStep =
  (gradients, weights, { clip, rate }) =>
  (batch) =>
    trainStep(gradients, weights, batch, { clip, rate });

/** What training does: the mechanism opens the sums and adds exact noise from secure coins. */
function noisyStep(gradients, weights, { clip, rate, noise, batch: expected }) {
  const { parameters } = gradients;
  const law = gaussianOf(ratio(BigInt(Math.round(1000 * noise)), 1000n), 1n << 40n);
  const release = gradientReleaser(
    { parameters, countWeight: 0, noise: law },
    trainingDraws(secureEntropy()),
  );
  const scale = (rate * clip) / (2 ** 20 * expected);
  return (batch) => {
    const { sums } = release(gradients.sum(weights, batch, clip));
    for (let i = 0; i < parameters; i++) weights[i] -= scale * sums[i];
  };
}
