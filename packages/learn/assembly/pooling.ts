/*
 * Pooling of one example, [height, width, channels] without gaps. Forward writes whole vectors: up to three entries beyond a position are
 * overwritten by the next, and a buffer has room for three more. Backward adds to dx, which holds zeros at first.
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
  for (let oh = 0; oh < outHeight; oh++) {
    for (let ow = 0; ow < outWidth; ow++) {
      const corner = x + <usize>(oh * stride) * row + <usize>(ow * stride) * position;
      const to = y + <usize>(oh * outWidth + ow) * position;
      for (let c: usize = 0; c < position; c += 16) {
        let most = v128.load(corner + c);
        if (kernel === 2) {
          most = f32x4.pmax(most, v128.load(corner + position + c));
          most = f32x4.pmax(most, v128.load(corner + row + c));
          most = f32x4.pmax(most, v128.load(corner + row + position + c));
          v128.store(to + c, most);
          continue;
        }
        for (let kh = 0; kh < kernel; kh++) {
          for (let kw = 0; kw < kernel; kw++)
            most = f32x4.pmax(most, v128.load(corner + <usize>kh * row + <usize>kw * position + c));
        }
        v128.store(to + c, most);
      }
    }
  }
}

/** Adds the gradient where an entry is the largest, and gives what is left. */
function give(x: usize, dx: usize, place: usize, most: v128, gradient: v128): v128 {
  const hit = f32x4.eq(v128.load(x + place), most);
  v128.store(dx + place, f32x4.add(v128.load(dx + place), v128.and(gradient, hit)));
  return v128.andnot(gradient, hit);
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
  const whole = position & ~15;
  const row = <usize>width * position;
  for (let oh = 0; oh < outHeight; oh++) {
    for (let ow = 0; ow < outWidth; ow++) {
      const corner = <usize>(oh * stride) * row + <usize>(ow * stride) * position;
      const at = <usize>(oh * outWidth + ow) * position;
      let c: usize = 0;
      for (; c < whole; c += 16) {
        const most = v128.load(y + at + c);
        let gradient = v128.load(dy + at + c);
        if (kernel === 2) {
          const above = corner + c;
          const below = above + row;
          gradient = give(x, dx, above, most, gradient);
          gradient = give(x, dx, above + position, most, gradient);
          gradient = give(x, dx, below, most, gradient);
          give(x, dx, below + position, most, gradient);
          continue;
        }
        for (let kh = 0; kh < kernel; kh++) {
          for (let kw = 0; kw < kernel; kw++) {
            const place = corner + <usize>kh * row + <usize>kw * position + c;
            gradient = give(x, dx, place, most, gradient);
          }
        }
      }
      for (; c < position; c += 4) {
        const most = load<f32>(y + at + c);
        let gradient = load<f32>(dy + at + c);
        for (let kh = 0; kh < kernel; kh++) {
          for (let kw = 0; kw < kernel; kw++) {
            const place = corner + <usize>kh * row + <usize>kw * position + c;
            if (load<f32>(x + place) !== most) continue;
            store<f32>(dx + place, load<f32>(dx + place) + gradient);
            gradient = 0;
          }
        }
      }
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
