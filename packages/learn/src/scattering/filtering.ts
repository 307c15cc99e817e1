import { addAt, doubleAt } from "@lethe/core/numeric";
import type { Grid } from "./fourier.ts";

/** The part of a real transform that a grid of every 2^coarse-th entry can hold: frequencies from −½ to before ½ of its own. */
export function coarserSpectrum(
  spectrum: Float64Array,
  [height, width]: readonly [number, number],
  coarse: number,
): Float64Array {
  const [h, w] = [height / 2 ** coarse, width / 2 ** coarse];
  return Float64Array.from({ length: h * w }, (_, i) => {
    const [row, column] = [Math.floor(i / w), i % w];
    const [down, across] = [
      row < h / 2 ? row : row + height - h,
      column < w / 2 ? column : column + width - w,
    ];
    return doubleAt(spectrum, down * width + across);
  });
}

/** The transform of a filtered grid of which every so many entries are kept: `to` has fewer, and frequencies that then look the same are averaged. */
export function filterInto({ height, width, re, im }: Grid, filter: Float64Array, to: Grid): void {
  to.re.fill(0);
  to.im.fill(0);
  const share = (to.height * to.width) / (height * width);
  const { re: toRe, im: toIm } = to;
  for (let row = 0; row < height; row++) {
    const target = (row % to.height) * to.width;
    for (let first = 0; first < width; first += to.width) {
      const from = row * width + first;
      for (let i = 0; i < to.width; i++) {
        const weight = share * doubleAt(filter, from + i);
        addAt(toRe, target + i, weight * doubleAt(re, from + i));
        addAt(toIm, target + i, weight * doubleAt(im, from + i));
      }
    }
  }
}

/** |x| of every entry, as real numbers. */
export function modulusInto({ re, im }: Grid, to: Grid): void {
  for (let i = 0; i < re.length; i++) {
    const [x, y] = [doubleAt(re, i), doubleAt(im, i)];
    to.re[i] = Math.sqrt(x * x + y * y);
  }
}

/** A picture in the middle of a larger grid, continued as in mirrors that stand on its outermost pixels. */
export function mirrorInto(picture: Float32Array, height: number, width: number, to: Grid): void {
  const [top, left] = [Math.floor((to.height - height) / 2), Math.floor((to.width - width) / 2)];
  for (let row = 0; row < to.height; row++) {
    const from = mirrored(row - top, height) * width;
    for (let column = 0; column < to.width; column++)
      to.re[row * to.width + column] = picture[from + mirrored(column - left, width)] ?? Number.NaN;
  }
}

/** The place that a mirror shows, for places up to `length − 1` beyond either end. */
function mirrored(place: number, length: number): number {
  const inside = Math.abs(place);
  return inside < length ? inside : 2 * (length - 1) - inside;
}

/** Rows of a real grid, added up with weights. */
export function weightedRows({ width, re }: Grid, weights: Float64Array): Float64Array {
  const sums = new Float64Array(width);
  for (let row = 0; row < weights.length; row++) {
    const weight = doubleAt(weights, row);
    for (let column = 0; column < width; column++)
      addAt(sums, column, weight * doubleAt(re, row * width + column));
  }
  return sums;
}

export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += doubleAt(x, i) * doubleAt(y, i);
  return sum;
}
