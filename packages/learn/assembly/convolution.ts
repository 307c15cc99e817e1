/*
 * What a convolution needs beside products of matrices. One example is [height, width, channels] without gaps.
 */

/** Copies [height, width, channels] into the middle of a larger [·, paddedWidth, channels], whose border holds zeros. */
export function pad(
  x: usize,
  height: i32,
  width: i32,
  channels: i32,
  padding: i32,
  paddedWidth: i32,
  padded: usize,
): void {
  const row = (<usize>(width * channels)) << 2;
  for (let h = 0; h < height; h++) {
    const to = padded + ((<usize>(((h + padding) * paddedWidth + padding) * channels)) << 2);
    memory.copy(to, x + <usize>h * row, row);
  }
}

/** The reverse of {@link pad}: copies the middle out. */
export function unpad(
  padded: usize,
  height: i32,
  width: i32,
  channels: i32,
  padding: i32,
  paddedWidth: i32,
  x: usize,
): void {
  const row = (<usize>(width * channels)) << 2;
  for (let h = 0; h < height; h++) {
    const from = padded + ((<usize>(((h + padding) * paddedWidth + padding) * channels)) << 2);
    memory.copy(x + <usize>h * row, from, row);
  }
}

/** sums[m] = Σ_r d[r, m], or that added to what stands there: the gradient of a bias. */
export function addRows(d: usize, rows: i32, columns: i32, sums: usize, add: bool): void {
  const stride = (<usize>columns) << 2;
  if (!add) memory.fill(sums, 0, stride);
  let m = 0;
  for (; m + 16 <= columns; m += 16) {
    const place = (<usize>m) << 2;
    const to = sums + place;
    let s0 = v128.load(to);
    let s1 = v128.load(to, 16);
    let s2 = v128.load(to, 32);
    let s3 = v128.load(to, 48);
    let from = d + place;
    for (let r = 0; r < rows; r++) {
      s0 = f32x4.add(s0, v128.load(from));
      s1 = f32x4.add(s1, v128.load(from, 16));
      s2 = f32x4.add(s2, v128.load(from, 32));
      s3 = f32x4.add(s3, v128.load(from, 48));
      from += stride;
    }
    v128.store(to, s0);
    v128.store(to, s1, 16);
    v128.store(to, s2, 32);
    v128.store(to, s3, 48);
  }
  for (; m < columns; m++) {
    const place = (<usize>m) << 2;
    let sum = load<f32>(sums + place);
    for (let r = 0; r < rows; r++) sum += load<f32>(d + place + <usize>r * stride);
    store<f32>(sums + place, sum);
  }
}
