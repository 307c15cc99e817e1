import type { BitSource } from "@lethe/core";
import { elementAt } from "@lethe/core/numeric";
import { subject } from "../subject.ts";
import { claimOf } from "../verify/claim.ts";
import { uniformDouble } from "./doubles.ts";
import type { KnownBad } from "./known-bad.ts";

const layers = 128;
/** The start of the tail, and the area of each layer (Marsaglia & Tsang 2000). */
const [start, area] = [3.442619855899, 9.91256303526217e-3];
const density = (x: number): number => Math.exp((-x * x) / 2);

/** A layer spans the numbers below `outer`; those below `inner` lie under the density at any height. */
interface Layer {
  readonly outer: number;
  readonly inner: number;
}

const stack: readonly Layer[] = stackOf(layers);

function stackOf(count: number): Layer[] {
  const found = [{ outer: area / density(start), inner: start }];
  let outer = start;
  for (let i = 2; i < count; i += 1) {
    const inner = Math.sqrt(-2 * Math.log(area / outer + density(outer)));
    found.push({ outer, inner });
    outer = inner;
  }
  return [...found, { outer, inner: 0 }];
}

/** A standard normal by the ziggurat, in doubles: a 32-bit integer times a width. */
export function zigguratDouble(bits: BitSource): number {
  for (;;) {
    const layer = bits.word() & (layers - 1);
    const { outer, inner } = elementAt(stack, layer);
    const x = (bits.word() / 2 ** 32) * outer;
    const signed = (bits.word() & 1) === 0 ? x : -x;
    if (x < inner) return signed;
    if (layer === 0) {
      const [a, b] = [-Math.log(uniformDouble(bits)) / start, -Math.log(uniformDouble(bits))];
      if (2 * b > a * a) return signed < 0 ? -(start + a) : start + a;
    } else {
      const [low, high] = [density(outer), density(inner)];
      if (low + uniformDouble(bits) * (high - low) < density(x)) return signed;
    }
  }
}

const sigma = 4;

/** Few values near 0 and many far away: the low bits tell which value the noise was added to. */
export const naiveZiggurat: KnownBad = {
  id: "naive-ziggurat",
  fault: "Gaussian noise by the ziggurat in doubles",
  source: "Jin, McMurtry, Rubinstein & Ohrimenko 2022; numpy's and Go's normal",
  caughtBy: ["estimate"],
  subject: () =>
    subject<number>({
      id: "naive-ziggurat",
      describes: "0 or 1 plus a Gaussian of σ 4 in doubles",
      claim: claimOf({ kind: "gaussian", version: 1, sigma: "4", sensitivity: "1" }),
      neighbours: [[0, 1]],
      run: (value, bits) => [value + sigma * zigguratDouble(bits)],
    }),
};
