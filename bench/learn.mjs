// learn.step.<lr|mlp|cnn>: milliseconds of one step of private training on 256 units, one thread: forward, backward, clip, sum, update; the noise
//   is a figure of its own. 784→10, 784→128→10, and Opacus' network for MNIST. Targets: 1, 12, 18.
// learn.step.<name>.two-threads: the same on two threads, with the same bytes; its peer is one thread, so that a ratio of 0.59 is 1.7 times as fast.
// learn.memory.<name>: the most resident bytes of a process with batches of 8192; its peer is one with batches of 64.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { laneMemory, openGradients, sharedLane } from "@lethe/learn/kernels";
import { figure, median } from "./figure.mjs";
import { networks } from "./learn/networks.mjs";
import { makeSource, startWeights, trainStep } from "./learn/step.mjs";

const batchSize = 256;
const rows = 4096;
/** Milliseconds of steps of each side that are timed, and of one side before the other's turn: a training makes many in a row. */
const timed = 2000;
const turn = 250;
/** Steps that are not timed: the engine compiles, threads are placed. */
const warmUp = 60;

/** The batch of a step. */
const batchOf = (step) =>
  Uint32Array.from({ length: batchSize }, (_, i) => (step * batchSize + i * 5) % rows);

/** Milliseconds of each side's step, by turns, and its weights after all of them. */
function inTurns(source, sides) {
  const runs = sides.map((gradients) => ({ gradients, weights: startWeights(source), times: [] }));
  const make = ({ gradients, weights, times }, first, steps) => {
    for (let step = first; step < first + steps; step++) {
      const start = performance.now();
      trainStep(gradients, weights, batchOf(step));
      times.push(performance.now() - start);
    }
  };
  for (const run of runs) make(run, 0, warmUp);
  const steps = Math.ceil(turn / median(runs[0].times));
  for (const run of runs) run.times.length = 0;
  for (let at = 0; at < timed / turn; at++) for (const run of runs) make(run, warmUp + at * steps, steps);
  return runs;
}

async function twoThreads(source, parameters) {
  const memory = laneMemory(parameters, rows);
  const worker = new Worker(new URL("learn/lane-worker.mjs", import.meta.url), {
    workerData: { memory, source },
  });
  await once(worker, "message");
  const lane = sharedLane(memory);
  const gradients = await openGradients({ ...source, lanes: [lane] });
  return {
    gradients,
    stop: async () => {
      lane.close();
      await worker.terminate();
    },
  };
}

function checkSame(name, a, b) {
  if (a.some((value, i) => value !== b[i])) throw new Error(`${name}: two threads end on other weights`);
}

function peakBytes(name, batch) {
  const script = fileURLToPath(new URL("learn/memory.mjs", import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, name, String(batch)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

export default async function bench(options = []) {
  const only = options.includes("--only") ? options[options.indexOf("--only") + 1] : null;
  for (const name of Object.keys(networks).filter((each) => only === null || each === only)) {
    const source = makeSource(name, rows);
    const single = await openGradients(source);
    const [alone] = inTurns(source, [single]);
    figure(`learn.step.${name}`, median(alone.times), "ms");
    const both = await twoThreads(source, single.parameters);
    const [one, two] = inTurns(source, [single, both.gradients]);
    checkSame(name, one.weights, two.weights);
    figure(`learn.step.${name}.two-threads`, median(two.times), "ms", median(one.times));
    await both.stop();
    figure(`learn.memory.${name}`, peakBytes(name, 8192), "bytes", peakBytes(name, 64));
  }
}
