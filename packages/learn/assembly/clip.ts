/** Norms in double precision, and sums of integers: what is clipped, cut to the grid and added up. ../src/clipping/clipped-sum.proof.md */

/**
 * Σ x² in double precision, in eight sums: the i-th takes every eighth entry from the i-th on; then those are added as
 * ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)).
 */
export function squaredNorm(x: usize, count: i32): f64 {
  let s01 = f64x2.splat(0);
  let s23 = s01;
  let s45 = s01;
  let s67 = s01;
  let at = x;
  const whole = x + ((<usize>(count & ~7)) << 2);
  while (at < whole) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const a0 = f64x2.promote_low_f32x4(a);
    const a1 = f64x2.promote_low_f32x4(i64x2.shuffle(a, a, 1, 0));
    const b0 = f64x2.promote_low_f32x4(b);
    const b1 = f64x2.promote_low_f32x4(i64x2.shuffle(b, b, 1, 0));
    s01 = f64x2.add(s01, f64x2.mul(a0, a0));
    s23 = f64x2.add(s23, f64x2.mul(a1, a1));
    s45 = f64x2.add(s45, f64x2.mul(b0, b0));
    s67 = f64x2.add(s67, f64x2.mul(b1, b1));
    at += 32;
  }
  const rest = count & 7;
  if (rest > 0) s01 = f64x2.add(s01, squares(at, 0, rest));
  if (rest > 2) s23 = f64x2.add(s23, squares(at, 2, rest));
  if (rest > 4) s45 = f64x2.add(s45, squares(at, 4, rest));
  if (rest > 6) s67 = f64x2.add(s67, squares(at, 6, rest));
  return pair(s01) + pair(s23) + (pair(s45) + pair(s67));
}

function squares(at: usize, first: i32, rest: i32): v128 {
  const place = at + ((<usize>first) << 2);
  const low = <f64>load<f32>(place);
  const high = first + 1 < rest ? <f64>load<f32>(place, 4) : 0;
  return f64x2.replace_lane(f64x2.splat(low * low), 1, high * high);
}

function pair(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
}

/** {@link squaredNorm} of each of `rows` rows, `stride` bytes apart, into doubles. */
export function squaredNorms(x: usize, stride: usize, count: i32, rows: i32, out: usize): void {
  for (let r = 0; r < rows; r++)
    store<f64>(out + ((<usize>r) << 3), squaredNorm(x + <usize>r * stride, count));
}

/** to = x·scale in float32. */
export function scaled(x: usize, count: i32, scale: f32, to: usize): void {
  const s = f32x4.splat(scale);
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const place = (<usize>i) << 2;
    v128.store(to + place, f32x4.mul(v128.load(x + place), s));
  }
  for (; i < count; i++) {
    const place = (<usize>i) << 2;
    store<f32>(to + place, load<f32>(x + place) * scale);
  }
}

/**
 * Adds trunc(x·scale) to totals, and gives Σ of their squares: exact, where each is at most 2^20 in size and there are fewer than 2^13 that
 * large, and otherwise at least 2^40 − 1, or NaN.
 */
export function addDense(x: usize, count: i32, scale: f32, totals: usize): f64 {
  const s = f32x4.splat(scale);
  let q0 = f64x2.splat(0);
  let q1 = q0;
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const v = f32x4.trunc(f32x4.mul(v128.load(x + ((<usize>i) << 2)), s));
    const low = f64x2.promote_low_f32x4(v);
    const high = f64x2.promote_low_f32x4(i64x2.shuffle(v, v, 1, 0));
    const to = totals + ((<usize>i) << 3);
    q0 = f64x2.add(q0, f64x2.mul(low, low));
    q1 = f64x2.add(q1, f64x2.mul(high, high));
    v128.store(to, f64x2.add(v128.load(to), low));
    v128.store(to, f64x2.add(v128.load(to, 16), high), 16);
  }
  let q = pair(q0) + pair(q1);
  for (; i < count; i++) {
    const v = <f64>trunc<f32>(load<f32>(x + ((<usize>i) << 2)) * scale);
    const to = totals + ((<usize>i) << 3);
    q += v * v;
    store<f64>(to, load<f64>(to) + v);
  }
  return q;
}

/** Adds doubles to doubles; a buffer has room for one more. */
export function addDoubles(more: usize, count: i32, totals: usize): void {
  for (let i = 0; i < count; i += 2) {
    const place = (<usize>i) << 3;
    v128.store(totals + place, f64x2.add(v128.load(totals + place), v128.load(more + place)));
  }
}

