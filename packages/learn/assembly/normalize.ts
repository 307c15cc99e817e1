/*
 * Normalization of sets of one example's entries: a set is `positions` runs of `width` entries, `stride` entries apart. A layer's norm has one run
 * a set, a group's norm one run at every place of the picture. Sums are in double precision. Kept for the way back: the normalized entries and one
 * scale a set.
 */

const epsilon: f64 = 1e-5;

export function normalize(
  x: usize,
  positions: i32,
  width: i32,
  stride: i32,
  gain: usize,
  bias: usize,
  normalized: usize,
  scale: usize,
  y: usize,
): void {
  const count = <f64>(positions * width);
  let sum: f64 = 0;
  for (let p = 0; p < positions; p++) {
    for (let c = 0; c < width; c++) sum += load<f32>(x + ((<usize>(p * stride + c)) << 2));
  }
  const mean = sum / count;
  let squares: f64 = 0;
  for (let p = 0; p < positions; p++) {
    for (let c = 0; c < width; c++) {
      const d = <f64>load<f32>(x + ((<usize>(p * stride + c)) << 2)) - mean;
      squares += d * d;
    }
  }
  const factor = 1 / sqrt<f64>(squares / count + epsilon);
  store<f64>(scale, factor);
  for (let p = 0; p < positions; p++) {
    for (let c = 0; c < width; c++) {
      const place = (<usize>(p * stride + c)) << 2;
      const value = <f32>((<f64>load<f32>(x + place) - mean) * factor);
      const channel = (<usize>c) << 2;
      store<f32>(normalized + place, value);
      store<f32>(y + place, value * load<f32>(gain + channel) + load<f32>(bias + channel));
    }
  }
}

/** Adds to the gradients of gain and bias, and writes that of x. */
export function normalizeBack(
  normalized: usize,
  scale: usize,
  dy: usize,
  positions: i32,
  width: i32,
  stride: i32,
  gain: usize,
  dgain: usize,
  dbias: usize,
  dx: usize,
): void {
  const count = <f64>(positions * width);
  let sum: f64 = 0;
  let along: f64 = 0;
  for (let p = 0; p < positions; p++) {
    for (let c = 0; c < width; c++) {
      const place = (<usize>(p * stride + c)) << 2;
      const channel = (<usize>c) << 2;
      const gradient = load<f32>(dy + place);
      const value = load<f32>(normalized + place);
      store<f32>(dgain + channel, load<f32>(dgain + channel) + gradient * value);
      store<f32>(dbias + channel, load<f32>(dbias + channel) + gradient);
      const inner = <f64>gradient * <f64>load<f32>(gain + channel);
      sum += inner;
      along += inner * <f64>value;
    }
  }
  const factor = load<f64>(scale);
  for (let p = 0; p < positions; p++) {
    for (let c = 0; c < width; c++) {
      const place = (<usize>(p * stride + c)) << 2;
      const inner = <f64>load<f32>(dy + place) * <f64>load<f32>(gain + ((<usize>c) << 2));
      const value = <f64>load<f32>(normalized + place);
      store<f32>(dx + place, <f32>(factor * (inner - (sum + value * along) / count)));
    }
  }
}
