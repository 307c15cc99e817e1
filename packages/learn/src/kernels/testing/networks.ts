import type { Layer, Loss, Network, Shape } from "../network/network.ts";

const network = (input: Shape, layers: readonly Layer[], loss: Loss): Network => ({
  version: 1,
  input,
  layers,
  loss,
});

/** Opacus' network for MNIST. */
export const cnn: Network = network(
  [28, 28, 1],
  [
    { layer: "conv2d", channels: 16, kernel: 8, stride: 2, padding: 3 },
    { layer: "relu" },
    { layer: "max-pool2d", kernel: 2, stride: 1 },
    { layer: "conv2d", channels: 32, kernel: 4, stride: 2, padding: 0 },
    { layer: "relu" },
    { layer: "max-pool2d", kernel: 2, stride: 1 },
    { layer: "flatten" },
    { layer: "linear", outputs: 32 },
    { layer: "relu" },
    { layer: "linear", outputs: 10 },
  ],
  "softmax-cross-entropy",
);

/** Small networks in which every layer and every loss occurs, with sizes that fill no vector. */
export const smallNetworks: Readonly<Record<string, Network>> = {
  "logistic regression": network([5], [{ layer: "linear", outputs: 1 }], "binary-logistic"),
  "softmax regression": network([13], [{ layer: "linear", outputs: 10 }], "softmax-cross-entropy"),
  perceptron: network(
    [11],
    [
      { layer: "linear", outputs: 17 },
      { layer: "tanh" },
      { layer: "linear", outputs: 6 },
      { layer: "sigmoid" },
      { layer: "linear", outputs: 3 },
    ],
    "squared-error",
  ),
  convolutions: network(
    [9, 8, 3],
    [
      { layer: "conv2d", channels: 5, kernel: 3, stride: 2, padding: 2 },
      { layer: "tanh" },
      { layer: "conv2d", channels: 7, kernel: 2, stride: 1, padding: 1 },
      { layer: "group-norm", groups: 7 },
      { layer: "relu" },
      { layer: "avg-pool2d", kernel: 2, stride: 1 },
      { layer: "max-pool2d", kernel: 3, stride: 2 },
      { layer: "flatten" },
      { layer: "linear", outputs: 4 },
    ],
    "softmax-cross-entropy",
  ),
  "wide convolutions": network(
    [6, 6, 4],
    [
      { layer: "conv2d", channels: 12, kernel: 3, stride: 1, padding: 0 },
      { layer: "group-norm", groups: 3 },
      { layer: "sigmoid" },
      { layer: "max-pool2d", kernel: 2, stride: 1 },
      { layer: "conv2d", channels: 8, kernel: 2, stride: 1, padding: 0 },
      { layer: "avg-pool2d", kernel: 2, stride: 2 },
      { layer: "layer-norm" },
      { layer: "flatten" },
      { layer: "linear", outputs: 2 },
    ],
    "squared-error",
  ),
  "places that no window reads": network(
    [12, 9, 2],
    [
      { layer: "sigmoid" },
      { layer: "conv2d", channels: 3, kernel: 3, stride: 1, padding: 1 },
      { layer: "tanh" },
      { layer: "avg-pool2d", kernel: 3, stride: 2 },
      { layer: "max-pool2d", kernel: 2, stride: 2 },
      { layer: "flatten" },
      { layer: "linear", outputs: 2 },
    ],
    "softmax-cross-entropy",
  ),
  "words in a row": network(
    [6],
    [
      { layer: "embedding", entries: 9, width: 5 },
      { layer: "layer-norm" },
      { layer: "flatten" },
      { layer: "linear", outputs: 7 },
      { layer: "layer-norm" },
      { layer: "relu" },
      { layer: "linear", outputs: 3 },
    ],
    "softmax-cross-entropy",
  ),
};
