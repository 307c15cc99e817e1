/** Decimals worth showing for a value known to ± halfWidth: two significant digits of the half-width, at most 6. */
export function decimalsFor(halfWidth: number): number {
  if (!(halfWidth > 0) || !Number.isFinite(halfWidth)) return 6;
  return Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(halfWidth))));
}

/** A number with thousands separated by thin groups and so many decimals; trailing zeros kept, so that columns align. */
export function fixed(x: number, decimals: number): string {
  // Beyond this, toFixed writes an exponent too, and with it all seventeen digits.
  if (Math.abs(x) >= 1e21) return x.toExponential(3);
  const text = Math.abs(x).toFixed(decimals);
  const [whole = "0", part] = text.split(".");
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  const isZero = /^[0.]*$/.test(text);
  return `${x < 0 && !isZero ? "-" : ""}${grouped}${part ? `.${part}` : ""}`;
}

/** Coverage as a percentage, rounded down: 0.9999999 is not "100 %". */
export function confidencePercent(confidence: number): string {
  // The tiny part makes up for products such as 0.57 · 100 = 56.99999999999999.
  return `${Math.min(999_999, Math.floor(confidence * 1e6 + 1e-6)) / 1e4} %`;
}

/** A chance as a percentage that never rounds to a certainty it is not. */
export function percent(chance: number): string {
  if (chance <= 0) return "0 %";
  if (chance >= 1) return "100 %";
  const value = chance * 100;
  if (value < 0.01) return "< 0.01 %";
  if (value > 99.99) return "> 99.99 %";
  return `${value < 1 || value > 99 ? value.toFixed(2) : value.toFixed(1)} %`;
}
