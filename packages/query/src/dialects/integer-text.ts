/** An integer of at most 64 bits, as every engine reads it: of whatever integer type fits it. */
export function integerText(value: bigint): string {
  return value < 0n ? `(${value})` : `${value}`;
}
