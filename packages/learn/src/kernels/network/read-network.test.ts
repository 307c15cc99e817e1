import { LetheError } from "@lethe/core/errors";
import { describe, expect, it } from "vitest";
import { cnn, smallNetworks } from "../testing/networks.ts";
import { readNetwork } from "./read-network.ts";

function refusal(description: unknown): string {
  try {
    readNetwork(description);
  } catch (error) {
    if (error instanceof LetheError) return `${error.code}: ${error.message} (${error.fix})`;
    throw error;
  }
  return "accepted";
}

const softmax = (input: readonly number[], ...layers: readonly object[]): object => ({
  version: 1,
  input,
  layers,
  loss: "softmax-cross-entropy",
});

describe("a network", () => {
  it("has the shapes and the weights of its layers", () => {
    const { layers, parameters, inputs, outputs, labels } = readNetwork(cnn);
    expect({ parameters, inputs, outputs, labels }).toEqual({
      parameters: 26_010,
      inputs: 784,
      outputs: 10,
      labels: 1,
    });
    expect(layers.map(({ output }) => output.join("×"))).toEqual([
      "14×14×16",
      "14×14×16",
      "13×13×16",
      "5×5×32",
      "5×5×32",
      "4×4×32",
      "512",
      "32",
      "32",
      "10",
    ]);
    expect(layers.filter((layer) => layer.parameters > 0).map(({ offset }) => offset)).toEqual([
      0, 1040, 9264, 25_680,
    ]);
  });

  it.each(Object.entries(smallNetworks))("reads back from JSON to the same: %s", (_name, description) => {
    const checked = readNetwork(description);
    expect(readNetwork(JSON.parse(JSON.stringify(checked.network)))).toEqual(checked);
  });

  it("has defaults: a step of 1 and no padding, windows side by side", () => {
    const { network } = readNetwork(
      softmax(
        [8, 8, 1],
        { layer: "conv2d", channels: 2, kernel: 3 },
        { layer: "max-pool2d", kernel: 2 },
        { layer: "flatten" },
        { layer: "linear", outputs: 2 },
      ),
    );
    expect(network.layers.slice(0, 2)).toEqual([
      { layer: "conv2d", channels: 2, kernel: 3, stride: 1, padding: 0 },
      { layer: "max-pool2d", kernel: 2, stride: 2 },
    ]);
  });
});

describe("a network is refused", () => {
  it("with batch normalization, because it mixes units", () => {
    for (const layer of ["batch-norm", "BatchNorm2d", "batchnorm"]) {
      expect(refusal(softmax([4], { layer }, { layer: "linear", outputs: 2 }))).toMatch(
        /^model\.invalid: layers\[0\] .*mixes units.*\(write .*"group-norm"/,
      );
    }
  });

  it.each<readonly [unknown, string]>([
    [null, "network is not an object"],
    [{ ...cnn, version: 2 }, "version must be 1"],
    [{ ...cnn, seed: 3 }, 'network has an unknown key "seed"'],
    [{ ...cnn, input: [28, 28] }, "input is no shape"],
    [{ ...cnn, input: [28, 0, 1] }, "input[1] must be a whole number from 1"],
    [{ ...cnn, layers: {} }, "layers is not a list"],
    [{ ...cnn, loss: "hinge" }, "loss is no known loss"],
    [{ ...cnn, loss: "binary-logistic" }, "loss binary-logistic takes a vector of 1, and is given [10]"],
    [softmax([4], { layer: "linear", outputs: 1 }), "takes a vector of at least 2, and is given [1]"],
    [softmax([4], { layer: "linear", output: 2 }), 'layers[0] has an unknown key "output"'],
    [softmax([4], { layer: "linear", outputs: 2.5 }), "layers[0].outputs must be a whole number"],
    [softmax([4], { layer: "dropout" }), "layers[0] is no known layer"],
    [softmax([4], { layer: "toString" }), "layers[0] is no known layer"],
    [softmax([4, 4, 1], { layer: "linear", outputs: 2 }), "layers[0] takes a vector, and is given [4, 4, 1]"],
    [softmax([4], { layer: "conv2d", channels: 2, kernel: 2 }), "layers[0] takes [height, width, channels]"],
    [softmax([4, 4, 1], { layer: "max-pool2d", kernel: 5 }), "has a kernel of 5 on a side of 4"],
    [softmax([4, 4, 3], { layer: "group-norm", groups: 2 }), "splits 3 channels into 2 groups"],
    [
      softmax([4], { layer: "linear", outputs: 4 }, { layer: "embedding", entries: 4, width: 2 }),
      "layers[1] is an embedding behind other layers",
    ],
    [softmax([4], { layer: "relu" }), "layers have no weights"],
    [softmax([4096], { layer: "linear", outputs: 4096 }), "layers have 16781312 weights"],
    [softmax([8_000_000], { layer: "flatten" }, { layer: "linear", outputs: 9 }), "weights (take fewer"],
    [softmax([4000, 4000, 9], { layer: "flatten" }), "input has 144000000 entries"],
  ])("%#", (description, message) => {
    expect(refusal(description)).toContain("model.invalid: ");
    expect(refusal(description)).toContain(message);
  });
});
