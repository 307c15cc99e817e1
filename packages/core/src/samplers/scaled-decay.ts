import type { BitSource } from "../entropy/bit-source.ts";
import { WordBuffer } from "../entropy/word-buffer.ts";
import { byteAt, doubleAt, wordAt } from "../numeric/elements/element-at.ts";
import { quotientDown, quotientUp } from "../numeric/fixed-point.ts";
import { add, divide, multiply, type Rational, ratio, toDouble } from "../numeric/rational.ts";
import { compareWithExp } from "./compare-with-exp.ts";
import { acceptanceBits, cellsPerUnit, type Decay, tailHeight } from "./decay.ts";
import type { DecayCells } from "./decay-cells.ts";
import { expNegative, expNegativeNear0 } from "./exp-negative.ts";
import { LazyUniform } from "./lazy-uniform.ts";

const word = 4294967296;
const perWord = 1 / word;
const acceptanceMask = (1 << acceptanceBits) - 1;
const slotMask = (1 << (31 - acceptanceBits)) - 1;
/** Doubles decide an acceptance only beyond this margin, in units of 2^−19; everything they neglect is below 2^−27 (proof note). */
const margin = 1 / 256;
/** Relative margin of a product of at most five correctly rounded factors and sums: 2^−49 > 8·2^−53. */
const below = 1 - 1 / 562949953421312;
const above = 1 + 1 / 562949953421312;

/** X lies in (base + width·V)/16 for the lazily known V. */
interface Box {
  readonly base: number;
  readonly width: number;
  readonly position: LazyUniform;
}

function boxOf(base: number, width: number, position: number): Box {
  return { base, width, position: new LazyUniform(BigInt(position), 32) };
}

/** Unit cells of the tail that doubles may judge. */
const mostUnitCells = 20;

/**
 * Draws ⌊scale·X + offset⌋ with a fair sign, X ≥ 0 of density ∝ e^{−g(x)}, exactly. X is never rounded: it is a box
 * that coins make smaller until the integer is certain. Doubles decide where a margin shows that they are right;
 * otherwise integers do. Proof: ./decay.proof.md; the plain version: ./scaled-decay.oracle.ts
 */
export class ScaledDecay {
  /** The sign of the last draw. */
  negative = false;
  /** The magnitude of the last draw where {@link next} gave NaN: it is 2^53 or more. */
  large = 0n;

  readonly #decay: Decay;
  readonly #scale: Rational;
  readonly #half: boolean;
  readonly #offset: number;
  readonly #cellOfSlot: Uint8Array;
  readonly #height: Float64Array;
  readonly #slope: Float64Array;
  readonly #bend: number;
  readonly #linear: number;
  readonly #quadratic: number;
  readonly #tail: number;
  /** The height of the tail's first unit cell, in units of 2^−19. */
  readonly #tailHeight: number;
  /** scale/(16·2^32), rounded down; NaN where it is no normal double, so that doubles decide nothing. */
  readonly #step: number;

  constructor(decay: Decay, cells: DecayCells, scale: Rational, rounding: "floor" | "nearest") {
    this.#decay = decay;
    this.#scale = scale;
    this.#half = rounding === "nearest";
    this.#offset = this.#half ? 0.5 : 0;
    this.#cellOfSlot = cells.cellOfSlot;
    this.#height = cells.height;
    this.#slope = cells.slope;
    this.#bend = cells.bend;
    this.#linear = cells.linear;
    this.#quadratic = cells.quadratic;
    this.#tail = decay.cells;
    this.#tailHeight = toDouble(tailHeight(decay, 0), "down") * (1 << acceptanceBits);
    const step = toDouble(divide(scale, ratio(BigInt(cellsPerUnit) << 32n)), "down");
    this.#step = step > 1e-290 && step < 1e290 ? step : Number.NaN;
  }

