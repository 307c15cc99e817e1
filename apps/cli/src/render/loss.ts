import { type PrivacyLossText, parseRational, toDecimal } from "@lethe/core";

function number(text: string): string {
  const value = parseRational(text);
  if (value.num === 0n) return "0";
  // Small δ reads better in powers of ten; rounded up, as every claim.
  const decimal = toDecimal(value, "up", 6);
  const approximate = Number(value.num) / Number(value.den);
  if (approximate >= 1e-4 || !Number.isFinite(approximate)) return decimal;
  const exponent = Math.floor(Math.log10(approximate));
  const mantissa = Math.ceil((approximate / 10 ** exponent) * 1000 - 1e-6) / 1000;
  return `${mantissa}e${exponent}`;
}

/** A loss in the words of its measure: "ε 0.5", "ε 0.5, δ 1e-8", "ρ 0.02, δ 1e-9". Rounded up. */
export function renderLoss(loss: PrivacyLossText): string {
  if (loss.measure === "pure") return `ε ${number(loss.epsilon)}`;
  const main = loss.measure === "approximate" ? `ε ${number(loss.epsilon)}` : `ρ ${number(loss.rho)}`;
  return parseRational(loss.delta).num === 0n ? main : `${main}, δ ${number(loss.delta)}`;
}
