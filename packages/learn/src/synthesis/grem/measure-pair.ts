import { type Rational, ratio, toDouble } from "@lethe/core";
import { elementAt, multiply } from "@lethe/core/numeric";
import { sigmaWithin } from "../plan/index.ts";
import type { GremRun } from "./grem-run.ts";
import type { PairResiduals } from "./pair-residuals.ts";
import { shareGrid, shareOut } from "./share-out.ts";

/**
 * Measures residuals of a pair within a part of the total: those that make the cells of its table least noisy, in view of what is known of them. Returns which were
 * measured, and the deviation of a cell by the noise of these answers alone.
 */
export async function measurePair(
  { source, known, estimates, residuals }: GremRun,
  pair: PairResiduals,
  part: Rational,
): Promise<{ readonly changed: readonly (readonly number[])[]; readonly deviation: number }> {
  const shares = shareOut(
    pair.residuals.map(({ attributes, cost, inCell }) => ({
      ...{ weight: inCell, cost, precision: 1 / known.varianceOf(attributes) },
    })),
    toDouble(part, "down"),
  );
  const changed: (readonly number[])[] = [];
  let variance = 0;
  for (const [at, { attributes, moved, inCell }] of pair.residuals.entries()) {
    const share = elementAt(shares, at);
    if (share === 0) continue;
    const sigma = sigmaWithin(multiply(part, ratio(BigInt(share) * moved.den, BigInt(shareGrid))), moved.num);
    const own = toDouble(sigma, "up") ** 2;
    const values = await source.measureResidual(attributes, sigma);
    residuals.push({ attributes, values, variance: own });
    known.addResidual({ attributes, values, variance: own });
    estimates.forget(attributes);
    changed.push(attributes);
    variance += own * inCell;
  }
  return { changed, deviation: Math.sqrt(variance) };
}
