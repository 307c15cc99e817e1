/**
 * Products of matrices of float32. Every entry is one chain of additions in the order of the inner index, whichever tile computes it, so a
 * result depends neither on how many rows are computed together nor on where a row stands among them.
 */

/*
 * The tiles are exported for the compiler alone: what is used in one place only it would put there, and many loops in one function get registers from
 * none.
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

/** A tile's own place. */
const spare: usize = memory.data(160, 16);
const spareRow: usize = 32;

function copyColumns(height: i32, columns: i32, to: usize, stride: usize): void {
  for (let r = 0; r < height; r++)
    memory.copy(to + <usize>r * stride, spare + <usize>r * spareRow, (<usize>columns) << 2);
}

function tile(
  height: i32,
  width: i32,
  a: usize,
  strideA: usize,
  depth: i32,
  panel: usize,
  start: usize,
  c: usize,
  strideC: usize,
): void {
  if (width === wide) {
    if (height === 5) tile5x8(a, strideA, depth, panel, start, c, strideC);
    else if (height === 4) tile4x8(a, strideA, depth, panel, start, c, strideC);
    else tile1x8(a, depth, panel, start, c);
  } else if (height === 4) tile4x4(a, strideA, depth, panel, start, c, strideC);
  else tile1x4(a, depth, panel, start, c);
}

/** The height of the tiles. */
function tileRows(rows: i32): i32 {
  if (rows < 4) return 1;
  // Five rows share the columns better: worth up to a sixteenth of rows that are computed twice.
  return rows >= 5 && ((rows + 4) / 5) * 5 * 16 <= ((rows + 3) & ~3) * 17 ? 5 : 4;
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
    const height = width === wide ? tall : min(tall, 4);
    for (let r = 0; r < rows; r += height) {
      // The last tile may compute rows again, to the same bytes.
      const row = <usize>min(r, rows - height);
      const place = to + row * strideC;
      // A whole panel is written where it belongs; of another only the columns that there are.
      const whole = left >= width;
      tile(
        height,
        width,
        a + row * strideA,
        strideA,
        depth,
        panel,
        from,
        whole ? place : spare,
        whole ? strideC : spareRow,
      );
      if (!whole) copyColumns(height, left, place, strideC);
    }
    panel += (<usize>(depth * width)) << 2;
    first += width;
  }
}

export function tile4x8(
  a: usize,
  strideA: usize,
  depth: i32,
  panel: usize,
  start: usize,
  c: usize,
  strideC: usize,
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
  v128.store(c, c00);
  v128.store(c, c01, 16);
  v128.store(c + strideC, c10);
  v128.store(c + strideC, c11, 16);
  v128.store(c + 2 * strideC, c20);
  v128.store(c + 2 * strideC, c21, 16);
  v128.store(c + 3 * strideC, c30);
  v128.store(c + 3 * strideC, c31, 16);
}

export function tile5x8(
  a: usize,
  strideA: usize,
  depth: i32,
  panel: usize,
  start: usize,
  c: usize,
  strideC: usize,
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
  v128.store(c, c00);
  v128.store(c, c01, 16);
  v128.store(c + strideC, c10);
  v128.store(c + strideC, c11, 16);
  v128.store(c + 2 * strideC, c20);
  v128.store(c + 2 * strideC, c21, 16);
  v128.store(c + 3 * strideC, c30);
  v128.store(c + 3 * strideC, c31, 16);
  v128.store(c + 4 * strideC, c40);
  v128.store(c + 4 * strideC, c41, 16);
}

export function tile4x4(
  a: usize,
  strideA: usize,
  depth: i32,
  panel: usize,
  start: usize,
  c: usize,
  strideC: usize,
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
  v128.store(c, c0);
  v128.store(c + strideC, c1);
  v128.store(c + 2 * strideC, c2);
  v128.store(c + 3 * strideC, c3);
}

function tile1x8(a: usize, depth: i32, panel: usize, start: usize, c: usize): void {
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
  v128.store(c, c0);
  v128.store(c, c1, 16);
}

function tile1x4(a: usize, depth: i32, panel: usize, start: usize, c: usize): void {
  let c0 = v128.load(start);
  let a0 = a;
  let b = panel;
  const end = b + ((<usize>depth) << 4);
  while (b < end) {
    c0 = f32x4.add(c0, f32x4.mul(v128.load32_splat(a0), v128.load(b)));
    a0 += 4;
    b += 16;
  }
  v128.store(c, c0);
}
