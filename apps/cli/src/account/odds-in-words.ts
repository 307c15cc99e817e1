import type { Odds } from "@lethe/core/accounting";

/** What a release tells an attacker, in words: bounds, and rounded up. */
export function oddsInWords({ advantage, mu, truePositives }: Odds): string {
  const gaussian = mu === null ? "" : `; as Gaussian noise of μ ${digitsUp(mu)}, or better hidden`;
  return `a test of membership gains at most ${percentUp(advantage)} over guessing; with 1 % false positives it has at most ${percentUp(truePositives)} true ones${gaussian}`;
}

/** A chance as a percentage that is never told as less than it is. */
export function percentUp(chance: number): string {
  if (chance <= 0) return "0 %";
  if (chance >= 1) return "100 %";
  const decimals = chance < 0.01 ? 2 : 1;
  const scale = 10 ** decimals;
  return `${(Math.ceil(chance * 100 * scale * (1 - 1e-12)) / scale).toFixed(decimals)} %`;
}

/** Three digits, rounded up. */
export function digitsUp(x: number): string {
  if (x === 0) return "0";
  const unit = 10 ** (Math.floor(Math.log10(x)) - 2);
  return String(Number((Math.ceil((x / unit) * (1 - 1e-12)) * unit).toPrecision(3)));
}
