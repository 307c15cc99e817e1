import type { Output } from "../subject.ts";

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

/** What may tell two neighbours apart, whatever the mechanism is. */
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

/** Log-ratio of the frequencies of the very output, where few are seen. */
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

/** Fisher's linear discriminant of independent values: the likelihood ratio, where noise is added to a shifted vector. */
function linearRatio(left: readonly Output[], right: readonly Output[]): Feature | null {
  const length = Math.min(left[0]?.length ?? 0, 64);
  if (length < 2) return null;
  const moments = (outputs: readonly Output[], at: number): [mean: number, variance: number] => {
    const xs = outputs.map((output) => numberOf(output[at])).filter(Number.isFinite);
    const mean = total(xs) / Math.max(1, xs.length);
    return [mean, total(xs.map((x) => (x - mean) ** 2)) / Math.max(1, xs.length)];
  };
  const weights = Array.from({ length }, (_, at) => {
    const [[a, v], [b, w]] = [moments(left, at), moments(right, at)];
    return (a - b) / (v + w + 1e-12);
  });
  if (!weights.every(Number.isFinite)) return null;
  return {
    describes: "the linear likelihood ratio",
    of: (output) => total(weights.map((weight, at) => weight * numberOf(output[at]))),
  };
}

/** Features that are learned from one half of the samples. */
export function learnedFeatures(left: readonly Output[], right: readonly Output[]): Feature[] {
  return [outcomeRatio(left, right), linearRatio(left, right)].filter((each) => each !== null);
}
