/** Whether every one of `count` entries is a whole number from 0 to below `limit`. NaN is none. */
export function areIndices(x: usize, count: i32, limit: i32): bool {
  for (let i = 0; i < count; i++) {
    const value = load<f32>(x + ((<usize>i) << 2));
    if (!(value >= 0 && value < <f32>limit && trunc<f32>(value) === value)) return false;
  }
  return true;
}

/** Copies the table's row of every index. */
export function embed(x: usize, count: i32, width: i32, table: usize, y: usize): void {
  const row = (<usize>width) << 2;
  for (let i = 0; i < count; i++) {
    const index = <usize>load<f32>(x + ((<usize>i) << 2));
    memory.copy(y + <usize>i * row, table + index * row, row);
  }
}

/** Adds every row's gradient to the row of the table that it was copied from. */
export function embedBack(x: usize, dy: usize, count: i32, width: i32, dtable: usize): void {
  const row = (<usize>width) << 2;
  for (let i = 0; i < count; i++) {
    const to = dtable + <usize>load<f32>(x + ((<usize>i) << 2)) * row;
    const from = dy + <usize>i * row;
    for (let c: usize = 0; c < row; c += 4) store<f32>(to + c, load<f32>(to + c) + load<f32>(from + c));
  }
}
