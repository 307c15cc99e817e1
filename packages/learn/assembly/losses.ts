import { exp4, sigmoid4 } from "./exponential.ts";

/*
 * Gradients of the losses of `rows` rows by what the network gave: `count` entries a row, without gaps. A buffer has room for three more.
 */

/** Softmax minus the one-hot label. A label is a whole number below `count`. */
export function softmaxGradient(z: usize, labels: usize, rows: i32, count: i32, d: usize): void {
  const row = (<usize>count) << 2;
  for (let r = 0; r < rows; r++) {
    const from = z + <usize>r * row;
    const to = d + <usize>r * row;
    let most = load<f32>(from);
    for (let i: usize = 4; i < row; i += 4) most = max(most, load<f32>(from + i));
    const top = f32x4.splat(most);
    for (let i: usize = 0; i < row; i += 16) v128.store(to + i, exp4(f32x4.sub(v128.load(from + i), top)));
    let sum: f32 = 0;
    for (let i: usize = 0; i < row; i += 4) sum += load<f32>(to + i);
    for (let i: usize = 0; i < row; i += 4) store<f32>(to + i, load<f32>(to + i) / sum);
    const own = to + ((<usize>load<f32>(labels + ((<usize>r) << 2))) << 2);
    store<f32>(own, load<f32>(own) - 1);
  }
}

/** Sigmoid minus the label, 0 or 1. */
export function logisticGradient(z: usize, labels: usize, count: i32, d: usize): void {
  for (let i = 0; i < count; i += 4) {
    const place = (<usize>i) << 2;
    v128.store(d + place, f32x4.sub(sigmoid4(v128.load(z + place)), v128.load(labels + place)));
  }
}

/** The difference: the gradient of half the square of it. */
export function differenceGradient(z: usize, labels: usize, count: i32, d: usize): void {
  for (let i = 0; i < count; i += 4) {
    const place = (<usize>i) << 2;
    v128.store(d + place, f32x4.sub(v128.load(z + place), v128.load(labels + place)));
  }
}
