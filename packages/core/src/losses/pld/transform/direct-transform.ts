import { doubleAt } from "../../../numeric/elements/element-at.ts";
import type { TiltedLaw } from "../tilt/tilted-law.ts";

const unit = Number.EPSILON / 2;
/** Indices of a block, and blocks that are turned one into the next before the angle is computed again. */
const block = 64;

/** The masses of a law that are not 0, block by block of its indices. */
export interface MassBlocks {
  readonly mass: Float64Array;
  /** The place of each mass in its block. */
  readonly places: Uint8Array;
  readonly blocks: readonly Block[];
  readonly total: number;
}

/** The masses of a block: its number, counted from index 0, and where they begin and end. */
interface Block {
  readonly number: number;
  readonly from: number;
  to: number;
}

export function massBlocksOf({ first, mass }: TiltedLaw): MassBlocks {
  const kept = new Float64Array(mass.length);
  const places = new Uint8Array(mass.length);
  const blocks: Block[] = [];
  let last: Block | undefined;
  let [count, total] = [0, 0];
  for (let i = 0; i < mass.length; i++) {
    const one = doubleAt(mass, i);
    if (!(one > 0)) continue;
    const number = Math.floor((first + i) / block);
    if (last?.number !== number) {
      last = { number, from: count, to: count };
      blocks.push(last);
    }
    total += one;
    places[count] = first + i - number * block;
    kept[count++] = one;
    last.to = count;
  }
  return { mass: kept.subarray(0, count), places: places.subarray(0, count), blocks, total };
}

/** At least |computed − exact| of every coefficient of a {@link DirectTransform}: turned, summed within blocks, and over them. */
export function directError({ blocks, total }: MassBlocks): number {
  return (12 * block + 80 + blocks.length) * unit * total * (1 + 1e-9);
}

/** e^{−2πi·j·k/size} of the 64 indices of a block, and of the step to the next block. */
interface Turns {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
  readonly stepRe: number;
  readonly stepIm: number;
}

/** Coefficients of transforms of one size, law after law: what depends on the frequency alone is computed once. */
export class DirectTransform {
  private readonly size: number;
  private readonly turns = new Map<number, Turns>();

  constructor(size: number) {
    this.size = size;
  }

  /** Σ mass·e^{−2πi·index·k/size} of each of the frequencies k: the coefficients of the law's transform there. */
  at(
    blocks: MassBlocks,
    frequencies: readonly number[],
  ): { readonly re: Float64Array; readonly im: Float64Array } {
    const [re, im] = [new Float64Array(frequencies.length), new Float64Array(frequencies.length)];
    for (const [f, k] of frequencies.entries()) this.coefficient(blocks, k, f, re, im);
    return { re, im };
  }

  private coefficient(
    { mass, places, blocks }: MassBlocks,
    k: number,
    f: number,
    re: Float64Array,
    im: Float64Array,
  ): void {
    const { cos, sin, stepRe, stepIm } = this.turnsOf(k);
    let [sumRe, sumIm, turnRe, turnIm] = [0, 0, 0, 0];
    let before = Number.NaN;
    for (const [b, { number, from, to }] of blocks.entries()) {
      if (b % block === 0 || number !== before + 1) {
        const angle = angleOf(k, block * number, this.size);
        turnRe = Math.cos(angle);
        turnIm = -Math.sin(angle);
      } else {
        const turned = turnRe * stepRe - turnIm * stepIm;
        turnIm = turnRe * stepIm + turnIm * stepRe;
        turnRe = turned;
      }
      before = number;
      let ownRe = 0;
      let ownIm = 0;
      for (let i = from; i < to; i++) {
        const one = doubleAt(mass, i);
        const j = places[i]!;
        ownRe += one * doubleAt(cos, j);
        ownIm += one * doubleAt(sin, j);
      }
      sumRe += ownRe * turnRe - ownIm * turnIm;
      sumIm += ownRe * turnIm + ownIm * turnRe;
    }
    re[f] = sumRe;
    im[f] = sumIm;
  }

  private turnsOf(k: number): Turns {
    const known = this.turns.get(k);
    if (known) return known;
    const [cos, sin] = [new Float64Array(block), new Float64Array(block)];
    for (let j = 0; j < block; j++) {
      const angle = angleOf(k, j, this.size);
      cos[j] = Math.cos(angle);
      sin[j] = -Math.sin(angle);
    }
    const step = angleOf(k, block, this.size);
    const turns = { cos, sin, stepRe: Math.cos(step), stepIm: -Math.sin(step) };
    this.turns.set(k, turns);
    return turns;
  }
}

/** 2π·k·index/size within ±π: the product is reduced as a whole number. */
function angleOf(k: number, index: number, size: number): number {
  const turned = (k * (((index % size) + size) % size)) % size;
  return (2 * Math.PI * (turned > size / 2 ? turned - size : turned)) / size;
}
