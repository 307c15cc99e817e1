import { networks } from "../learn/networks.mjs";

/** The network of Papernot et al. 2020: that of Opacus with tanh, and a narrower border. */
const tanhCnn = {
  ...networks.cnn,
  layers: networks.cnn.layers.map((each) => {
    if (each.layer === "relu") return { layer: "tanh" };
    return each.padding === 3 ? { ...each, padding: 2 } : each;
  }),
};

/** Opacus' own normalisation of MNIST: numbers that its example publishes. */
const opacusPixels = { mean: 0.1307, deviation: 0.3081 };

/** Opacus' example for MNIST: batches of 240 on average. What it publishes of accuracy and ε is the peer. */
const opacus = (noise, epochs, clip, rate, published) => ({
  ...{ network: networks.cnn, pixels: opacusPixels, batch: 240 },
  ...{ noise, epochs, clip, optimizer: { kind: "sgd", rate }, published },
});

/** What is trained, and what was published of it. */
export const settings = {
  "opacus-15": opacus(1.3, 15, 1.5, 0.25, { accuracy: 94.63, epsilon: 1.19 }),
  "opacus-60": opacus(1.1, 60, 1, 0.15, { accuracy: 96.78, epsilon: 3.01 }),
  "opacus-45": opacus(0.7, 45, 1.5, 0.25, { accuracy: 97.09, epsilon: 7.1 }),
  // Tramèr & Boneh 2021 (arXiv 2011.11660): 40 epochs of batches of 512, momentum .9, clip .1; the least noise for ε 3.
  tanh: {
    ...{ network: tanhCnn, pixels: { mean: 0, deviation: 1 }, batch: 512, epsilon: 3, epochs: 40, clip: 0.1 },
    ...{ optimizer: { kind: "sgd", rate: 0.5, momentum: 0.9 }, published: { accuracy: 98.1, epsilon: 3 } },
  },
  // The same paper: a linear model of scattering features in 27 groups of channels, batches of 4096.
  scattering: {
    network: {
      ...{ version: 1, input: [7 * 7 * 81], loss: "softmax-cross-entropy" },
      layers: [{ layer: "linear", outputs: 10 }],
    },
    ...{ pixels: { mean: 0, deviation: 1 }, groups: 27, batch: 4096, epsilon: 3, epochs: 40, clip: 0.1 },
    ...{ optimizer: { kind: "sgd", rate: 8, momentum: 0.9 }, published: { accuracy: 98.7, epsilon: 3 } },
  },
};
