import { expect, it } from "vitest";
import type { Network } from "../network/network.ts";
import { readNetwork } from "../network/read-network.ts";
import { cnn, smallNetworks } from "../testing/networks.ts";
import { layersAsRead } from "./layers-as-read.ts";

const outputs = (network: unknown) => layersAsRead(readNetwork(network).layers).map(({ output }) => output);
const { convolutions, "places that no window reads": unread } = smallNetworks;

it("of Opacus' network the second convolution reaches 12 places of a side, and so the first is asked for 13 of 14", () => {
  const shapes = outputs(cnn);
  expect(shapes.slice(0, 4)).toEqual([
    [13, 13, 16],
    [13, 13, 16],
    [12, 12, 16],
    [5, 5, 32],
  ]);
});

it("windows behind windows ask for less and less; a function of the input's own entries gives all of them", () => {
  expect(outputs(unread).slice(0, 5)).toEqual([
    [12, 9, 2],
    [9, 9, 3],
    [9, 9, 3],
    [4, 4, 3],
    [2, 2, 3],
  ]);
});

it("a norm needs the whole picture", () => {
  const { layers } = readNetwork(convolutions);
  const read = outputs(convolutions);
  expect(read.slice(0, 4)).toEqual(layers.slice(0, 4).map(({ output }) => output));
});

it("a window that lies in the padding alone still has an input", () => {
  const network: Network = {
    ...{ version: 1, input: [3, 3, 1], loss: "softmax-cross-entropy" },
    layers: [
      { layer: "conv2d", channels: 2, kernel: 1, stride: 1, padding: 0 },
      { layer: "conv2d", channels: 2, kernel: 1, stride: 7, padding: 2 },
      { layer: "flatten" },
    ],
  };
  expect(outputs(network).slice(0, 2)).toEqual([
    [1, 1, 2],
    [1, 1, 2],
  ]);
});
