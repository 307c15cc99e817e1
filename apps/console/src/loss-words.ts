import type { Loss } from "@lethe/client";

/** Writes an exact fraction as a decimal of at most four digits that is never smaller. */
export function upwards(fraction: string): string {
  const [numerator = "0", denominator = "1"] = fraction.split("/");
  const value = Number(numerator) / Number(denominator);
  if (value === 0) return "0";
  const unit = 10 ** (Math.floor(Math.log10(value)) - 3);
  return String(Number((Math.ceil((value / unit) * (1 - 1e-12)) * unit).toPrecision(4)));
}

/**
 * Writes a loss in a line.
 * @example lossWords({ measure: "approximate", epsilon: "1/2", delta: "0" }) // => "ε 0.5"
 */
export function lossWords({ epsilon, delta, rho }: Loss): string {
  const parts = [
    epsilon === undefined ? [] : [`ε ${upwards(epsilon)}`],
    rho === undefined ? [] : [`ρ ${upwards(rho)}`],
    delta === undefined || delta === "0" ? [] : [`δ ${upwards(delta)}`],
  ];
  return parts.flat().join(", ");
}

/** Whether nothing is lost. */
export function isNothing({ epsilon = "0", delta = "0", rho = "0" }: Loss): boolean {
  return [epsilon, delta, rho].every((part) => /^0(\/\d+)?$/.test(part));
}
