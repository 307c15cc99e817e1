import { openExact } from "@lethe/core/tape";
import { readNetwork, rowUnits } from "@lethe/learn/kernels";
import { networks } from "./networks.mjs";

/** Made pictures: a step takes the same time whatever they show. In shared memory, so that threads read one copy. */
export function makeSource(name, rows) {
  const shared = (length) => new Float32Array(new SharedArrayBuffer(4 * length));
  const inputs = shared(784 * rows);
  const labels = shared(rows);
  let state = 1;
  for (let i = 0; i < inputs.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    inputs[i] = state > 2 ** 31 ? state / 2 ** 32 : 0;
  }
  for (let i = 0; i < rows; i++) labels[i] = (i * 7) % 10;
  return { network: networks[name], rows: { inputs, labels, offsets: rowUnits(rows) } };
}

/** Weights to start from. */
export function startWeights({ network }) {
  const { parameters } = readNetwork(network);
  return Float64Array.from({ length: parameters }, (_, i) => 0.05 * Math.sin(i + 1));
}

/**
 * One step of training but for its noise, which is another figure: forward, backward, clip, sum, update. `noise` is where that would be added to the
 * sums. The exact sums are opened as an audit would.
 */
export function trainStep(
  gradients,
  weights,
  batch,
  { clip = 1, rate = 0.05, noise = () => undefined } = {},
) {
  const { sums } = openExact(gradients.sum(weights, batch, clip));
  noise(sums);
  const step = (rate * clip) / (2 ** 20 * batch.length);
  for (let i = 0; i < weights.length; i++) weights[i] -= step * sums[i];
}