/**
 * totals[k, m] += Σ_u trunc(x[u, k]·a[u, m]) over at most 16 units, m below 4·vectors. Each summand is an integer of at most 2^20, so that all
 * sums of 16 are exact in float32. Rows of a are filled up with zeros to whole vectors; a row of totals has `columns` doubles, and zeros
 * are added to up to three beyond it.
 */
export function addOuter(
  x: usize,
  strideX: usize,
  a: usize,
  strideA: usize,
  units: i32,
  depth: i32,
  columns: i32,
  totals: usize,
): void {
  const row = (<usize>columns) << 3;
  for (let first = 0; first < columns; first += 8) {
    const from = a + ((<usize>first) << 2);
    let to = totals + ((<usize>first) << 3);
    const both = columns - first > 4;
    let k = 0;
    for (; k + 4 <= depth; k += 4) {
      if (both) outer4x8(x + ((<usize>k) << 2), strideX, from, strideA, units, to, row);
      else outer4x4(x + ((<usize>k) << 2), strideX, from, strideA, units, to, row);
      to += 4 * row;
    }
    for (; k < depth; k++) {
      outer1x4(x + ((<usize>k) << 2), strideX, from, strideA, units, to);
      if (both) outer1x4(x + ((<usize>k) << 2), strideX, from + 16, strideA, units, to + 32);
      to += row;
    }
  }
}

function addTotals(at: usize, v: v128): void {
  const low = f64x2.promote_low_f32x4(v);
  const high = f64x2.promote_low_f32x4(i64x2.shuffle(v, v, 1, 0));
  v128.store(at, f64x2.add(v128.load(at), low));
  v128.store(at, f64x2.add(v128.load(at, 16), high), 16);
}

function cut(s: v128, a: v128): v128 {
  return f32x4.trunc(f32x4.mul(s, a));
}

export function outer4x8(
  x: usize,
  strideX: usize,
  a: usize,
  strideA: usize,
  units: i32,
  totals: usize,
  row: usize,
): void {
  let c00 = f32x4.splat(0);
  let c01 = c00;
  let c10 = c00;
  let c11 = c00;
  let c20 = c00;
  let c21 = c00;
  let c30 = c00;
  let c31 = c00;
  let from = x;
  let at = a;
  for (let u = 0; u < units; u++) {
    const a0 = v128.load(at);
    const a1 = v128.load(at, 16);
    let s = v128.load32_splat(from);
    c00 = f32x4.add(c00, cut(s, a0));
    c01 = f32x4.add(c01, cut(s, a1));
    s = v128.load32_splat(from, 4);
    c10 = f32x4.add(c10, cut(s, a0));
    c11 = f32x4.add(c11, cut(s, a1));
    s = v128.load32_splat(from, 8);
    c20 = f32x4.add(c20, cut(s, a0));
    c21 = f32x4.add(c21, cut(s, a1));
    s = v128.load32_splat(from, 12);
    c30 = f32x4.add(c30, cut(s, a0));
    c31 = f32x4.add(c31, cut(s, a1));
    from += strideX;
    at += strideA;
  }
  addTotals(totals, c00);
  addTotals(totals + 32, c01);
  let to = totals + row;
  addTotals(to, c10);
  addTotals(to + 32, c11);
  to += row;
  addTotals(to, c20);
  addTotals(to + 32, c21);
  to += row;
  addTotals(to, c30);
  addTotals(to + 32, c31);
}

export function outer4x4(
  x: usize,
  strideX: usize,
  a: usize,
  strideA: usize,
  units: i32,
  totals: usize,
  row: usize,
): void {
  let c0 = f32x4.splat(0);
  let c1 = c0;
  let c2 = c0;
  let c3 = c0;
  let from = x;
  let at = a;
  for (let u = 0; u < units; u++) {
    const a0 = v128.load(at);
    c0 = f32x4.add(c0, cut(v128.load32_splat(from), a0));
    c1 = f32x4.add(c1, cut(v128.load32_splat(from, 4), a0));
    c2 = f32x4.add(c2, cut(v128.load32_splat(from, 8), a0));
    c3 = f32x4.add(c3, cut(v128.load32_splat(from, 12), a0));
    from += strideX;
    at += strideA;
  }
  addTotals(totals, c0);
  addTotals(totals + row, c1);
  addTotals(totals + 2 * row, c2);
  addTotals(totals + 3 * row, c3);
}

function outer1x4(x: usize, strideX: usize, a: usize, strideA: usize, units: i32, totals: usize): void {
  let c = f32x4.splat(0);
  let from = x;
  let at = a;
  for (let u = 0; u < units; u++) {
    c = f32x4.add(c, cut(v128.load32_splat(from), v128.load(at)));
    from += strideX;
    at += strideA;
  }
  addTotals(totals, c);
}
