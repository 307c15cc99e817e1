import type { TiltedLaw } from "../tilt/tilted-law.ts";

const unit = Number.EPSILON / 2;
/** Indices of a block, and blocks that are turned one into the next before the angle is computed again. */
const block = 64;

/** The masses of a law that are not 0, block by block of its indices. */
export interface MassBlocks {
  readonly mass: Float64Array;
  /** The place of each mass in its block. */
  readonly places: Uint8Array;
  /** The number of each block, counted from index 0, and where its masses begin; one more start than blocks. */
  readonly numbers: readonly number[];
  readonly starts: readonly number[];
  readonly total: number;
}

export function massBlocksOf({ first, mass }: TiltedLaw): MassBlocks {
  const kept = new Float64Array(mass.length);
  const places = new Uint8Array(mass.length);
  const numbers: number[] = [];
  const starts: number[] = [];
  let [count, total] = [0, 0];
  for (let i = 0; i < mass.length; i++) {
    const one = mass[i]!;
    if (!(one > 0)) continue;
    const number = Math.floor((first + i) / block);
    if (number !== numbers[numbers.length - 1]) {
      numbers.push(number);
      starts.push(count);
    }
    total += one;
    places[count] = first + i - number * block;
    kept[count++] = one;
  }
  starts.push(count);
  return { mass: kept.subarray(0, count), places: places.subarray(0, count), numbers, starts, total };
}

/** At least |computed − exact| of every coefficient of a {@link DirectTransform}: turned, summed within blocks, and over them. */
export function directError({ numbers, total }: MassBlocks): number {
  return (12 * block + 80 + numbers.length) * unit * total * (1 + 1e-9);
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
    for (let f = 0; f < frequencies.length; f++) this.coefficient(blocks, frequencies[f]!, f, re, im);
    return { re, im };
  }

  private coefficient(
    { mass, places, numbers, starts }: MassBlocks,
    k: number,
    f: number,
    re: Float64Array,
    im: Float64Array,
  ): void {
    const { cos, sin, stepRe, stepIm } = this.turnsOf(k);
    let [sumRe, sumIm, turnRe, turnIm] = [0, 0, 0, 0];
    for (let b = 0; b < numbers.length; b++) {
      if (b % block === 0 || numbers[b] !== numbers[b - 1]! + 1) {
        const angle = angleOf(k, block * numbers[b]!, this.size);
        turnRe = Math.cos(angle);
        turnIm = -Math.sin(angle);
      } else {
        const turned = turnRe * stepRe - turnIm * stepIm;
        turnIm = turnRe * stepIm + turnIm * stepRe;
        turnRe = turned;
      }
      let ownRe = 0;
      let ownIm = 0;
      const end = starts[b + 1]!;
      for (let i = starts[b]!; i < end; i++) {
        const one = mass[i]!;
        const j = places[i]!;
        ownRe += one * cos[j]!;
        ownIm += one * sin[j]!;
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
