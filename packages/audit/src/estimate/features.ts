import { elementAt } from "@lethe/core/numeric";
import type { Output } from "../subject.ts";
import { firstAbove } from "./first-above.ts";

/** A number of an output to which a threshold may be set; NaN where the output has none. */
export interface Feature {
  readonly describes: string;
  of(output: Output): number;
}

const buffer = new DataView(new ArrayBuffer(8));

/**
 * The exponent of the lowest bit that is set in a double: 0 for odd integers, −1074 at the finest. Sums of doubles lose low
 * bits where they are large, so it tells where rounding took place (Mironov 2012).
 */
export function lowestBit(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return Number.NaN;
  buffer.setFloat64(0, x);
  const [high, low] = [buffer.getUint32(0), buffer.getUint32(4)];
  const exponent = (high >>> 20) & 0x7ff;
  const trailing =
    low !== 0 ? 31 - Math.clz32(low & -low) : 32 + (31 - Math.clz32(high & 0xfffff & -(high & 0xfffff)));
  const digits = low !== 0 || (high & 0xfffff) !== 0 ? trailing : 52;
  return Math.max(1, exponent) - 1075 + digits;
}

const numberOf = (part: Output[number] | undefined): number =>
  part === undefined || typeof part === "string" ? Number.NaN : Number(part);
const numbersOf = (output: Output): number[] => output.map(numberOf).filter((x) => !Number.isNaN(x));
const total = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0);

const most = 8;

/** The features that may tell two neighbours apart, whatever the mechanism is. */
export const plainFeatures: readonly Feature[] = [
  ...Array.from(
    { length: most },
    (_, at): Feature => ({
      describes: `value ${at + 1}`,
      of: (output) => numberOf(output[at]),
    }),
  ),
  { describes: "|value 1|", of: (output) => Math.abs(numberOf(output[0])) },
  { describes: "the number of values", of: (output) => output.length },
  {
    describes: "the sum of values",
    of: (output) => (output.length > 1 ? total(numbersOf(output)) : Number.NaN),
  },
  {
    describes: "the largest value",
    of: (output) => (output.length > 1 ? Math.max(...numbersOf(output)) : Number.NaN),
  },
  {
    describes: "the number of different values",
    of: (output) => (output.length > 1 ? new Set(output).size : Number.NaN),
  },
  { describes: "the lowest bit of value 1", of: (output) => lowestBit(numberOf(output[0])) },
  { describes: "the lowest bit of value 2", of: (output) => lowestBit(numberOf(output[1])) },
];

const moreOutcomes = 4096;

/** Returns the log-ratio of the frequencies of whole outputs, where few different ones are seen; null otherwise. */
function outcomeRatio(left: readonly Output[], right: readonly Output[]): Feature | null {
  const name = (output: Output): string => output.join("|");
  const seen = new Map<string, [number, number]>();
  for (const [side, outputs] of [left, right].entries()) {
    for (const output of outputs) {
      const key = name(output);
      const counts = seen.get(key) ?? [0, 0];
      counts[side as 0 | 1] += 1;
      seen.set(key, counts);
      if (seen.size > moreOutcomes) return null;
    }
  }
  const ratios = new Map([...seen].map(([key, [p, q]]) => [key, Math.log((p + 0.5) / (q + 0.5))]));
  return {
    describes: "the outcomes' likelihood ratio",
    of: (output) => ratios.get(name(output)) ?? Number.NaN,
  };
}

const mostWeights = 64;

/**
 * Fisher's linear discriminant of independent values: the likelihood ratio, where noise is added to a shifted vector. Values are taken
 * from the middle between both sides' means, and one that an output does not have says nothing, so that outputs of any length compare.
 */
