/** Bit tapes: deterministic coins for tests and audits, and what else they may see alone. Production code cannot accept one. */
import type { BitSource } from "./entropy/bit-source.ts";
import { invalidParameter } from "./errors/lethe-error.ts";
import { elementAt } from "./numeric/elements/element-at.ts";
import { add, multiply, type Rational, ratio, subtract, zero } from "./numeric/rational.ts";

/** Opens an Exact, so that an audit can measure how far it moves between neighbours. Nothing else outside the mechanisms may. */
export { unseal as openExact } from "./exact/exact.ts";
/** All that a release draws, from any coins or from a recording of it, so that an audit can freeze it. */
export { asDraws, drawsFrom } from "./mechanisms/draws.ts";
/** Mechanisms from given draws, and parts that a release hides, so that an audit can enumerate them. */
export { groupKeeper } from "./mechanisms/group-selection/group-selection.ts";
export { asTrainingDraws, trainingDrawsFrom } from "./mechanisms/noisy-gradients/training-draws.ts";
export { permuteAndFlipWith } from "./mechanisms/permute-and-flip/permute-and-flip.ts";
export { smoothMedianNoise } from "./mechanisms/smooth-median/index.ts";
export { type SparseVectorNoise, sparseVectorWith } from "./mechanisms/sparse-vector/sparse-vector.ts";
export { sparseVectorScales } from "./mechanisms/sparse-vector/sparse-vector-setting.ts";

/** The tape had fewer words than the sampler asked for. */
export class TapeExhausted extends Error {
  override readonly name: string = "TapeExhausted";
}

/** Reads the given words, in order, then throws {@link TapeExhausted}. Counts what was read. */
export class BitTape implements BitSource {
  /** The number of words that were handed out. */
  read = 0;
  readonly #words: ArrayLike<number>;

  constructor(words: ArrayLike<number>) {
    this.#words = words;
  }

  word(): number {
    const word = this.#words[this.read];
    if (word === undefined) throw new TapeExhausted(`the tape has only ${this.#words.length} words`);
    this.read += 1;
    return word >>> 0;
  }
}

/** Hands on another source's words and keeps a copy, so that the same coins can be replayed on a {@link BitTape}. */
export class RecordingSource implements BitSource {
  readonly words: number[] = [];
  readonly #source: BitSource;

  constructor(source: BitSource) {
    this.#source = source;
  }

  word(): number {
    const word = this.#source.word();
    this.words.push(word);
    return word;
  }
}

/**
 * Reproducible coins for statistical tests: xoshiro128++ (Blackman & Vigna 2021), seeded by SplitMix-style mixing.
 * Predictable from a few outputs: never for a release.
 */
export class SeededSource implements BitSource {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number) {
    let state = seed >>> 0;
    const mix = (): number => {
      state = (state + 0x9e3779b9) >>> 0;
      let z = state;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return (z ^ (z >>> 16)) >>> 0;
    };
    [this.#a, this.#b, this.#c, this.#d] = [mix(), mix(), mix(), mix() | 1];
  }

