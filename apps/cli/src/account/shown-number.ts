/**
 * A number as a claim is printed: so many significant digits, rounded toward more loss ("up" for an ε or a δ that holds, "down"
 * for one that is asked for or proven from below). Never 0 for what is not 0.
 * @example shown(1.13374473, "up") // => "1.13375"
 */
export function shown(x: number, direction: "up" | "down", digits = 6): string {
  if (x === Number.POSITIVE_INFINITY) return "∞";
  if (x === 0) return "0";
  const nearest = Number(x.toPrecision(digits));
  const isSafe = direction === "up" ? nearest >= x : nearest <= x;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(x))) - digits + 1);
  const safe = isSafe ? nearest : Number((nearest + (direction === "up" ? unit : -unit)).toPrecision(digits));
  return plain(safe);
}

/** The shortest decimal: with an exponent below 1e-4 and from 1e9 on. */
function plain(x: number): string {
  const size = Math.abs(x);
  return size < 1e-4 || size >= 1e9 ? x.toExponential() : String(x);
}
