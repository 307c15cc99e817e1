import { doubleAt } from "@lethe/core/numeric";

/** Complex numbers of a grid, row after row, real and imaginary parts apart. */
export interface Grid {
  readonly height: number;
  readonly width: number;
  readonly re: Float64Array;
  readonly im: Float64Array;
}

export function zeroGrid(height: number, width: number): Grid {
  return { height, width, re: new Float64Array(height * width), im: new Float64Array(height * width) };
}

/** One pass of a transform along the rows of a grid: combines `radix` runs of rows into as many. */
interface Pass {
  readonly radix: number;
  /** How many sets of `radix` runs there are. */
  readonly sets: number;
  /** Rows that lie together in a run. */
  readonly together: number;
  /** Coefficient of run k in result u of set p: at (p·radix + u)·radix + k. */
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
}

/**
 * The discrete Fourier transform of a grid, forward or back, for any height and width; the sum of their prime factors is what it costs an entry.
 * Back divides by the number of entries. Gives a transform that keeps memory of its own: what it gave is overwritten by the next.
 * Source: the autosort method of Stockham, for mixed radices (Temperton 1983, Eq. 2).
 */
export function fourier(height: number, width: number, direction: "forward" | "back"): (grid: Grid) => Grid {
  const columns = passesOf(height, direction);
  const rows = passesOf(width, direction);
  const [a, b] = [zeroGrid(height, width), zeroGrid(height, width)];
  const [c, d] = [zeroGrid(width, height), zeroGrid(width, height)];
  const factor = direction === "back" ? 1 / (height * width) : 1;
  return (grid) => {
    const turned = run(rows, transposed(run(columns, grid, a, b), c), d, c);
    const found = transposed(turned, a);
    if (factor === 1) return found;
    for (let i = 0; i < found.re.length; i++) {
      found.re[i] = doubleAt(found.re, i) * factor;
      found.im[i] = doubleAt(found.im, i) * factor;
    }
    return found;
  };
}

function passesOf(length: number, direction: "forward" | "back"): readonly Pass[] {
  const turn = ((direction === "back" ? 2 : -2) * Math.PI) / length;
  const passes: Pass[] = [];
  let [left, together] = [length, 1];
  for (const radix of factorsOf(length)) {
    const sets = left / radix;
    const angles = Float64Array.from({ length: sets * radix * radix }, (_, i) => {
      const [k, u, p] = [i % radix, Math.floor(i / radix) % radix, Math.floor(i / (radix * radix))];
      return turn * ((u * (p + sets * k) * together) % length);
    });
    passes.push({ radix, sets, together, cosines: angles.map(Math.cos), sines: angles.map(Math.sin) });
    left = sets;
    together *= radix;
  }
  return passes;
}

function factorsOf(length: number): readonly number[] {
  const factors: number[] = [];
  let left = length;
  while (left % 4 === 0) {
    factors.push(4);
    left /= 4;
  }
  for (let prime = 2; left > 1; prime += 1) {
    while (left % prime === 0) {
      factors.push(prime);
      left /= prime;
    }
  }
  return factors;
}

/** Runs all passes along the rows of a grid; `first` and `second` take turns as their results. */
function run(passes: readonly Pass[], grid: Grid, first: Grid, second: Grid): Grid {
  let [from, to, next] = [grid, first, second];
  for (const pass of passes) {
    runPass(pass, from, to);
    [from, to, next] = [to, next, to];
  }
  return from;
}

function runPass({ radix, sets, together, cosines, sines }: Pass, from: Grid, to: Grid): void {
  const length = together * from.width;
  for (let p = 0; p < sets; p++) {
    for (let u = 0; u < radix; u++) {
      const [first, target] = [(p * radix + u) * radix, (p * radix + u) * length];
      for (let k = 0; k < radix; k += 2) {
        const at = first + k;
        const [c, s] = [doubleAt(cosines, at), doubleAt(sines, at)];
        // The last of an odd number stands alone, beside itself times 0.
        const pair = k + 1 < radix;
        const [d, t] = pair ? [doubleAt(cosines, at + 1), doubleAt(sines, at + 1)] : [0, 0];
        const source = (p + sets * k) * length;
        const other = pair ? source + sets * length : source;
        turnTwo(from, source, c, s, other, d, t, to, target, length, k === 0);
      }
    }
  }
}

/** to = or += (c + i·s)·from + (d + i·t)·other, over `length` entries. */
function turnTwo(
  from: Grid,
  source: number,
  c: number,
  s: number,
  other: number,
  d: number,
  t: number,
  to: Grid,
  target: number,
  length: number,
  first: boolean,
): void {
  const { re, im } = from;
  const { re: toRe, im: toIm } = to;
  for (let i = 0; i < length; i++) {
    const x = re[source + i] ?? 0;
    const y = im[source + i] ?? 0;
    const v = re[other + i] ?? 0;
    const w = im[other + i] ?? 0;
    const real = c * x - s * y + (d * v - t * w);
    const imaginary = c * y + s * x + (d * w + t * v);
    toRe[target + i] = first ? real : (toRe[target + i] ?? 0) + real;
    toIm[target + i] = first ? imaginary : (toIm[target + i] ?? 0) + imaginary;
  }
}

function transposed({ height, width, re, im }: Grid, to: Grid): Grid {
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      to.re[column * height + row] = doubleAt(re, row * width + column);
      to.im[column * height + row] = doubleAt(im, row * width + column);
    }
  }
  return to;
}
