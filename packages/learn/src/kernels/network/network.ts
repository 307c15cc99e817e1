/**
 * A network, as JSON: the shape of one example, layers in order, and the loss that is made small. Data that lies in a plane is [height, width,
 * channels]: channels last, in inputs, weights and what `flatten` makes of it.
 */
export interface Network {
  readonly version: 1;
  /** One example: [length], or [height, width, channels]; of indices into an embedding, [length]. */
  readonly input: Shape;
  readonly layers: readonly Layer[];
  readonly loss: Loss;
}

/** Sizes, each a positive integer. */
export type Shape = readonly number[];

/** One layer. Its weights, in their order, stand behind those of the layers before it in the vector of parameters. */
export type Layer =
  /** y = x·W + b. W is inputs × outputs, by rows; then b. */
  | { readonly layer: "linear"; readonly outputs: number }
  /** A square kernel. W is [kernel row, kernel column, input channel, channel]; then one bias a channel. `stride` is 1 and `padding` 0 unless stated. */
  | {
      readonly layer: "conv2d";
      readonly channels: number;
      readonly kernel: number;
      readonly stride: number;
      readonly padding: number;
    }
  /** The largest, or the mean, of square windows; `stride` is the kernel's size unless stated. Windows that leave the picture are left out. */
  | { readonly layer: "max-pool2d"; readonly kernel: number; readonly stride: number }
  | { readonly layer: "avg-pool2d"; readonly kernel: number; readonly stride: number }
  /** Wu & He 2018: each group of an example's channels gets mean 0 and variance 1 (plus 1e-5); then one gain, and one bias, a channel. */
  | { readonly layer: "group-norm"; readonly groups: number }
  /** Ba, Kiros & Hinton 2016: the same over the last dimension at every place; then its gains, and its biases. */
  | { readonly layer: "layer-norm" }
  /** The rows of a table of `entries` × `width`, by whole numbers below `entries`. The first layer, or none. */
  | { readonly layer: "embedding"; readonly entries: number; readonly width: number }
  | { readonly layer: "relu" }
  | { readonly layer: "tanh" }
  | { readonly layer: "sigmoid" }
  /** Makes one vector of an example. */
  | { readonly layer: "flatten" };

/** The last layer gives a vector z. */
export type Loss =
  /** −ln of the label's share of softmax(z). One label a row: a whole number below the length of z, which is at least 2. */
  | "softmax-cross-entropy"
  /** The same for two classes and one z: the label is 0 or 1. */
  | "binary-logistic"
  /** ½·‖z − label‖². As many labels a row as z is long. */
  | "squared-error";
