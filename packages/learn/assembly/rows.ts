/** Whether all of `count` entries are finite. */
export function areFinite(x: usize, count: i32): bool {
  const zero = f32x4.splat(0);
  let sum = zero;
  let i = 0;
  for (; i + 4 <= count; i += 4) sum = f32x4.add(sum, f32x4.mul(v128.load(x + ((<usize>i) << 2)), zero));
  for (; i < count; i++) sum = f32x4.add(sum, f32x4.splat(load<f32>(x + ((<usize>i) << 2)) * 0));
  return v128.all_true<i32>(f32x4.eq(sum, zero));
}

/** Writes zeros over `bytes` bytes. */
export function clear(at: usize, bytes: usize): void {
  memory.fill(at, 0, bytes);
}

/** Rounds doubles to float32. */
export function narrow(from: usize, count: i32, to: usize): void {
  for (let i = 0; i < count; i++)
    store<f32>(to + ((<usize>i) << 2), <f32>load<f64>(from + ((<usize>i) << 3)));
}
