/**
 * Products of matrices of float32. Every entry is one chain of additions in the order of the inner index, whichever tile computes it, so a
 * result depends neither on how many rows are computed together nor on where a row stands among them.
 */

/*
 * A row of a may lie in several runs, as a window lies in a picture: `runs` of them, `run` entries long, `jump` bytes from one's beginning to the
 * next's. Where rows begin stands in a table of offsets in bytes, and so do the rows of the result.
 */

/** Columns of the panels in which a matrix is packed: wide ones, and a narrow one for the last few. */
const wide: i32 = 16;
const narrow: i32 = 8;

/**
 * Packs depth × columns doubles, `rowStep` and `columnStep` apart, as float32: first the columns that fill no wide panel, in one that is filled up with
 * zeros, then wide panels. Of a matrix stored by rows the steps are (columns, 1); of its transpose (1, rows).
 */
export function pack(
  from: usize,
  depth: i32,
  columns: i32,
  rowStep: i32,
  columnStep: i32,
  panels: usize,
): void {
  const left = columns & (wide - 1);
  const whole = columns - left;
  let to = panels;
  if (left > 0) {
    packPanel(from, depth, whole, left, left > narrow ? wide : narrow, rowStep, columnStep, to);
    to += (<usize>(depth * (left > narrow ? wide : narrow))) << 2;
  }
  for (let first = 0; first < whole; first += wide) {
    packPanel(from, depth, first, wide, wide, rowStep, columnStep, to);
    to += (<usize>(depth * wide)) << 2;
  }
}

function packPanel(
  from: usize,
  depth: i32,
  first: i32,
  columns: i32,
  width: i32,
  rowStep: i32,
  columnStep: i32,
  panel: usize,
): void {
  let to = panel;
  for (let k = 0; k < depth; k++) {
    let place = from + ((<usize>(k * rowStep + first * columnStep)) << 3);
    for (let n = 0; n < width; n++) {
      store<f32>(to, n < columns ? <f32>load<f64>(place) : 0);
      place += (<usize>columnStep) << 3;
      to += 4;
    }
  }
}

/** Four rows of a tile that is not written where it belongs, where they begin, and one that is thrown away. */
const spare: usize = memory.data(256, 16);
const spareRows: usize = memory.data<u32>([0, 64, 128, 192]);
const unread: usize = memory.data(64, 16);

/**
 * c[r, n] = start[n] + Σ_k a[r, k]·b[k, n] for `rows` rows, b packed; or that added to what stands in c, where rows may overlap: panel after panel, and
 * of each row after row. Reads up to 60 bytes past `start`.
 */
export function multiply(
  a: usize,
  aRows: usize,
  rows: i32,
  runs: i32,
  run: i32,
  jump: usize,
  panels: usize,
  columns: i32,
  start: usize,
  c: usize,
  cRows: usize,
  add: bool,
): void {
  const left = columns & (wide - 1);
  const whole = (<usize>(columns - left)) << 2;
  const height = <usize>(runs * run);
  let panel = panels;
  if (left > 0) {
    const width = left > narrow ? wide : narrow;
    for (let r = 0; r < rows; r += 4) {
      const some = min(rows - r, 4);
      const place = (<usize>r) << 2;
      if (width === wide)
        wideTiles(a, aRows + place, some, runs, run, jump, panel, start + whole, spare, spareRows, false);
      else narrowTile(a, aRows + place, some, runs, run, jump, panel, start + whole, spare);
      for (let i = 0; i < some; i++) {
        const to = c + load<u32>(cRows + place + ((<usize>i) << 2)) + whole;
        put(spare + ((<usize>i) << 6), left, to, add);
      }
    }
    panel += (height * <usize>width) << 2;
  }
  for (let column: usize = 0; column < whole; column += 64) {
    wideTiles(a, aRows, rows, runs, run, jump, panel, start + column, c + column, cRows, add);
    panel += height << 6;
  }
}

function put(from: usize, count: i32, to: usize, add: bool): void {
  for (let n = 0; n < count; n++) {
    const place = (<usize>n) << 2;
    const value = load<f32>(from + place);
    store<f32>(to + place, add ? load<f32>(to + place) + value : value);
  }
}

function store16(to: usize, v0: v128, v1: v128, v2: v128, v3: v128): void {
  v128.store(to, v0);
  v128.store(to, v1, 16);
  v128.store(to, v2, 32);
  v128.store(to, v3, 48);
}

function add16(to: usize, v0: v128, v1: v128, v2: v128, v3: v128): void {
  v128.store(to, f32x4.add(v128.load(to), v0));
  v128.store(to, f32x4.add(v128.load(to, 16), v1), 16);
  v128.store(to, f32x4.add(v128.load(to, 32), v2), 32);
  v128.store(to, f32x4.add(v128.load(to, 48), v3), 48);
}

/*
 * What follows is exported for the compiler alone: what is used in one place only it would put there, and many loops in one function get registers from
 * none. A loop is left in its middle rather than counted in fours, because engines keep each part between two exits in the order in which it stands
 * here, and would gather the loads of four steps to more than they have registers for.
 */

