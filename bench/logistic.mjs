// logistic.adult.<figure>: a linear classifier by noisy gradients of all rows at ε 1, δ 1e-5 on two thirds of a table, judged on the rest: means over 5 splits.
//   accuracy: beside it, as the peer, the same training at ε 10⁴.
//   seconds: the slowest of the 5 trainings, with the plan and the reading of the records into arrays, on one thread.   epsilon: the plan's certified price.
// The table is that of `boosting`: --data FILE, LETHE_ADULT, or an invented one. --splits N: 5 unless stated.

import { secureEntropy } from "@lethe/core";
import { planPrice, privatePlan, train, trainingDraws } from "@lethe/learn/gradients";
import { openGradients, openOutputs, readNetwork, rowUnits } from "@lethe/learn/kernels";
import { adultTable, income, named, ordered, splitsOf } from "./adult/records.mjs";
import { figure } from "./figure.mjs";

const delta = 1e-5;
const steps = 80;
/** Numbers of a row are within 0 and 1, and 7 of its names are 1: a row's norm is at most √14 with the constant. */
const inputs = Object.keys(ordered).length + Object.values(named).reduce((sum, size) => sum + size, 0);
const network = {
  ...{ version: 1, input: [inputs], loss: "softmax-cross-entropy" },
  layers: [{ layer: "linear", outputs: 2 }],
};

export default async function bench(options) {
  const splits = options.includes("--splits") ? Number(options[options.indexOf("--splits") + 1]) : 5;
  const { source, records } = adultTable(options);
  const found = { private: [], free: [] };
  for (const split of splitsOf(records, splits)) {
    found.private.push(await judged(split, 1));
    found.free.push(await judged(split, 1e4));
  }
  const mean = (runs) => runs.reduce((sum, { accuracy }) => sum + accuracy, 0) / runs.length;
  figure(`logistic.${source}.accuracy`, mean(found.private), "share", mean(found.free));
  for (const [name, unit] of [
    ["seconds", "s"],
    ["epsilon", "ε"],
  ])
    figure(`logistic.${source}.${name}`, Math.max(...found.private.map((run) => run[name])), unit);
}

/** Plans, reads and trains on one part, and tells how many classes of the other are right. */
async function judged({ train: rows, test }, epsilon) {
  const start = performance.now();
  const plan = privatePlan({
    model: { name: "logistic", parameters: readNetwork(network).parameters },
    loss: network.loss,
    adjacency: "add-or-remove-one",
    // A public size of the table, and the divisor; under add-or-remove it is not counted.
    units: 32_000,
    sampler: "full",
    clip: 1,
    ...{ epsilon, delta, steps },
  });
  const data = encoded(rows);
  const gradients = await openGradients({ network, rows: { ...data, offsets: rowUnits(rows.length) } });
  const first = new Float64Array(plan.model.parameters);
  let weights = first;
  for await (const step of train(plan, gradients, trainingDraws(secureEntropy()), {
    ...{ start: first, optimizer: { kind: "sgd", rate: 6, momentum: 0.9 } },
    ...{ charge: "bench", keep: () => true, every: steps },
  }))
    weights = step.weights;
  const seconds = (performance.now() - start) / 1000;
  const judgedBy = encoded(test);
  const outputs = (await openOutputs(network)).outputs(weights, judgedBy.inputs);
  const right = judgedBy.labels.filter(
    (label, row) => outputs[2 * row + 1] > outputs[2 * row] === (label === 1),
  ).length;
  return { accuracy: right / test.length, seconds, epsilon: planPrice(plan).epsilon };
}

/** Numbers scaled to 0 … 1 by their public bounds, and a 1 at the place of each name. */
function encoded(records) {
  const data = {
    inputs: new Float32Array(records.length * inputs),
    labels: new Float32Array(records.length),
  };
  for (const [row, record] of records.entries()) {
    let at = row * inputs;
    for (const [name, size] of Object.entries(ordered)) data.inputs[at++] = record[name] / (size - 1);
    for (const [name, size] of Object.entries(named)) {
      data.inputs[at + record[name]] = 1;
      at += size;
    }
    data.labels[row] = record[income];
  }
  return data;
}
