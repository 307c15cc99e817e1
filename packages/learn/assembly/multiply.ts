import { storeLanes } from "./store-lanes.ts";

/**
 * Products of matrices of float32. Every entry is one chain of additions in the order of the inner index, whichever tile computes it, so a
 * result depends neither on how many rows are computed together nor on where a row stands among them.
 */

/** Columns of a packed panel. */
const wide: i32 = 8;

/** The width of the panel that holds the last `left` columns: 4 where they fit, else 8. */
function panelWidth(left: i32): i32 {
  return left <= 4 ? 4 : wide;
}

/**
 * Packs depth × columns doubles, `rowStep` and `columnStep` apart, as float32 in panels of 8 columns, the last of 4 or 8, filled up with zeros.
 * Of a matrix stored by rows the steps are (columns, 1); of its transpose (1, rows).
 */
export function pack(
  from: usize,
  depth: i32,
  columns: i32,
  rowStep: i32,
  columnStep: i32,
  panels: usize,
): void {
  let to = panels;
  for (let first = 0; first < columns; ) {
    const width = panelWidth(columns - first);
    for (let k = 0; k < depth; k++) {
      for (let lane = 0; lane < width; lane++) {
        const column = first + lane;
        const place = from + ((<usize>(k * rowStep + column * columnStep)) << 3);
        store<f32>(to, column < columns ? <f32>load<f64>(place) : 0);
        to += 4;
      }
    }
    first += width;
  }
}

/** The height of the tiles that compute fewer rows twice. */
function tileRows(rows: i32): i32 {
  return rows >= 5 && ((rows + 4) / 5) * 5 < ((rows + 3) & ~3) ? 5 : 4;
}

/**
 * c[r, n] = start[n] + Σ_k a[r, k]·b[k, n] for `rows` rows, b packed. Strides in bytes. Reads up to 28 bytes past a row of `start`.
 */
export function multiply(
  a: usize,
  strideA: usize,
  rows: i32,
  depth: i32,
  panels: usize,
  columns: i32,
  start: usize,
  c: usize,
  strideC: usize,
): void {
  const tall = tileRows(rows);
  let panel = panels;
  for (let first = 0; first < columns; ) {
    const left = columns - first;
    const width = panelWidth(left);
    const to = c + ((<usize>first) << 2);
    const from = start + ((<usize>first) << 2);
    if (width === wide && tall === 5) {
      for (let r = 0; r < rows; r += 5) {
        const row = <usize>min(r, rows - 5);
        tile5x8(a + row * strideA, strideA, depth, panel, from, to + row * strideC, strideC, left);
      }
    } else if (rows >= 4) {
      for (let r = 0; r < rows; r += 4) {
        // The last tile may compute rows again, to the same bytes.
        const row = <usize>min(r, rows - 4);
        if (width === wide)
          tile4x8(a + row * strideA, strideA, depth, panel, from, to + row * strideC, strideC, left);
        else tile4x4(a + row * strideA, strideA, depth, panel, from, to + row * strideC, strideC, left);
      }
    } else {
      for (let r = 0; r < rows; r++) {
        const row = <usize>r;
        if (width === wide) tile1x8(a + row * strideA, depth, panel, from, to + row * strideC, left);
        else tile1x4(a + row * strideA, depth, panel, from, to + row * strideC, left);
      }
    }
    panel += (<usize>(depth * width)) << 2;
    first += width;
  }
}

function store8(at: usize, low: v128, high: v128, left: i32): void {
  storeLanes(at, low, left);
  if (left > 4) storeLanes(at + 16, high, left - 4);
}

function tile4x8(
  a: usize,
  strideA: usize,
  depth: i32,
  panel: usize,
  start: usize,
  c: usize,
  strideC: usize,
  left: i32,
): void {
  let c00 = v128.load(start);
  let c01 = v128.load(start, 16);
  let c10 = c00;
  let c11 = c01;
  let c20 = c00;
  let c21 = c01;
  let c30 = c00;
  let c31 = c01;
  let a0 = a;
  let a1 = a0 + strideA;
  let a2 = a1 + strideA;
  let a3 = a2 + strideA;
  let b = panel;
  const end = b + ((<usize>depth) << 5);
  while (b < end) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let s = v128.load32_splat(a0);
    c00 = f32x4.add(c00, f32x4.mul(s, b0));
    c01 = f32x4.add(c01, f32x4.mul(s, b1));
    s = v128.load32_splat(a1);
    c10 = f32x4.add(c10, f32x4.mul(s, b0));
    c11 = f32x4.add(c11, f32x4.mul(s, b1));
    s = v128.load32_splat(a2);
    c20 = f32x4.add(c20, f32x4.mul(s, b0));
    c21 = f32x4.add(c21, f32x4.mul(s, b1));
    s = v128.load32_splat(a3);
    c30 = f32x4.add(c30, f32x4.mul(s, b0));
    c31 = f32x4.add(c31, f32x4.mul(s, b1));
    a0 += 4;
    a1 += 4;
    a2 += 4;
    a3 += 4;
    b += 32;
  }
  store8(c, c00, c01, left);
  store8(c + strideC, c10, c11, left);
  store8(c + 2 * strideC, c20, c21, left);
  store8(c + 3 * strideC, c30, c31, left);
}