/** Tiles of 2 rows × 16 columns, down one panel. */
export function wideTiles(
  a: usize,
  aRows: usize,
  rows: i32,
  runs: i32,
  run: i32,
  jump: usize,
  panel: usize,
  start: usize,
  c: usize,
  cRows: usize,
  add: bool,
): void {
  const length = (<usize>run) << 6;
  for (let r = 0; r < rows; r += 2) {
    const place = (<usize>r) << 2;
    const two = r + 1 < rows;
    // Of a single row the second one of the tile is computed too, and thrown away.
    let run0 = a + load<u32>(aRows + place);
    let run1 = two ? a + load<u32>(aRows + place, 4) : run0;
    const to0 = c + load<u32>(cRows + place);
    const to1 = two ? c + load<u32>(cRows + place, 4) : unread;
    let c00 = v128.load(start);
    let c01 = v128.load(start, 16);
    let c02 = v128.load(start, 32);
    let c03 = v128.load(start, 48);
    let c10 = c00;
    let c11 = c01;
    let c12 = c02;
    let c13 = c03;
    let b = panel;
    for (let i = 0; i < runs; i++) {
      const end = b + length;
      let a0 = run0;
      let a1 = run1;
      while (true) {
        let s0 = v128.load32_splat(a0);
        let s1 = v128.load32_splat(a1);
        let bv = v128.load(b);
        c00 = f32x4.add(c00, f32x4.mul(s0, bv));
        c10 = f32x4.add(c10, f32x4.mul(s1, bv));
        bv = v128.load(b, 16);
        c01 = f32x4.add(c01, f32x4.mul(s0, bv));
        c11 = f32x4.add(c11, f32x4.mul(s1, bv));
        bv = v128.load(b, 32);
        c02 = f32x4.add(c02, f32x4.mul(s0, bv));
        c12 = f32x4.add(c12, f32x4.mul(s1, bv));
        bv = v128.load(b, 48);
        c03 = f32x4.add(c03, f32x4.mul(s0, bv));
        c13 = f32x4.add(c13, f32x4.mul(s1, bv));
        if (b + 64 >= end) break;
        s0 = v128.load32_splat(a0, 4);
        s1 = v128.load32_splat(a1, 4);
        bv = v128.load(b, 64);
        c00 = f32x4.add(c00, f32x4.mul(s0, bv));
        c10 = f32x4.add(c10, f32x4.mul(s1, bv));
        bv = v128.load(b, 80);
        c01 = f32x4.add(c01, f32x4.mul(s0, bv));
        c11 = f32x4.add(c11, f32x4.mul(s1, bv));
        bv = v128.load(b, 96);
        c02 = f32x4.add(c02, f32x4.mul(s0, bv));
        c12 = f32x4.add(c12, f32x4.mul(s1, bv));
        bv = v128.load(b, 112);
        c03 = f32x4.add(c03, f32x4.mul(s0, bv));
        c13 = f32x4.add(c13, f32x4.mul(s1, bv));
        a0 += 8;
        a1 += 8;
        b += 128;
        if (b >= end) break;
      }
      b = end;
      run0 += jump;
      run1 += jump;
    }
    if (add) {
      add16(to0, c00, c01, c02, c03);
      add16(to1, c10, c11, c12, c13);
    } else {
      store16(to0, c00, c01, c02, c03);
      store16(to1, c10, c11, c12, c13);
    }
  }
}

/** One tile of 4 rows × 8 columns, of which `rows` are asked for; its rows are written 64 bytes apart. */
export function narrowTile(
  a: usize,
  aRows: usize,
  rows: i32,
  runs: i32,
  run: i32,
  jump: usize,
  panel: usize,
  start: usize,
  c: usize,
): void {
  const last = (<usize>(rows - 1)) << 2;
  let run0 = a + load<u32>(aRows);
  let run1 = a + load<u32>(aRows + min(last, 4));
  let run2 = a + load<u32>(aRows + min(last, 8));
  let run3 = a + load<u32>(aRows + last);
  let c00 = v128.load(start);
  let c01 = v128.load(start, 16);
  let c10 = c00;
  let c11 = c01;
  let c20 = c00;
  let c21 = c01;
  let c30 = c00;
  let c31 = c01;
  let b = panel;
  for (let i = 0; i < runs; i++) {
    const end = b + ((<usize>run) << 5);
    let a0 = run0;
    let a1 = run1;
    let a2 = run2;
    let a3 = run3;
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
    run0 += jump;
    run1 += jump;
    run2 += jump;
    run3 += jump;
  }
  v128.store(c, c00);
  v128.store(c, c01, 16);
  v128.store(c, c10, 64);
  v128.store(c, c11, 80);
  v128.store(c, c20, 128);
  v128.store(c, c21, 144);
  v128.store(c, c30, 192);
  v128.store(c, c31, 208);
}
