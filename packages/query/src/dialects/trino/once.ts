/** A column or a lambda's argument, which costs nothing to repeat. */
const name = /^(?:\w+\.)?(?:\w+|"(?:[^"]|"")*")$/;

/** Writes a body that names its operand several times: a lambda over an array of one computes its operand once. A mere name is repeated. */
export function once(operand: string, body: (v: string) => string): string {
  return name.test(operand) ? `(${body(operand)})` : `transform(ARRAY[${operand}], v -> ${body("v")})[1]`;
}

/** NULL for NaN and ±Inf. */
export function finite(x: string): string {
  return once(x, (v) => `CASE WHEN is_finite(${v}) THEN ${v} END`);
}
