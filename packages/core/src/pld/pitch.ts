import type { Repeated, Saddle } from "./saddle.ts";
import { cumulants } from "./step-law.ts";

/**
 * The pitch at which the two ends are about `width` apart in ε. Putting a step on a grid moves e^{−L} to the ends of its bin or to
 * the centre of its group: 0.25 to 0.5·pitch² of variance between the ends, which is worth (λ + 1)/2 of ε a unit.
 */
export function pitchFor(steps: readonly Repeated[], saddle: Saddle, width: number): number {
  const { tilt, deviation } = saddle;
  let [count, scale] = [0, 0];
  for (const { law, count: times } of steps) {
    count += times;
    scale += times * Math.sqrt(cumulants(law, tilt).variance);
  }
  const fine = Math.sqrt((2 * width) / (0.41 * count * (tilt + 1)));
  // Steps far narrower than a bin: the variance of a spread is then pitch·E|L|.
  const coarse = (2 * width) / (0.8 * Math.max(scale, 1e-300) * (tilt + 1));
  const pitch = coarse > (3 * scale) / count ? Math.max(fine, coarse) : fine;
  const range = Math.max(...steps.map(({ law }) => rangeOf(law.losses)));
  const finest = Math.max(range / 2 ** 20, (14 * deviation) / 2 ** 21, 1e-12);
  return Math.min(0.5, Math.max(pitch, finest));
}

function rangeOf(losses: Float64Array): number {
  return losses.length === 0 ? 0 : losses[losses.length - 1]! - losses[0]!;
}
