/** Writes a public category in SQL. @example literal("it's") // => "'it''s'" */
export function literal(value: string | number | boolean): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return typeof value === "boolean" ? (value ? "TRUE" : "FALSE") : String(value);
}

/**
 * Writes a double in SQL so that it is read back as the same double, also by engines that read 0.1 as a decimal.
 * @example double(-0.5) // => "(-5e-1)"
 */
export function double(value: number): string {
  const text = value.toExponential();
  return text.startsWith("-") ? `(${text})` : text;
}