  word(): number {
    const sum = (this.#a + this.#d) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + this.#a) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }
}

/** The result of an enumeration: masses that certainly belong to each outcome, and the mass of coins that decided nothing yet. */
export interface Enumeration<T> {
  readonly masses: ReadonlyMap<T, Rational>;
  /** P[outcome] lies in [masses.get(outcome), masses.get(outcome) + residual]. */
  readonly residual: Rational;
}

/** Thrown through the enumerated program to try another branch; a program must let it pass. */
class Undecided extends Error {}

/** Coins whose every outcome is tried. Each choice is independent of the ones before it. */
export interface EnumeratedCoins {
  /** An index with probability weights[i]/Σ weights. */
  choose(weights: readonly number[]): number;
  /** One fair bit. */
  bit(): number;
}

/**
 * Runs a program once for every path of its coins and adds up exact masses. A path as rare as 2^−depth that
 * asks for more coins is given up and its mass is carried as residual: depth counts fair bits. The program must be a
 * function of its coins.
 * @example enumerateCoins((coins) => coins.bit() + coins.bit(), 8).masses // => 0: 1/4, 1: 1/2, 2: 1/4
 */
export function enumerateCoins<T>(program: (coins: EnumeratedCoins) => T, depth: number): Enumeration<T> {
  const masses = new Map<T, Rational>();
  let residual = zero;
  const fair: readonly number[] = [1, 1];
  // The path being tried, advanced like an odometer.
  const path: Step[] = [];
  do {
    let used = 0;
    const choose = (weights: readonly number[]): number => {
      const before = path[used - 1];
      if (before && before.den >= before.num << BigInt(depth)) throw new Undecided();
      let step = path[used];
      if (step === undefined) {
        step = firstStep(path.at(-1), weights);
        path.push(step);
      }
      used += 1;
      return step.option;
    };
    let outcome: { readonly value: T } | null;
    try {
      outcome = { value: program({ choose, bit: () => choose(fair) }) };
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      outcome = null;
    }
    const last = path.at(-1);
    const mass = last ? ratio(last.num, last.den) : ratio(1n);
    if (outcome) masses.set(outcome.value, add(masses.get(outcome.value) ?? zero, mass));
    else residual = add(residual, mass);
  } while (advance(path));
  return { masses, residual };
}

/** One choice on a path, and num/den, the mass of the path up to and with it. */
interface Step {
  readonly option: number;
  readonly weights: readonly number[];
  readonly num: bigint;
  readonly den: bigint;
}

/** The first possible option from `from` on, after `before`. */
function stepTo(before: Step | undefined, weights: readonly number[], from: number): Step | null {
  const option = weights.findIndex((weight, i) => i >= from && weight > 0);
  if (option < 0) return null;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    option,
    weights,
    num: (before?.num ?? 1n) * BigInt(elementAt(weights, option)),
    den: (before?.den ?? 1n) * BigInt(total),
  };
}

function firstStep(before: Step | undefined, weights: readonly number[]): Step {
  const step = stepTo(before, weights, 0);
  if (step === null) throw invalidParameter("weights", weights.join(", "), "one above 0");
  return step;
}

function advance(path: Step[]): boolean {
  for (let last = path.pop(); last; last = path.pop()) {
    const next = stepTo(path.at(-1), last.weights, last.option + 1);
    if (next) {
      path.push(next);
      return true;
    }
  }
  return false;
}

/**
 * Every tape of at most `depth` words, with exact masses, for a sampler that cuts the values of a word into few intervals:
 * comparison of a uniform with thresholds, inversion. The 2^32 values are halved until both ends of an interval and
 * `probes` words inside lead to the same outcome. An interval of many words that all want more words is carried as
 * residual (a rejection: divide by the rest); of at most 64 such words each is followed on its own.
 * Sound where each outcome's words are contiguous: an island inside an interval whose ends and probes agree is not seen.
 */
export function enumerateTapes<T>(
  sampler: (bits: BitSource) => T,
  { depth, probes = 3 }: { readonly depth: number; readonly probes?: number },
): Enumeration<T> {
  const masses = new Map<T, Rational>();
  let known = zero;

  const run = (words: readonly number[]): { readonly value: T } | null => {
    try {
      return { value: sampler(new BitTape(words)) };
    } catch (error) {
      if (error instanceof TapeExhausted) return null;
      throw error;
    }
  };
  /** All continuations of the words in `before`, each of whose next words has mass `each`. */
  const explore = (before: readonly number[], each: Rational): void => {
    const split = (lo: number, hi: number): void => {
      const first = run([...before, lo]);
      const tried = [hi];
      for (let i = 1; i <= probes; i++) tried.push(lo + Math.floor(((hi - lo) * i) / (probes + 1)));
      const outcomes = tried.map((word) => run([...before, word]));
      if (first && outcomes.every((outcome) => outcome?.value === first.value)) {
        const mass = multiply(each, ratio(BigInt(hi - lo + 1)));
        known = add(known, mass);
        masses.set(first.value, add(masses.get(first.value) ?? zero, mass));
      } else if (lo === hi) {
        if (before.length + 1 < depth) explore([...before, lo], multiply(each, ratio(1n, 1n << 32n)));
      } else if (hi - lo < 64 || first !== null || outcomes.some((outcome) => outcome !== null)) {
        const middle = lo + Math.floor((hi - lo) / 2);
        split(lo, middle);
        split(middle + 1, hi);
      }
    };
    split(0, 0xffffffff);
  };
  explore([], ratio(1n, 1n << 32n));
  return { masses, residual: subtract(ratio(1n), known) };
}