function tile5x8(
  a: usize,
  strideA: usize,
  depth: i32,
  panel: usize,
  start: usize,
  c: usize,
  strideC: usize,
  left: i32,
): void {
  let c00 = v128.load(start);
  let c01 = v128.load(start, 16);
  let c10 = c00;
  let c11 = c01;
  let c20 = c00;
  let c21 = c01;
  let c30 = c00;
  let c31 = c01;
  let c40 = c00;
  let c41 = c01;
  let a0 = a;
  let a1 = a0 + strideA;
  let a2 = a1 + strideA;
  let a3 = a2 + strideA;
  let a4 = a3 + strideA;
  let b = panel;
  const end = b + ((<usize>depth) << 5);
  while (b < end) {
    const b0 = v128.load(b);
    const b1 = v128.load(b, 16);
    let s = v128.load32_splat(a0);
    c00 = f32x4.add(c00, f32x4.mul(s, b0));
    c01 = f32x4.add(c01, f32x4.mul(s, b1));
    s = v128.load32_splat(a1);
    c10 = f32x4.add(c10, f32x4.mul(s, b0));
    c11 = f32x4.add(c11, f32x4.mul(s, b1));
    s = v128.load32_splat(a2);
    c20 = f32x4.add(c20, f32x4.mul(s, b0));
    c21 = f32x4.add(c21, f32x4.mul(s, b1));
    s = v128.load32_splat(a3);
    c30 = f32x4.add(c30, f32x4.mul(s, b0));
    c31 = f32x4.add(c31, f32x4.mul(s, b1));
    s = v128.load32_splat(a4);
    c40 = f32x4.add(c40, f32x4.mul(s, b0));
    c41 = f32x4.add(c41, f32x4.mul(s, b1));
    a0 += 4;
    a1 += 4;
    a2 += 4;
    a3 += 4;
    a4 += 4;
    b += 32;
  }
  store8(c, c00, c01, left);
  store8(c + strideC, c10, c11, left);
  store8(c + 2 * strideC, c20, c21, left);
  store8(c + 3 * strideC, c30, c31, left);
  store8(c + 4 * strideC, c40, c41, left);
}

function tile4x4(
  a: usize,
  strideA: usize,
  depth: i32,
  panel: usize,
  start: usize,
  c: usize,
  strideC: usize,
  left: i32,
): void {
  let c0 = v128.load(start);
  let c1 = c0;
  let c2 = c0;
  let c3 = c0;
  let a0 = a;
  let a1 = a0 + strideA;
  let a2 = a1 + strideA;
  let a3 = a2 + strideA;
  let b = panel;
  const end = b + ((<usize>depth) << 4);
  while (b < end) {
    const b0 = v128.load(b);
    c0 = f32x4.add(c0, f32x4.mul(v128.load32_splat(a0), b0));
    c1 = f32x4.add(c1, f32x4.mul(v128.load32_splat(a1), b0));
    c2 = f32x4.add(c2, f32x4.mul(v128.load32_splat(a2), b0));
    c3 = f32x4.add(c3, f32x4.mul(v128.load32_splat(a3), b0));
    a0 += 4;
    a1 += 4;
    a2 += 4;
    a3 += 4;
    b += 16;
  }
  storeLanes(c, c0, left);
  storeLanes(c + strideC, c1, left);
  storeLanes(c + 2 * strideC, c2, left);
  storeLanes(c + 3 * strideC, c3, left);
}

function tile1x8(a: usize, depth: i32, panel: usize, start: usize, c: usize, left: i32): void {
  let c0 = v128.load(start);
  let c1 = v128.load(start, 16);
  let a0 = a;
  let b = panel;
  const end = b + ((<usize>depth) << 5);
  while (b < end) {
    const s = v128.load32_splat(a0);
    c0 = f32x4.add(c0, f32x4.mul(s, v128.load(b)));
    c1 = f32x4.add(c1, f32x4.mul(s, v128.load(b, 16)));
    a0 += 4;
    b += 32;
  }
  store8(c, c0, c1, left);
}

function tile1x4(a: usize, depth: i32, panel: usize, start: usize, c: usize, left: i32): void {
  let c0 = v128.load(start);
  let a0 = a;
  let b = panel;
  const end = b + ((<usize>depth) << 4);
  while (b < end) {
    c0 = f32x4.add(c0, f32x4.mul(v128.load32_splat(a0), v128.load(b)));
    a0 += 4;
    b += 16;
  }
  storeLanes(c, c0, left);
}
