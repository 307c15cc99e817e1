import { type PrivacyLossText, parseRational, ratio, toDecimal } from "@lethe/core";
import { multiply } from "@lethe/core/numeric";

/** The direction of rounding: up for what is spent or asked, down for what is left. Nobody is shown more than there is. */
export type Rounding = "up" | "down";

/** An exact number as a person reads it: "0.3", "1e-6". */
export function renderNumber(text: string, rounding: Rounding = "up"): string {
  const value = parseRational(text);
  const { num, den } = value;
  if (num === 0n) return "0";
  // Small δ reads better in powers of ten.
  if (10_000n * num >= den) return toDecimal(value, rounding, 6);
  const least = `${den}`.length - `${num}`.length;
  const places = num * 10n ** BigInt(least) < den ? least + 1 : least;
  const mantissa = toDecimal(multiply(value, ratio(10n ** BigInt(places))), rounding, 3);
  return mantissa === "10" ? `1e-${places - 1}` : `${mantissa}e-${places}`;
}

/** A loss in the words of its measure: "ε 0.5", "ε 0.5, δ 1e-8", "ρ 0.02, δ 1e-9". */
export function renderLoss(loss: PrivacyLossText, rounding: Rounding = "up"): string {
  const shown = (text: string): string => renderNumber(text, rounding);
  if (loss.measure === "pure") return `ε ${shown(loss.epsilon)}`;
  const main = loss.measure === "approximate" ? `ε ${shown(loss.epsilon)}` : `ρ ${shown(loss.rho)}`;
  return parseRational(loss.delta).num === 0n ? main : `${main}, δ ${shown(loss.delta)}`;
}
