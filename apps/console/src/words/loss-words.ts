import type { Loss } from "@lethe/client";

/** Writes an exact fraction as a decimal of at most four digits that is never smaller. */
export function upwards(fraction: string): string {
  return inFourDigits(fraction, (units) => Math.ceil(units * (1 - 1e-12)));
}

/** Writes an exact fraction as a decimal of at most four digits that is never larger. */
export function downwards(fraction: string): string {
  return inFourDigits(fraction, (units) => Math.floor(units * (1 + 1e-12)));
}

function inFourDigits(fraction: string, round: (units: number) => number): string {
  const [numerator = "0", denominator = "1"] = fraction.split("/");
  const value = Number(numerator) / Number(denominator);
  if (value === 0) return "0";
  const unit = 10 ** (Math.floor(Math.log10(value)) - 3);
  return String(Number((round(value / unit) * unit).toPrecision(4)));
}

/**
 * Writes a loss in a line: what is spent is written upwards, and what is left `downwards`.
 * @example lossWords({ measure: "approximate", epsilon: "1/2", delta: "0" }) // => "ε 0.5"
 */
export function lossWords(
  { epsilon, delta, rho }: Loss,
  write: (fraction: string) => string = upwards,
): string {
  const parts = [
    epsilon === undefined ? [] : [`ε ${write(epsilon)}`],
    rho === undefined ? [] : [`ρ ${write(rho)}`],
    delta === undefined || delta === "0" ? [] : [`δ ${write(delta)}`],
  ];
  return parts.flat().join(", ");
}

/** Whether nothing is lost. */
export function isNothing({ epsilon = "0", delta = "0", rho = "0" }: Loss): boolean {
  return [epsilon, delta, rho].every((part) => /^0(\/\d+)?$/.test(part));
}
