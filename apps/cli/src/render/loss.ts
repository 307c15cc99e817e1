import { multiply, type PrivacyLossText, parseRational, ratio, toDecimal } from "@lethe/core";

function number(text: string): string {
  const value = parseRational(text);
  const { num, den } = value;
  if (num === 0n) return "0";
  // Small δ reads better in powers of ten; rounded up, as every claim.
  if (10_000n * num >= den) return toDecimal(value, "up", 6);
  const least = `${den}`.length - `${num}`.length;
  const places = num * 10n ** BigInt(least) < den ? least + 1 : least;
  const mantissa = toDecimal(multiply(value, ratio(10n ** BigInt(places))), "up", 3);
  return mantissa === "10" ? `1e-${places - 1}` : `${mantissa}e-${places}`;
}

/** A loss in the words of its measure: "ε 0.5", "ε 0.5, δ 1e-8", "ρ 0.02, δ 1e-9". Rounded up. */
export function renderLoss(loss: PrivacyLossText): string {
  if (loss.measure === "pure") return `ε ${number(loss.epsilon)}`;
  const main = loss.measure === "approximate" ? `ε ${number(loss.epsilon)}` : `ρ ${number(loss.rho)}`;
  return parseRational(loss.delta).num === 0n ? main : `${main}, δ ${number(loss.delta)}`;
}
