/*
 * One example of a convolution, laid out [height, width, channels] without gaps. A window is one row of a matrix, in the order [kernel row, kernel
 * column, channel], so that the convolution is a product of matrices.
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

/**
 * Writes every window of x as a row. A window's row of the kernel lies together in x; it is copied by whole vectors, of which up to three
 * entries beyond are overwritten by what follows. `windows` has room for three more.
 */
export function unfold(
  x: usize,
  width: i32,
  channels: i32,
  kernel: i32,
  stride: i32,
  outHeight: i32,
  outWidth: i32,
  windows: usize,
): void {
  const length = (<usize>(kernel * channels)) << 2;
  const row = (<usize>(width * channels)) << 2;
  const step = (<usize>(stride * channels)) << 2;
  let to = windows;
  for (let oh = 0; oh < outHeight; oh++) {
    let corner = x + <usize>(oh * stride) * row;
    for (let ow = 0; ow < outWidth; ow++) {
      let from = corner;
      for (let kh = 0; kh < kernel; kh++) {
        v128.store(to, v128.load(from));
        if (length > 16) v128.store(to, v128.load(from, 16), 16);
        for (let i: usize = 32; i < length; i += 16) v128.store(to + i, v128.load(from + i));
        to += length;
        from += row;
      }
      corner += step;
    }
  }
}

/** Adds every window's gradient to the places that it was read from. */
export function fold(
  windows: usize,
  width: i32,
  channels: i32,
  kernel: i32,
  stride: i32,
  outHeight: i32,
  outWidth: i32,
  dx: usize,
): void {
  const length = (<usize>(kernel * channels)) << 2;
  const whole = length & ~15;
  const row = (<usize>(width * channels)) << 2;
  const step = (<usize>(stride * channels)) << 2;
  let from = windows;
  for (let oh = 0; oh < outHeight; oh++) {
    let corner = dx + <usize>(oh * stride) * row;
    for (let ow = 0; ow < outWidth; ow++) {
      let to = corner;
      for (let kh = 0; kh < kernel; kh++) {
        let i: usize = 0;
        for (; i < whole; i += 16) v128.store(to + i, f32x4.add(v128.load(to + i), v128.load(from + i)));
        for (; i < length; i += 4) store<f32>(to + i, load<f32>(to + i) + load<f32>(from + i));
        from += length;
        to += row;
      }
      corner += step;
    }
  }
}

/** sums[m] += Σ_r d[r, m]: the gradient of a bias. */
export function addRows(d: usize, rows: i32, columns: i32, sums: usize): void {
  const stride = (<usize>columns) << 2;
  let m = 0;
  for (; m + 4 <= columns; m += 4) {
    const place = (<usize>m) << 2;
    let sum = v128.load(sums + place);
    let from = d + place;
    for (let r = 0; r < rows; r++) {
      sum = f32x4.add(sum, v128.load(from));
      from += stride;
    }
    v128.store(sums + place, sum);
  }
  for (; m < columns; m++) {
    const place = (<usize>m) << 2;
    let sum = load<f32>(sums + place);
    for (let r = 0; r < rows; r++) sum += load<f32>(d + place + <usize>r * stride);
    store<f32>(sums + place, sum);
  }
}
