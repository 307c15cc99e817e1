import type { BitSource } from "../entropy/bit-source.ts";
import { expBracket } from "../numeric/bracket.ts";
import { add, ceil, divide, floor, multiply, negate, type Rational, ratio } from "../numeric/rational.ts";
import { compareWithExp } from "./compare-with-exp.ts";
import { acceptanceBits, cellsPerUnit, type Decay, slotBits, tailHeight } from "./decay.ts";
import { LazyUniform } from "./lazy-uniform.ts";

/** The random choices of the oracle, so that the same program runs on words of a tape and under enumeration. */
export interface OracleCoins {
  /** Starts a proposal: its sign, its cell (the last index is the tail), and the uniform that will accept or reject. */
  begin(weights: readonly number[]): { negative: boolean; cell: number; acceptance: LazyUniform };
  /** The number of zeros before the first one in fair bits. */
  zeros(): number;
  /** A fresh uniform. */
  uniform(): LazyUniform;
  refine(uniform: LazyUniform): void;
}

/** Reads 32-bit words in the order that production reads them. */
export function wordCoins(bits: BitSource): OracleCoins {
  return {
    begin(weights) {
      const word = bits.word();
      let slot = (word >>> acceptanceBits) % 2 ** slotBits;
      let cell = 0;
      while (slot >= weights[cell]!) slot -= weights[cell++]!;
      const acceptance = new LazyUniform(BigInt(word % 2 ** acceptanceBits), acceptanceBits);
      return { negative: word >= 2 ** 31, cell, acceptance };
    },
    zeros() {
      let zeros = 0;
      for (;;) {
        const digits = bits.word().toString(2).padStart(32, "0");
        const first = digits.indexOf("1");
        if (first >= 0) return zeros + first;
        zeros += 32;
      }
    },
    uniform() {
      return new LazyUniform(BigInt(bits.word()), 32);
    },
    refine(uniform) {
      uniform.refine(bits);
    },
  };
}

const remembered = new Map<string, readonly number[]>();

/** ⌈M·e^{−g(j/16)}⌉ for each cell, then 1 for the tail. */
export function exactWeights(decay: Decay): readonly number[] {
  let weights = remembered.get(decay.name);
  if (!weights) {
    const list: number[] = [];
    for (let j = 0; j < decay.cells; j++) {
      const { lo, hi } = expBracket(negate(decay.exponent(ratio(BigInt(j), BigInt(cellsPerUnit)))), 100);
      const [low, high] =
        j === 0
          ? [ceil(decay.mass), ceil(decay.mass)]
          : [ceil(multiply(decay.mass, lo)), ceil(multiply(decay.mass, hi))];
      if (low !== high) throw new Error(`cell ${j} needs more bits`);
      list.push(Number(low));
    }
    list.push(1);
    weights = list;
    remembered.set(decay.name, weights);
  }
  return weights;
}

/**
 * ⌊scale·X + offset⌋ with a fair sign, where X ≥ 0 has density ∝ e^{−g(x)} exactly. Plain, slow, in rationals:
 * propose a cell by its weight and X = base + width·V in it, accept when U < height·e^{−g(X)}, refine what is undecided.
 */
export function scaledDecayOracle(
  decay: Decay,
  scale: Rational,
  offset: Rational,
  coins: OracleCoins,
): { negative: boolean; magnitude: bigint } {
  const weights = exactWeights(decay);
  for (;;) {
    const { negative, cell, acceptance } = coins.begin(weights);
    let base = ratio(BigInt(cell), BigInt(cellsPerUnit));
    let width = ratio(1n, BigInt(cellsPerUnit));
    let height = divide(decay.mass, ratio(BigInt(weights[cell]!)));
    if (cell === decay.cells) {
      const unitCell = coins.zeros();
      base = add(base, ratio(BigInt(unitCell)));
      width = ratio(1n);
      height = tailHeight(decay, unitCell);
    }
    const position = coins.uniform();
    const lowest = (): Rational => add(base, multiply(width, position.lo));
    const highest = (): Rational => add(base, multiply(width, position.hi));

    let accepted: boolean | undefined;
    for (let turn = 0; accepted === undefined; turn++) {
      if (compareWithExp(acceptance.hi, height, decay.exponent(highest())) <= 0) accepted = true;
      else if (compareWithExp(acceptance.lo, height, decay.exponent(lowest())) >= 0) accepted = false;
      else coins.refine(turn % 2 === 0 ? acceptance : position);
    }
    if (!accepted) continue;
    for (;;) {
      const first = floor(add(multiply(scale, lowest()), offset));
      const last = ceil(add(multiply(scale, highest()), offset)) - 1n; // X lies below its upper end
      if (first === last) return { negative, magnitude: first };
      coins.refine(position);
    }
  }
}
