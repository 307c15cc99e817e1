import { readPolicy } from "@lethe/query";
import { expect, it } from "vitest";
import { readNetworkTask } from "./read-network-task.ts";

const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      age: { type: integer, bounds: [18, 90] }
      wage: { type: number, bounds: [0, 100] }
      free: { type: number }
      sector: { type: text, categories: [a, b, c] }
      one: { type: text, categories: [a] }
      member: { type: boolean }
budget: { measure: approximate, epsilon: 10, delta: 1e-5 }
`);
const file = (rest: string): string => `version: 1\ntable: people\nmodel: network\n${rest}`;

it("reads a training, and fills in what is not stated", async () => {
  const text = file("where: age > 20\ntarget: member\nfeatures: [age, sector]\nunits: 500\n");
  expect(await readNetworkTask(text, policy)).toEqual({
    ...{ kind: "network", version: 1, source: "people", where: "age > 20" },
    target: { kind: "category", name: "member", categories: [false, true], nullable: true },
    features: [
      { kind: "number", name: "age", bounds: [18, 90], nullable: true },
      { kind: "category", name: "sector", categories: ["a", "b", "c"], nullable: true },
    ],
    network: {
      ...{ version: 1, input: [4], loss: "binary-logistic" },
      layers: [{ layer: "linear", outputs: 1 }],
    },
    ...{ units: 500, sampler: "poisson", rate: "1/10", steps: 200, clip: 1, seed: 1 },
    correlation: null,
    optimizer: { kind: "adam", rate: 0.05 },
  });
});

it("the last layer and the loss follow from the target", async () => {
  const read = async (target: string, more = "") =>
    (await readNetworkTask(file(`target: ${target}\nfeatures: [age]\nunits: 5\n${more}`), policy)).network;
  expect(await read("sector")).toMatchObject({
    layers: [{ layer: "linear", outputs: 3 }],
    loss: "softmax-cross-entropy",
  });
  expect(await read("wage", "layers: [{ layer: linear, outputs: 7 }, { layer: relu }]")).toMatchObject({
    layers: [{ layer: "linear", outputs: 7 }, { layer: "relu" }, { layer: "linear", outputs: 1 }],
    loss: "squared-error",
  });
});

it("reads pictures, rates as fractions, clips and correlations", async () => {
  const pixels = "target: member\nfeatures: [age, sector]\ninput: [2, 2, 1]\nunits: 5\n";
  const task = await readNetworkTask(
    file(
      `${pixels}layers: [{ layer: conv2d, channels: 2, kernel: 2 }, { layer: flatten }]\nclip: { perLayer: [1, 2] }\ncorrelation: { kind: blt, buffers: 2 }\nrate: 2/8\n`,
    ),
    policy,
  );
  expect(task).toMatchObject({ sampler: "cyclic", rate: "1/4", steps: 80, clip: { perLayer: [1, 2] } });
  expect(task.correlation).toMatchObject({ kind: "blt", decays: [expect.any(Number), expect.any(Number)] });
  const adaptive = await readNetworkTask(
    file(`${pixels.replace("input: [2, 2, 1]\n", "")}clip: { adaptive: { start: 1 } }\n`),
    policy,
  );
  expect(JSON.stringify(adaptive.clip)).toBe('{"adaptive":{"start":1}}');
});

const usual = "target: member\nfeatures: [age]\nunits: 5";
it.each([
  ["target: member\nfeatures: [age]", "units"],
  ["target: one\nfeatures: [age]\nunits: 5", "line 4, target"],
  ["target: member\nfeatures: [free]\nunits: 5", "line 5, features[0]"],
  ["target: member\nfeatures: [age, member]\nunits: 5", "line 5, features"],
  ["target: member\nfeatures: [age]\nunits: 0", "line 6, units"],
  [`${usual}\nwhere: age >`, "line 7, where"],
  [`${usual}\nclip: 0`, "line 7, clip"],
  [`${usual}\nclip: { perLayer: [1, 2] }`, "line 7, clip"],
  [`${usual}\nrate: 2`, "line 7, rate"],
  [`${usual}\nrate: 1/0`, "line 7, rate"],
  [`${usual}\nsteps: 1000001`, "line 7, steps"],
  [`${usual}\nsampler: shuffle`, "line 7, sampler"],
  [`${usual}\nsampler: truncated-poisson`, "line 7, sampler"],
  [`${usual}\noptimizer: { kind: sgd, rate: 0 }`, "line 7, optimizer"],
  [`${usual}\ncorrelation: { kind: pink }`, "line 7, correlation"],
  [`${usual}\nlayers: [{ layer: batch-norm }]`, "line 7, layers"],
  [`${usual}\nlayers: [{ layer: conv2d, channels: 1, kernel: 1 }]`, "line 7, layers"],
  [`${usual}\nlayers: [{ layer: embedding, entries: 3, width: 2 }]`, "line 7, layers"],
  [`${usual}\nlayers: [{ layer: linear, outputs: 200000 }]`, "line 7, layers"],
  [`${usual}\ninput: [28, 28, 1]`, "line 5, features"],
  [`${usual}\nepochs: 3`, 'unknown key "epochs"'],
])("refuses %j, and names the place", async (rest, place) => {
  await expect(readNetworkTask(file(rest), policy)).rejects.toMatchObject({
    code: "model.invalid",
    message: expect.stringContaining(place),
    fix: expect.stringMatching(/\S/),
  });
});
