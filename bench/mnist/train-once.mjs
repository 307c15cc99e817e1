import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { SeededSource, trainingDrawsFrom } from "@lethe/core/tape";
import { planPrice, privatePlan, train } from "@lethe/learn/gradients";
import {
  initialWeights,
  laneMemory,
  openGradients,
  openOutputs,
  readNetwork,
  rowUnits,
  sharedLane,
} from "@lethe/learn/kernels";

/** The public number of units that plans are made for. */
const units = 60_000;
const delta = 1e-5;

/** The plan of a setting, and its certified price. */
export function planOf({ network, batch, noise, epsilon, epochs, clip }) {
  const plan = privatePlan({
    model: { name: "mnist", parameters: readNetwork(network).parameters },
    loss: network.loss,
    adjacency: "add-or-remove-one",
    units,
    sampler: "poisson",
    rate: `${batch}/${units}`,
    clip,
    ...(noise === undefined ? { epsilon } : { noise }),
    delta,
    steps: Math.round((epochs * units) / batch),
  });
  return { plan, price: planPrice(plan).epsilon };
}

/** Trains once, by the road of a user, and gives the share of the public test pictures that are read right, in percent. */
export async function trainOnce(setting, plan, { train: rows, test }, { seed, threads }) {
  const { network, optimizer } = setting;
  const source = { network, rows: { ...rows, offsets: rowUnits(rows.labels.length) } };
  const lanes = await Promise.all(
    Array.from({ length: threads - 1 }, () => openLane(source, plan.model.parameters)),
  );
  const gradients = await openGradients({ ...source, lanes: lanes.map(({ lane }) => lane) });
  const coins = new SeededSource(seed);
  const start = initialWeights(network, () => coins.word() / 2 ** 32);
  let weights = start;
  const draws = trainingDrawsFrom(coins);
  for await (const step of train(plan, gradients, draws, {
    ...{ charge: "bench", start, optimizer, keep: () => true, every: plan.steps },
  }))
    weights = step.weights;
  for (const { stop } of lanes) await stop();
  return accuracy(await openOutputs(network), weights, test);
}

function accuracy(network, weights, { inputs, labels }) {
  const outputs = network.outputs(weights, inputs);
  const classes = outputs.length / labels.length;
  let right = 0;
  for (let row = 0; row < labels.length; row++) {
    const own = outputs.subarray(row * classes, (row + 1) * classes);
    if (own.indexOf(Math.max(...own)) === labels[row]) right++;
  }
  return (100 * right) / labels.length;
}

async function openLane(source, parameters) {
  const memory = laneMemory(parameters, source.rows.labels.length);
  const worker = new Worker(new URL("../learn/lane-worker.mjs", import.meta.url), {
    workerData: { memory, source },
  });
  await once(worker, "message");
  const lane = sharedLane(memory);
  const stop = async () => {
    lane.close();
    await worker.terminate();
  };
  return { lane, stop };
}
