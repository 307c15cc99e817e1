import { readObject, readSize, unfit } from "./fields.ts";
import { layerShape, sizeOf } from "./layer-shape.ts";
import type { Layer, Loss, Network, Shape } from "./network.ts";
import { readLayer } from "./read-layer.ts";

/** A layer whose shapes fit those around it. */
export interface PlacedLayer {
  readonly layer: Layer;
  readonly input: Shape;
  readonly output: Shape;
  /** The shapes of its weights, in order. */
  readonly weights: readonly Shape[];
  /** The place of its first weight in the vector of parameters. */
  readonly offset: number;
  /** The number of its weights. */
  readonly parameters: number;
}

/** A network whose shapes were checked. */
export interface CheckedNetwork {
  /** The description with every default written out: as JSON it reads back to the same. */
  readonly network: Network;
  readonly layers: readonly PlacedLayer[];
  /** The number of weights. */
  readonly parameters: number;
  /** Entries of one example. */
  readonly inputs: number;
  /** The length of the last layer's vector. */
  readonly outputs: number;
  /** Labels of one row. */
  readonly labels: number;
}

/** Sums of squares and norms are proven for vectors shorter than this. */
const mostParameters = 2 ** 23;

const losses: Readonly<Record<Loss, { readonly least: number; readonly most: number }>> = {
  "softmax-cross-entropy": { least: 2, most: mostParameters },
  "binary-logistic": { least: 1, most: 1 },
  "squared-error": { least: 1, most: mostParameters },
};

const isLoss = (loss: unknown): loss is Loss => typeof loss === "string" && Object.hasOwn(losses, loss);

/**
 * Reads a network strictly, and checks that every layer fits the one before it.
 * Errors: model.invalid, naming the place, for an unknown key or layer, a shape that does not fit, batch normalization, no weights, and 2^23 of
 * them or more.
 * @example readNetwork({ version: 1, input: [784], layers: [{ layer: "linear", outputs: 10 }], loss: "softmax-cross-entropy" }).parameters // => 7850
 */
export function readNetwork(description: unknown): CheckedNetwork {
  const fields = readObject(description, ["version", "input", "layers", "loss"], "network");
  if (fields.version !== 1) throw unfit("version", "must be 1", "write version: 1");
  const input = readShape(fields.input);
  if (!Array.isArray(fields.layers)) throw unfit("layers", "is not a list", "write a list of layers");
  const layers = placed(
    fields.layers.map((layer, at) => readLayer(layer, `layers[${at}]`)),
    input,
  );
  const { loss } = fields;
  if (!isLoss(loss))
    throw unfit("loss", "is no known loss", `write one of ${Object.keys(losses).join(", ")}`);
  const output = layers.at(-1)?.output ?? input;
  const outputs = sizeOf(output);
  const { least, most } = losses[loss];
  if (output.length !== 1 || outputs < least || outputs > most) {
    const wanted = least === most ? `a vector of ${least}` : `a vector of at least ${least}`;
    throw unfit("loss", `${loss} takes ${wanted}, and is given [${output.join(", ")}]`, `end on ${wanted}`);
  }
  const parameters = layers.reduce((sum, layer) => sum + layer.parameters, 0);
  if (parameters === 0) throw unfit("layers", "have no weights", "put a linear layer among them");
  if (parameters >= mostParameters)
    throw unfit("layers", `have ${parameters} weights`, `take fewer than ${mostParameters}`);
  return {
    network: { version: 1, input, layers: layers.map(({ layer }) => layer), loss },
    layers,
    parameters,
    inputs: sizeOf(input),
    outputs,
    labels: loss === "squared-error" ? outputs : 1,
  };
}

function readShape(value: unknown): Shape {
  if (!Array.isArray(value) || (value.length !== 1 && value.length !== 3))
    throw unfit("input", "is no shape", "write input: [length] or [height, width, channels]");
  const shape = value.map((size, at) => readSize(size, `input[${at}]`));
  return checkedSize(shape, "input");
}

function checkedSize(shape: Shape, place: string): Shape {
  if (sizeOf(shape) < mostParameters) return shape;
  throw unfit(place, `has ${sizeOf(shape)} entries`, `keep it below ${mostParameters}`);
}

function placed(layers: readonly Layer[], input: Shape): readonly PlacedLayer[] {
  const found: PlacedLayer[] = [];
  let shape = input;
  let offset = 0;
  for (const [at, layer] of layers.entries()) {
    const place = `layers[${at}]`;
    if (layer.layer === "embedding" && at > 0)
      throw unfit(place, "is an embedding behind other layers", "put the embedding first");
    const { output, weights } = layerShape(layer, shape, place);
    const parameters = weights.reduce((sum, each) => sum + sizeOf(each), 0);
    found.push({ layer, input: shape, output: checkedSize(output, place), weights, offset, parameters });
    shape = output;
    offset += parameters;
  }
  return found;
}
