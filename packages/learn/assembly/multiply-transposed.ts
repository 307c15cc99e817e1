import { storeLanes } from "./store-lanes.ts";

/**
 * c[k, n] += Σ_r a[r, k]·d[r, n] over `rows` rows: the gradient of a matrix of weights. Strides in bytes; c is stored by rows without gaps.
 * Reads up to 28 bytes past a row of d, and uses none of them.
 */
export function multiplyTransposed(
  a: usize,
  strideA: usize,
  d: usize,
  strideD: usize,
  rows: i32,
  depth: i32,
  columns: i32,
  c: usize,
): void {
  const strideC = (<usize>columns) << 2;
  for (let first = 0; first < columns; first += 8) {
    const left = columns - first;
    const from = d + ((<usize>first) << 2);
    let to = c + ((<usize>first) << 2);
    let k = 0;
    for (; k + 4 <= depth; k += 4) {
      tile4x8(a + ((<usize>k) << 2), strideA, from, strideD, rows, to, strideC, left);
      to += 4 * strideC;
    }
    for (; k < depth; k++) {
      tile1x8(a + ((<usize>k) << 2), strideA, from, strideD, rows, to, left);
      to += strideC;
    }
  }
}

function addLanes(at: usize, value: v128, left: i32): void {
  if (left <= 0) return;
  storeLanes(at, f32x4.add(v128.load(at), value), left);
}

function add8(at: usize, low: v128, high: v128, left: i32): void {
  addLanes(at, low, left);
  addLanes(at + 16, high, left - 4);
}

function tile4x8(
  a: usize,
  strideA: usize,
  d: usize,
  strideD: usize,
  rows: i32,
  c: usize,
  strideC: usize,
  left: i32,
): void {
  let c00 = f32x4.splat(0);
  let c01 = c00;
  let c10 = c00;
  let c11 = c00;
  let c20 = c00;
  let c21 = c00;
  let c30 = c00;
  let c31 = c00;
  let from = a;
  let at = d;
  for (let r = 0; r < rows; r++) {
    const d0 = v128.load(at);
    const d1 = v128.load(at, 16);
    let s = v128.load32_splat(from);
    c00 = f32x4.add(c00, f32x4.mul(s, d0));
    c01 = f32x4.add(c01, f32x4.mul(s, d1));
    s = v128.load32_splat(from, 4);
    c10 = f32x4.add(c10, f32x4.mul(s, d0));
    c11 = f32x4.add(c11, f32x4.mul(s, d1));
    s = v128.load32_splat(from, 8);
    c20 = f32x4.add(c20, f32x4.mul(s, d0));
    c21 = f32x4.add(c21, f32x4.mul(s, d1));
    s = v128.load32_splat(from, 12);
    c30 = f32x4.add(c30, f32x4.mul(s, d0));
    c31 = f32x4.add(c31, f32x4.mul(s, d1));
    from += strideA;
    at += strideD;
  }
  add8(c, c00, c01, left);
  add8(c + strideC, c10, c11, left);
  add8(c + 2 * strideC, c20, c21, left);
  add8(c + 3 * strideC, c30, c31, left);
}

function tile1x8(a: usize, strideA: usize, d: usize, strideD: usize, rows: i32, c: usize, left: i32): void {
  let c0 = f32x4.splat(0);
  let c1 = c0;
  let from = a;
  let at = d;
  for (let r = 0; r < rows; r++) {
    const s = v128.load32_splat(from);
    c0 = f32x4.add(c0, f32x4.mul(s, v128.load(at)));
    c1 = f32x4.add(c1, f32x4.mul(s, v128.load(at, 16)));
    from += strideA;
    at += strideD;
  }
  add8(c, c0, c1, left);
}
