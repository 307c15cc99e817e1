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
    const to = c + ((<usize>first) << 2);
    // Eight columns are added where they belong; of fewer, those that there are.
    const whole = left >= 8;
    for (let k = 0; k < depth; ) {
      const height = k + 4 <= depth ? 4 : 1;
      const column = a + ((<usize>k) << 2);
      const place = to + <usize>k * strideC;
      if (!whole) memory.fill(spare, 0, 128);
      const sums = whole ? place : spare;
      const stride = whole ? strideC : spareRow;
      if (height === 4) outerTile4x8(column, strideA, from, strideD, rows, sums, stride);
      else outerTile1x8(column, strideA, from, strideD, rows, sums);
      if (!whole) addColumns(height, left, place, strideC);
      k += height;
    }
  }
}

/** A tile's own place. */
const spare: usize = memory.data(128, 16);
const spareRow: usize = 32;

function addColumns(height: i32, columns: i32, to: usize, stride: usize): void {
  for (let r = 0; r < height; r++) {
    for (let n = 0; n < columns; n++) {
      const place = (<usize>n) << 2;
      const at = to + <usize>r * stride + place;
      store<f32>(at, load<f32>(at) + load<f32>(spare + <usize>r * spareRow + place));
    }
  }
}

function add8(at: usize, low: v128, high: v128): void {
  v128.store(at, f32x4.add(v128.load(at), low));
  v128.store(at, f32x4.add(v128.load(at, 16), high), 16);
}

export function outerTile4x8(
  a: usize,
  strideA: usize,
  d: usize,
  strideD: usize,
  rows: i32,
  c: usize,
  strideC: usize,
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
  add8(c, c00, c01);
  add8(c + strideC, c10, c11);
  add8(c + 2 * strideC, c20, c21);
  add8(c + 3 * strideC, c30, c31);
}

export function outerTile1x8(a: usize, strideA: usize, d: usize, strideD: usize, rows: i32, c: usize): void {
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
  add8(c, c0, c1);
}
