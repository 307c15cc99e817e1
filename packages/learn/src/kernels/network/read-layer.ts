import { readObject, readSize, unfit } from "./fields.ts";
import type { Layer } from "./network.ts";

type Reader = (value: unknown, place: string) => Layer;

const bare =
  (layer: "relu" | "tanh" | "sigmoid" | "flatten" | "layer-norm"): Reader =>
  (value, place) => {
    readObject(value, ["layer"], place);
    return { layer };
  };

const pooling =
  (layer: "max-pool2d" | "avg-pool2d"): Reader =>
  (value, place) => {
    const fields = readObject(value, ["layer", "kernel", "stride"], place);
    const kernel = readSize(fields.kernel, `${place}.kernel`);
    return { layer, kernel, stride: readSize(fields.stride, `${place}.stride`, 1, kernel) };
  };

const readers: Readonly<Record<Layer["layer"], Reader>> = {
  linear: (value, place) => {
    const { outputs } = readObject(value, ["layer", "outputs"], place);
    return { layer: "linear", outputs: readSize(outputs, `${place}.outputs`) };
  },
  conv2d: (value, place) => {
    const fields = readObject(value, ["layer", "channels", "kernel", "stride", "padding"], place);
    return {
      layer: "conv2d",
      channels: readSize(fields.channels, `${place}.channels`),
      kernel: readSize(fields.kernel, `${place}.kernel`),
      stride: readSize(fields.stride, `${place}.stride`, 1, 1),
      padding: readSize(fields.padding, `${place}.padding`, 0, 0),
    };
  },
  "max-pool2d": pooling("max-pool2d"),
  "avg-pool2d": pooling("avg-pool2d"),
  "group-norm": (value, place) => {
    const { groups } = readObject(value, ["layer", "groups"], place);
    return { layer: "group-norm", groups: readSize(groups, `${place}.groups`) };
  },
  "layer-norm": bare("layer-norm"),
  embedding: (value, place) => {
    const { entries, width } = readObject(value, ["layer", "entries", "width"], place);
    return {
      layer: "embedding",
      entries: readSize(entries, `${place}.entries`),
      width: readSize(width, `${place}.width`),
    };
  },
  relu: bare("relu"),
  tanh: bare("tanh"),
  sigmoid: bare("sigmoid"),
  flatten: bare("flatten"),
};

const isKnown = (name: unknown): name is Layer["layer"] =>
  typeof name === "string" && Object.hasOwn(readers, name);

/** Layers whose output for one example depends on the other examples of its batch. */
const mixing = /^batch-?norm/i;

/** Reads one layer strictly. Errors: model.invalid. */
export function readLayer(value: unknown, place: string): Layer {
  const name = typeof value === "object" && value !== null && "layer" in value ? value.layer : undefined;
  if (isKnown(name)) return readers[name](value, place);
  if (typeof name === "string" && mixing.test(name)) {
    throw unfit(
      place,
      "normalizes over the batch, which mixes units: every unit's gradient would depend on all the others, and no clip of it bounds what one unit changes",
      'write { "layer": "group-norm", "groups": 8 }, which normalizes each example by itself',
    );
  }
  throw unfit(place, "is no known layer", `write "layer" as one of ${Object.keys(readers).join(", ")}`);
}