function linearRatio(left: readonly Output[], right: readonly Output[]): Feature | null {
  const longest = [...left, ...right].reduce((most, output) => Math.max(most, output.length), 0);
  const length = Math.min(longest, mostWeights);
  if (length < 2) return null;
  const terms = Array.from({ length }, (_, at) => {
    const [[a, v], [b, w]] = [moments(left, at), moments(right, at)];
    return { weight: (a - b) / (v + w + 1e-12), middle: (a + b) / 2 };
  });
  if (!terms.every(({ weight }) => Number.isFinite(weight))) return null;
  return {
    describes: "the linear likelihood ratio",
    of(output) {
      let sum = 0;
      for (const [at, { weight, middle }] of terms.entries()) {
        const x = numberOf(output[at]);
        if (!Number.isNaN(x)) sum += weight * (x - middle);
      }
      return sum;
    },
  };
}

/** Returns the mean and variance over the outputs that have a number at this place; 0 and 0 where none has. */
function moments(outputs: readonly Output[], at: number): [mean: number, variance: number] {
  let [count, sum, squares] = [0, 0, 0];
  for (const output of outputs) {
    const x = numberOf(output[at]);
    if (!Number.isFinite(x)) continue;
    count += 1;
    const step = x - sum / Math.max(1, count - 1);
    sum += x;
    squares += count === 1 ? 0 : step * (x - sum / count);
  }
  return [sum / Math.max(1, count), squares / Math.max(1, count)];
}

const mostBins = 32;

/** Returns the likelihood ratio of independent values: the sum of each value's own log-ratio of frequencies, by bins where it has many values. */
function valueRatios(left: readonly Output[], right: readonly Output[]): Feature | null {
  const longest = [...left, ...right].reduce((most, output) => Math.max(most, output.length), 0);
  if (longest < 2) return null;
  const tables = Array.from({ length: Math.min(longest, mostWeights) }, (_, at) => binsOf(left, right, at));
  return {
    describes: "the values' likelihood ratio",
    of(output) {
      let sum = 0;
      for (const [at, { cuts, ratios }] of tables.entries()) {
        const x = numberOf(output[at]);
        if (!Number.isNaN(x)) sum += elementAt(ratios, binOf(cuts, x));
      }
      return sum;
    },
  };
}

interface Bins {
  /** Rising: bin i holds what is at least cut i − 1 and below cut i. */
  readonly cuts: Float64Array;
  readonly ratios: Float64Array;
}

function binsOf(left: readonly Output[], right: readonly Output[], at: number): Bins {
  const [ofLeft, ofRight] = [numbersAt(left, at), numbersAt(right, at)];
  const sorted = Float64Array.from([...ofLeft, ...ofRight]).sort();
  const distinct = new Set(sorted);
  const cuts =
    distinct.size <= mostBins
      ? Float64Array.from(distinct)
      : Float64Array.from(
          new Set(
            Array.from({ length: mostBins }, (_, i) =>
              elementAt(sorted, Math.floor((i * sorted.length) / mostBins)),
            ),
          ),
        );
  const others = countsIn(cuts, ofRight);
  return { cuts, ratios: countsIn(cuts, ofLeft).map((p, bin) => Math.log(p / elementAt(others, bin))) };
}

function numbersAt(outputs: readonly Output[], at: number): readonly number[] {
  return outputs.map((output) => numberOf(output[at])).filter((x) => !Number.isNaN(x));
}

/** Returns how many numbers fall into each bin, and a half, so that no bin is empty. */
function countsIn(cuts: Float64Array, xs: readonly number[]): Float64Array {
  const found = new Float64Array(cuts.length + 1).fill(0.5);
  for (const x of xs) {
    const bin = binOf(cuts, x);
    found[bin] = elementAt(found, bin) + 1;
  }
  return found;
}

/** Returns the number of cuts that are at most x. */
function binOf(cuts: Float64Array, x: number): number {
  return firstAbove(cuts, (cut) => cut > x);
}

/** Features that are learned from one half of the samples. */
export function learnedFeatures(left: readonly Output[], right: readonly Output[]): Feature[] {
  return [outcomeRatio, linearRatio, valueRatios]
    .map((learn) => learn(left, right))
    .filter((each) => each !== null);
}
