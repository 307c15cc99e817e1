import { describe, expect, it } from "vitest";
import { initialWeights } from "./initial-weights.ts";
import { readNetwork } from "./network/read-network.ts";
import { openOutputs } from "./open-outputs.ts";
import { referenceNetwork } from "./reference/reference-network.ts";
import { made, numbers, rowOf } from "./testing/made-rows.ts";
import { cnn, smallNetworks } from "./testing/networks.ts";

describe.each([...Object.entries(smallNetworks), ["Opacus' network", cnn] as const])(
  "%s",
  (_name, network) => {
    it("begins with one weight for each that it has, and is then of use", async () => {
      const weights = initialWeights(network, numbers(3).uniform);
      const { network: checked, rows } = made(network, [1], 4);
      expect(weights.length).toBe(checked.parameters);
      const [input] = rowOf(checked, rows, 0);
      const expected = referenceNetwork(checked).outputs(weights, input);
      const found = (await openOutputs(network)).outputs(weights, input);
      expect(found.length).toBe(checked.outputs);
      for (const [i, z] of found.entries()) expect(z).toBeCloseTo(expected[i] ?? Number.NaN, 4);
    });
  },
);

it("linear layers begin within ±1/√inputs, norms with gains of 1", () => {
  const network = { version: 1, input: [16], loss: "binary-logistic" };
  const linear = initialWeights({ ...network, layers: [{ layer: "linear", outputs: 1 }] }, () => 0);
  expect([...linear]).toEqual(new Array(17).fill(-0.25));
  const layers = [{ layer: "layer-norm" }, { layer: "linear", outputs: 1 }];
  expect([...initialWeights({ ...network, layers }, () => 0.5)].slice(0, 33)).toEqual([
    ...new Array(16).fill(1),
    ...new Array(17).fill(0),
  ]);
});

it("outputs are refused for half a row and for other weights", async () => {
  const { outputs } = await openOutputs(cnn);
  const { parameters } = readNetwork(cnn);
  expect(() => outputs(new Float64Array(parameters), new Float32Array(785))).toThrow(/a multiple of 784/);
  expect(() => outputs(new Float64Array(3), new Float32Array(784))).toThrow(/weights' length must be 26010/);
});
