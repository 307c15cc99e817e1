/**
 * c[k, n] = Σ_r a[r, k]·d[r, n] over `rows` rows, or that added to what stands in c: the gradient of a matrix of weights. c is stored by rows without
 * gaps, and so is d. A row of a lies in runs, as for a product: see multiply.ts.
 */
export function multiplyTransposed(
  a: usize,
  aRows: usize,
  rows: i32,
  runs: i32,
  run: i32,
  jump: usize,
  d: usize,
  columns: i32,
  c: usize,
  add: bool,
): void {
  const stride = (<usize>columns) << 2;
  let to = c;
  for (let i = 0; i < runs; i++) {
    const from = a + <usize>i * jump;
    for (let first = 0; first < columns; first += 16) {
      const place = (<usize>first) << 2;
      const left = columns - first;
      if (left >= 16) wideOuterTiles(from, aRows, rows, run, d + place, stride, to + place, stride, add);
      else lastColumns(from, aRows, rows, run, d + place, stride, left, to + place, add);
    }
    to += <usize>run * stride;
  }
}

/** A tile that is not written where it belongs. */
const spare: usize = memory.data(128, 16);

/** Fewer than 16 columns: tiles that reach beyond a row of d and of c. What they read there is not used. */
function lastColumns(
  a: usize,
  aRows: usize,
  rows: i32,
  run: i32,
  d: usize,
  stride: usize,
  columns: i32,
  c: usize,
  add: bool,
): void {
  const height = columns > 8 ? 2 : 4;
  let to = c;
  for (let k = 0; k < run; k += height) {
    const some = min(run - k, height);
    const from = a + ((<usize>k) << 2);
    if (height === 2) wideOuterTiles(from, aRows, rows, some, d, stride, spare, 64, false);
    else narrowOuterTile(from, aRows, rows, some, d, stride);
    for (let i = 0; i < some; i++) {
      for (let n = 0; n < columns; n++) {
        const place = (<usize>n) << 2;
        const value = load<f32>(spare + <usize>i * (height === 2 ? 64 : 32) + place);
        store<f32>(to + place, add ? load<f32>(to + place) + value : value);
      }
      to += stride;
    }
  }
}

function put16(to: usize, add: bool, v0: v128, v1: v128, v2: v128, v3: v128): void {
  if (add) {
    v128.store(to, f32x4.add(v128.load(to), v0));
    v128.store(to, f32x4.add(v128.load(to, 16), v1), 16);
    v128.store(to, f32x4.add(v128.load(to, 32), v2), 32);
    v128.store(to, f32x4.add(v128.load(to, 48), v3), 48);
  } else {
    v128.store(to, v0);
    v128.store(to, v1, 16);
    v128.store(to, v2, 32);
    v128.store(to, v3, 48);
  }
}

/** Tiles of 2 rows × 16 columns of c. */
export function wideOuterTiles(
  a: usize,
  aRows: usize,
  rows: i32,
  run: i32,
  d: usize,
  strideD: usize,
  c: usize,
  strideC: usize,
  add: bool,
): void {
  const end = d + <usize>rows * strideD;
  let to = c;
  for (let k = 0; k < run; k += 2) {
    const two = k + 1 < run;
    const first = a + ((<usize>k) << 2);
    // Of a single row the second one of the tile is computed too, and thrown away.
    const second: usize = two ? first + 4 : first;
    let c00 = f32x4.splat(0);
    let c01 = c00;
    let c02 = c00;
    let c03 = c00;
    let c10 = c00;
    let c11 = c00;
    let c12 = c00;
    let c13 = c00;
    let row = aRows;
    let at = d;
    while (true) {
      let offset: usize = load<u32>(row);
      let s0 = v128.load32_splat(first + offset);
      let s1 = v128.load32_splat(second + offset);
      let dv = v128.load(at);
      c00 = f32x4.add(c00, f32x4.mul(s0, dv));
      c10 = f32x4.add(c10, f32x4.mul(s1, dv));
      dv = v128.load(at, 16);
      c01 = f32x4.add(c01, f32x4.mul(s0, dv));
      c11 = f32x4.add(c11, f32x4.mul(s1, dv));
      dv = v128.load(at, 32);
      c02 = f32x4.add(c02, f32x4.mul(s0, dv));
      c12 = f32x4.add(c12, f32x4.mul(s1, dv));
      dv = v128.load(at, 48);
      c03 = f32x4.add(c03, f32x4.mul(s0, dv));
      c13 = f32x4.add(c13, f32x4.mul(s1, dv));
      at += strideD;
      if (at >= end) break;
      offset = load<u32>(row, 4);
      s0 = v128.load32_splat(first + offset);
      s1 = v128.load32_splat(second + offset);
      dv = v128.load(at);
      c00 = f32x4.add(c00, f32x4.mul(s0, dv));
      c10 = f32x4.add(c10, f32x4.mul(s1, dv));
      dv = v128.load(at, 16);
      c01 = f32x4.add(c01, f32x4.mul(s0, dv));
      c11 = f32x4.add(c11, f32x4.mul(s1, dv));
      dv = v128.load(at, 32);
      c02 = f32x4.add(c02, f32x4.mul(s0, dv));
      c12 = f32x4.add(c12, f32x4.mul(s1, dv));
      dv = v128.load(at, 48);
      c03 = f32x4.add(c03, f32x4.mul(s0, dv));
      c13 = f32x4.add(c13, f32x4.mul(s1, dv));
      at += strideD;
      row += 8;
      if (at >= end) break;
    }
    put16(to, add, c00, c01, c02, c03);
    put16(two ? to + strideC : spare + 64, two && add, c10, c11, c12, c13);
    to += 2 * strideC;
  }
}

/** One tile of 4 rows × 8 columns, of which `some` rows are asked for, in the spare place. */
export function narrowOuterTile(
  a: usize,
  aRows: usize,
  rows: i32,
  some: i32,
  d: usize,
  strideD: usize,
): void {
  const last = (<usize>(some - 1)) << 2;
  const second = min(last, 4);
  const third = min(last, 8);
  let c00 = f32x4.splat(0);
  let c01 = c00;
  let c10 = c00;
  let c11 = c00;
  let c20 = c00;
  let c21 = c00;
  let c30 = c00;
  let c31 = c00;
  let row = aRows;
  let at = d;
  for (let r = 0; r < rows; r++) {
    const from = a + load<u32>(row);
    const d0 = v128.load(at);
    const d1 = v128.load(at, 16);
    let s = v128.load32_splat(from);
    c00 = f32x4.add(c00, f32x4.mul(s, d0));
    c01 = f32x4.add(c01, f32x4.mul(s, d1));
    s = v128.load32_splat(from + second);
    c10 = f32x4.add(c10, f32x4.mul(s, d0));
    c11 = f32x4.add(c11, f32x4.mul(s, d1));
    s = v128.load32_splat(from + third);
    c20 = f32x4.add(c20, f32x4.mul(s, d0));
    c21 = f32x4.add(c21, f32x4.mul(s, d1));
    s = v128.load32_splat(from + last);
    c30 = f32x4.add(c30, f32x4.mul(s, d0));
    c31 = f32x4.add(c31, f32x4.mul(s, d1));
    row += 4;
    at += strideD;
  }
  v128.store(spare, c00);
  v128.store(spare, c01, 16);
  v128.store(spare, c10, 32);
  v128.store(spare, c11, 48);
  v128.store(spare, c20, 64);
  v128.store(spare, c21, 80);
  v128.store(spare, c30, 96);
  v128.store(spare, c31, 112);
}
