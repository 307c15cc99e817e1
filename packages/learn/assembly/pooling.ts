/*
 * Pooling of one example, [height, width, channels] without gaps. A run is what can be done in one go: a line of windows where the stride is 1, for
 * then the places of each of them lie beside those of the one before, and else one window. Forward writes whole vectors: up to three entries
 * beyond a run are overwritten by the next, and a buffer has room for three more. Backward adds to dx, which holds zeros at first.
 */

export function maxPool(
  x: usize,
  width: i32,
  channels: i32,
  kernel: i32,
  stride: i32,
  outHeight: i32,
  outWidth: i32,
  y: usize,
): void {
  const position = (<usize>channels) << 2;
  const row = <usize>width * position;
  const runs = stride === 1 ? 1 : outWidth;
  const run = stride === 1 ? <usize>outWidth * position : position;
  let to = y;
  for (let oh = 0; oh < outHeight; oh++) {
    let corner = x + <usize>(oh * stride) * row;
    for (let r = 0; r < runs; r++) {
      if (kernel === 2) mostOfFour(corner, row, position, run, to);
      else mostOfWindow(corner, row, position, kernel, run, to);
      corner += <usize>stride * position;
      to += run;
    }
  }
}

export function mostOfFour(corner: usize, row: usize, position: usize, run: usize, y: usize): void {
  const end = corner + run;
  let above = corner;
  let below = corner + row;
  let to = y;
  while (above < end) {
    let most = f32x4.pmax(v128.load(above), v128.load(above + position));
    most = f32x4.pmax(most, v128.load(below));
    v128.store(to, f32x4.pmax(most, v128.load(below + position)));
    above += 16;
    below += 16;
    to += 16;
  }
}

function mostOfWindow(corner: usize, row: usize, position: usize, kernel: i32, run: usize, y: usize): void {
  for (let i: usize = 0; i < run; i += 16) {
    let most = v128.load(corner + i);
    for (let kh = 0; kh < kernel; kh++) {
      for (let kw = 0; kw < kernel; kw++)
        most = f32x4.pmax(most, v128.load(corner + <usize>kh * row + <usize>kw * position + i));
    }
    v128.store(y + i, most);
  }
}

/** The gradient of a maximum goes to the first place of the window that holds it. */
export function maxPoolBack(
  x: usize,
  y: usize,
  dy: usize,
  width: i32,
  channels: i32,
  kernel: i32,
  stride: i32,
  outHeight: i32,
  outWidth: i32,
  dx: usize,
): void {
  const position = (<usize>channels) << 2;
  const row = <usize>width * position;
  const runs = stride === 1 ? 1 : outWidth;
  const run = stride === 1 ? <usize>outWidth * position : position;
  const whole = run & ~15;
  let at: usize = 0;
  for (let oh = 0; oh < outHeight; oh++) {
    let corner = <usize>(oh * stride) * row;
    for (let r = 0; r < runs; r++) {
      if (kernel === 2) giveToFour(x, dx, corner, row, position, y + at, dy + at, whole);
      else giveToWindow(x, dx, corner, row, position, kernel, y + at, dy + at, whole);
      for (let i = whole; i < run; i += 4)
        giveEntry(x, dx, corner + i, row, position, kernel, load<f32>(y + at + i), load<f32>(dy + at + i));
      corner += <usize>stride * position;
      at += run;
    }
  }
}

/** Adds the gradient where an entry is the largest, and gives what is left. */
function give(x: usize, dx: usize, place: usize, most: v128, gradient: v128): v128 {
  const hit = f32x4.eq(v128.load(x + place), most);
  v128.store(dx + place, f32x4.add(v128.load(dx + place), v128.and(gradient, hit)));
  return v128.andnot(gradient, hit);
}

export function giveToFour(
  x: usize,
  dx: usize,
  corner: usize,
  row: usize,
  position: usize,
  y: usize,
  dy: usize,
  run: usize,
): void {
  for (let i: usize = 0; i < run; i += 16) {
    const above = corner + i;
    const below = above + row;
    const most = v128.load(y + i);
    let gradient = v128.load(dy + i);
    gradient = give(x, dx, above, most, gradient);
    gradient = give(x, dx, above + position, most, gradient);
    gradient = give(x, dx, below, most, gradient);
    give(x, dx, below + position, most, gradient);
  }
}

function giveToWindow(
  x: usize,
  dx: usize,
  corner: usize,
  row: usize,
  position: usize,
  kernel: i32,
  y: usize,
  dy: usize,
  run: usize,
): void {
  for (let i: usize = 0; i < run; i += 16) {
    const most = v128.load(y + i);
    let gradient = v128.load(dy + i);
    for (let kh = 0; kh < kernel; kh++) {
      for (let kw = 0; kw < kernel; kw++) {
        const place = corner + <usize>kh * row + <usize>kw * position + i;
        gradient = give(x, dx, place, most, gradient);
      }
    }
  }
}

/** The same for one entry. */
function giveEntry(
  x: usize,
  dx: usize,
  corner: usize,
  row: usize,
  position: usize,
  kernel: i32,
  most: f32,
  gradient: f32,
): void {
  for (let kh = 0; kh < kernel; kh++) {
    for (let kw = 0; kw < kernel; kw++) {
      const place = corner + <usize>kh * row + <usize>kw * position;
      if (load<f32>(x + place) !== most) continue;
      store<f32>(dx + place, load<f32>(dx + place) + gradient);
      return;
    }
  }
}

export function averagePool(
  x: usize,
  width: i32,
  channels: i32,
  kernel: i32,
  stride: i32,
  outHeight: i32,
  outWidth: i32,
  y: usize,
): void {
  const position = (<usize>channels) << 2;
  const row = <usize>width * position;
  const share = f32x4.splat(1 / <f32>(kernel * kernel));
  for (let oh = 0; oh < outHeight; oh++) {
    for (let ow = 0; ow < outWidth; ow++) {
      const corner = x + <usize>(oh * stride) * row + <usize>(ow * stride) * position;
      const to = y + <usize>(oh * outWidth + ow) * position;
      for (let c: usize = 0; c < position; c += 16) {
        let sum = f32x4.splat(0);
        for (let kh = 0; kh < kernel; kh++) {
          for (let kw = 0; kw < kernel; kw++)
            sum = f32x4.add(sum, v128.load(corner + <usize>kh * row + <usize>kw * position + c));
        }
        v128.store(to + c, f32x4.mul(sum, share));
      }
    }
  }
}

export function averagePoolBack(
  dy: usize,
  width: i32,
  channels: i32,
  kernel: i32,
  stride: i32,
  outHeight: i32,
  outWidth: i32,
  dx: usize,
): void {
  const position = (<usize>channels) << 2;
  const row = <usize>width * position;
  const share: f32 = 1 / <f32>(kernel * kernel);
  for (let oh = 0; oh < outHeight; oh++) {
    for (let ow = 0; ow < outWidth; ow++) {
      const corner = dx + <usize>(oh * stride) * row + <usize>(ow * stride) * position;
      const from = dy + <usize>(oh * outWidth + ow) * position;
      for (let c: usize = 0; c < position; c += 4) {
        const gradient = load<f32>(from + c) * share;
        for (let kh = 0; kh < kernel; kh++) {
          for (let kw = 0; kw < kernel; kw++) {
            const place = corner + <usize>kh * row + <usize>kw * position + c;
            store<f32>(place, load<f32>(place) + gradient);
          }
        }
      }
    }
  }
}
