/**
 * An integer of a byte, where it fits one: DuckDB then keeps groups in an array, for which it need not know what values
 * there are. Behind an expression, as over a raw column, it knows none, and would hash every row.
 * @example narrow("x", 0, 99) // => "TRY_CAST(x AS UTINYINT)"
 */
export function narrow(integer: string, lo: number, hi: number): string {
  if (lo >= 0 && hi <= 255) return `TRY_CAST(${integer} AS UTINYINT)`;
  return lo >= -128 && hi <= 127 ? `TRY_CAST(${integer} AS TINYINT)` : integer;
}
