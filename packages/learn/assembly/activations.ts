import { sigmoid4, tanh4 } from "./exponential.ts";

/*
 * Functions of single entries, forward and backward, over `count` float32 rounded up to whole vectors: buffers have room for that. Backward
 * takes the output y and the gradient of it.
 */

export function relu(x: usize, count: i32, y: usize): void {
  const zero = f32x4.splat(0);
  for (let i = 0; i < count; i += 4) {
    const place = (<usize>i) << 2;
    // x < 0 ? 0 : x, so that NaN stays NaN.
    v128.store(y + place, f32x4.pmax(v128.load(x + place), zero));
  }
}

export function reluBack(y: usize, dy: usize, count: i32, dx: usize): void {
  const zero = f32x4.splat(0);
  for (let i = 0; i < count; i += 4) {
    const place = (<usize>i) << 2;
    v128.store(dx + place, v128.and(v128.load(dy + place), f32x4.gt(v128.load(y + place), zero)));
  }
}

export function tanh(x: usize, count: i32, y: usize): void {
  for (let i = 0; i < count; i += 4) {
    const place = (<usize>i) << 2;
    v128.store(y + place, tanh4(v128.load(x + place)));
  }
}

export function tanhBack(y: usize, dy: usize, count: i32, dx: usize): void {
  const one = f32x4.splat(1);
  for (let i = 0; i < count; i += 4) {
    const place = (<usize>i) << 2;
    const value = v128.load(y + place);
    const slope = f32x4.sub(one, f32x4.mul(value, value));
    v128.store(dx + place, f32x4.mul(v128.load(dy + place), slope));
  }
}

export function sigmoid(x: usize, count: i32, y: usize): void {
  for (let i = 0; i < count; i += 4) {
    const place = (<usize>i) << 2;
    v128.store(y + place, sigmoid4(v128.load(x + place)));
  }
}

export function sigmoidBack(y: usize, dy: usize, count: i32, dx: usize): void {
  const one = f32x4.splat(1);
  for (let i = 0; i < count; i += 4) {
    const place = (<usize>i) << 2;
    const value = v128.load(y + place);
    const slope = f32x4.mul(value, f32x4.sub(one, value));
    v128.store(dx + place, f32x4.mul(v128.load(dy + place), slope));
  }
}