  /** The magnitude of a draw, an exact integer below 2^53; NaN when it is in {@link large}. */
  next(bits: BitSource): number {
    for (;;) {
      const first = bits.word();
      const cell = byteAt(this.#cellOfSlot, (first >>> acceptanceBits) & slotMask);
      this.negative = first > 0x7fffffff;
      if (cell === this.#tail) {
        const box = this.#proposeTail(first & acceptanceMask, bits);
        if (box === null) continue;
        return this.#place(box, bits);
      }
      const position = bits.word();
      const v = position * perWord;
      const drop = v * (doubleAt(this.#slope, cell) + this.#bend * v);
      const upper = (first & acceptanceMask) + 1;
      const height = doubleAt(this.#height, cell);
      // 1 − d ≤ e^{−d} settles most.
      if (!(upper + margin <= height * (1 - drop))) {
        const limit = height * expNegativeNear0(drop);
        if (upper - 1 - margin >= limit) continue;
        if (!(upper + margin <= limit)) {
          const box = this.#settleCell(cell, upper - 1, position, bits);
          if (box === null) continue;
          return this.#place(box, bits);
        }
      }
      const low = this.#step * (cell * word + position) + this.#offset;
      const magnitude = Math.floor(low * below);
      if ((low + this.#step) * above < magnitude + 1) return magnitude;
      return this.#placeWord(cell, 1, position, bits);
    }
  }

  /**
   * Fills a list with signed draws, the same from the same words as by {@link next} one by one. Most need two words and no decision beyond the
   * first of each kind: they are taken here; for all others the words are left where they are, and `next` reads them.
   * Calls `beyond` where a magnitude is 2^53 or more.
   */
  fill(out: Float64Array, bits: BitSource, beyond: () => Error): void {
    // Every draw uses two words at least.
    const buffer = new WordBuffer(bits, 2 * out.length);
    const [held, cellOfSlot, heights, slopes] = [buffer.held, this.#cellOfSlot, this.#height, this.#slope];
    const [bend, tail, step, offset] = [this.#bend, this.#tail, this.#step, this.#offset];
    try {
      for (let i = 0; i < out.length; i++) {
        if (buffer.next >= buffer.end) buffer.readAhead(2 * (out.length - i));
        const at = buffer.next;
        if (at + 1 < buffer.end) {
          const first = wordAt(held, at);
          const cell = byteAt(cellOfSlot, (first >>> acceptanceBits) & slotMask);
          if (cell !== tail) {
            const position = wordAt(held, at + 1);
            const v = position * perWord;
            const drop = v * (doubleAt(slopes, cell) + bend * v);
            if ((first & acceptanceMask) + 1 + margin <= doubleAt(heights, cell) * (1 - drop)) {
              const low = step * (cell * word + position) + offset;
              const magnitude = Math.floor(low * below);
              if ((low + step) * above < magnitude + 1) {
                buffer.next = at + 2;
                // The sign without a branch, which could not be foreseen; −0 + 0 = 0.
                out[i] = magnitude * (1 - ((first >>> 30) & 2)) + 0;
                continue;
              }
            }
          }
        }
        const magnitude = this.next(buffer);
        if (Number.isNaN(magnitude)) throw beyond();
        out[i] = this.negative ? 0 - magnitude : magnitude; // 0 − 0 = 0, never −0
      }
    } finally {
      buffer.forget();
    }
  }

  #settleCell(cell: number, acceptance: number, position: number, bits: BitSource): Box | null {
    let weight = 0n;
    for (const other of this.#cellOfSlot) if (other === cell) weight += 1n;
    const height = divide(this.#decay.mass, ratio(weight));
    return this.#settle(
      height,
      new LazyUniform(BigInt(acceptance), acceptanceBits),
      boxOf(cell, 1, position),
      bits,
    );
  }

  /** Unit cell i with probability 2^−i−1, i.e. as many zeros before the first one; then a position in it. */
  #proposeTail(acceptance: number, bits: BitSource): Box | null {
    let unitCell = 0;
    for (;;) {
      const coins = bits.word();
      unitCell += Math.clz32(coins);
      if (coins !== 0) break;
    }
    const base = this.#tail + unitCell * cellsPerUnit;
    const position = bits.word();
    if (unitCell < mostUnitCells) {
      const x = base / cellsPerUnit + position * perWord;
      const exponent = x * (this.#linear + this.#quadratic * x);
      const limit = this.#tailHeight * 2 ** unitCell * expNegative(exponent);
      if (acceptance + 1 + margin <= limit) return boxOf(base, cellsPerUnit, position);
      if (acceptance - margin >= limit) return null;
    }
    const uniform = new LazyUniform(BigInt(acceptance), acceptanceBits);
    return this.#settle(
      tailHeight(this.#decay, unitCell),
      uniform,
      boxOf(base, cellsPerUnit, position),
      bits,
    );
  }

  /** Accepts when U < height·e^{−g(X)}, exactly; refines U and X in turn while both answers are possible. */
  #settle(height: Rational, acceptance: LazyUniform, box: Box, bits: BitSource): Box | null {
    const exponentAt = (v: Rational): Rational =>
      this.#decay.exponent(
        divide(
          add(ratio(BigInt(box.base)), multiply(ratio(BigInt(box.width)), v)),
          ratio(BigInt(cellsPerUnit)),
        ),
      );
    for (let refineAcceptance = true; ; refineAcceptance = !refineAcceptance) {
      if (compareWithExp(acceptance.hi, height, exponentAt(box.position.hi)) <= 0) return box;
      if (compareWithExp(acceptance.lo, height, exponentAt(box.position.lo)) >= 0) return null;
      (refineAcceptance ? acceptance : box.position).refine(bits);
    }
  }

  /** The integer of an accepted box, refining it in doubles as far as they reach. */
  #placeWord(base: number, width: number, position: number, bits: BitSource): number {
    const at = base * word + width * position; // exact: base < 2^20
    const low = this.#step * at + this.#offset;
    const top = low + this.#step * width;
    const magnitude = Math.floor(low * below);
    if (top * above < magnitude + 1) return magnitude;
    const box = boxOf(base, width, position);
    // Only where an integer certainly lies strictly inside is another word due; else integers decide.
    if (Math.floor(low * above) + 1 < top * below) {
      const second = bits.word();
      const finerLow = this.#step * (at + width * second * perWord) + this.#offset;
      const finer = Math.floor(finerLow * below);
      if ((finerLow + this.#step * width * perWord) * above < finer + 1) return finer;
      box.position.append(second, 32);
    }
    return this.#placeExactly(box, bits);
  }

  #place(box: Box, bits: BitSource): number {
    if (box.position.length === 32 && box.base < 1 << 20) {
      return this.#placeWord(box.base, box.width, Number(box.position.prefix), bits);
    }
    return this.#placeExactly(box, bits);
  }

  #placeExactly({ base, width, position }: Box, bits: BitSource): number {
    const { num, den } = this.#scale;
    const [first, span, unit] = [BigInt(base), BigInt(width), 2n * BigInt(cellsPerUnit) * den];
    for (;;) {
      const length = BigInt(position.length);
      const denominator = unit << length;
      const low =
        2n * num * ((first << length) + span * position.prefix) + (this.#half ? denominator >> 1n : 0n);
      const magnitude = quotientDown(low, denominator);
      if (quotientUp(low + 2n * num * span, denominator) - 1n === magnitude) {
        if (magnitude < 9007199254740992n) return Number(magnitude);
        this.large = magnitude;
        return Number.NaN;
      }
      position.refine(bits);
    }
  }
}
