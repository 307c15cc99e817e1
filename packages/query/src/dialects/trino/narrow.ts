/** The least type that holds an integer: what is grouped by it is handed between machines. @example narrow("x", 0, 99) // => "TRY_CAST(x AS tinyint)" */
export function narrow(integer: string, lo: number, hi: number): string {
  const type = types.find(([, bits]) => lo >= -(2 ** bits) && hi < 2 ** bits)?.[0];
  return type === undefined ? integer : `TRY_CAST(${integer} AS ${type})`;
}

const types = [
  ["tinyint", 7],
  ["smallint", 15],
  ["integer", 31],
] as const;
