/** Stores the first `count` lanes, 1 to 4. */
export function storeLanes(at: usize, value: v128, count: i32): void {
  if (count >= 4) {
    v128.store(at, value);
    return;
  }
  v128.store32_lane(at, value, 0);
  if (count > 1) v128.store32_lane(at, value, 1, 4);
  if (count > 2) v128.store32_lane(at, value, 2, 8);
}
