const network = (input, layers) => ({ version: 1, input, layers, loss: "softmax-cross-entropy" });

/** The networks whose steps are timed: on pictures of 28 × 28, with ten classes. */
export const networks = {
  lr: network([784], [{ layer: "linear", outputs: 10 }]),
  mlp: network(
    [784],
    [{ layer: "linear", outputs: 128 }, { layer: "relu" }, { layer: "linear", outputs: 10 }],
  ),
  // Opacus' network for MNIST.
  cnn: network(
    [28, 28, 1],
    [
      { layer: "conv2d", channels: 16, kernel: 8, stride: 2, padding: 3 },
      { layer: "relu" },
      { layer: "max-pool2d", kernel: 2, stride: 1 },
      { layer: "conv2d", channels: 32, kernel: 4, stride: 2 },
      { layer: "relu" },
      { layer: "max-pool2d", kernel: 2, stride: 1 },
      { layer: "flatten" },
      { layer: "linear", outputs: 32 },
      { layer: "relu" },
      { layer: "linear", outputs: 10 },
    ],
  ),
};
