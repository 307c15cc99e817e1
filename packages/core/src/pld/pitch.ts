import type { Repeated } from "./saddle.ts";
import { cumulants, type StepLaw, splitStepLaw } from "./step-law.ts";
import type { TiltPlan } from "./tilt-plan.ts";

/** Atoms between grid points cost so many pitches of ε: the lower end moves them down by half a pitch in the mean, less what it merges. */
export function strayRate(
  steps: readonly Repeated[],
  strays: readonly (readonly number[])[],
  { tilt }: TiltPlan,
): number {
  let rate = 0;
  for (const [i, { law, count }] of steps.entries()) {
    if (strays[i]!.length === 0) continue;
    const { log } = cumulants(law, tilt);
    for (const [j, loss] of law.losses.entries()) {
      if (!strays[i]!.some((stray) => Math.abs(stray - loss) < 1e-9)) continue;
      rate += 0.3 * count * Math.exp(tilt * loss + law.logMasses[j]! - log);
    }
  }
  return rate;
}

/**
 * The pitch at which the two ends are about `width` apart in ε. Putting a step on a grid moves e^{−L} to the ends of its bin or to
 * the centre of its group: 0.25 to 0.5·pitch² of variance between the ends, which is worth (λ + 1)/2 of ε a unit. Of rare jumps the
 * few that count move no more than their pitch: it is the steps below the cut whose errors add up. `stray` is of {@link strayRate}.
 */
export function pitchFor(steps: readonly Repeated[], plan: TiltPlan, width: number, stray: number): number {
  const { tilt, cut, cap, components, logDelta } = plan;
  let [count, scale, range] = [0, 0, 0];
  for (const { law, count: times } of steps) {
    const { below } = splitStepLaw(law, Math.min(cut, cap));
    count += times;
    scale += times * Math.sqrt(cumulants(below, tilt).variance);
    range = Math.max(range, rangeOf(below, logDelta - 40));
  }
  const square = 0.205 * count * (tilt + 1);
  // Of square·pitch² + stray·pitch = width, in the form that does not cancel.
  const fine = (2 * width) / (stray + Math.sqrt(stray * stray + 4 * square * width));
  // Steps far narrower than a bin: the variance of a spread is then pitch·E|L|.
  const coarse = (2 * width) / (0.8 * Math.max(scale, 1e-300) * (tilt + 1));
  const pitch = coarse > (3 * scale) / count ? Math.max(fine, coarse) : fine;
  const deviation = Math.max(...components.map(({ saddle }) => saddle.deviation));
  const finest = Math.max(range / 2 ** 20, (14 * deviation) / 2 ** 21, 1e-12);
  return Math.min(0.5, Math.max(pitch, finest));
}

/** Between the outermost losses of at least that mass. */
function rangeOf({ losses, logMasses }: StepLaw, logLeast: number): number {
  let [first, last] = [0, losses.length - 1];
  while (first < last && logMasses[first]! < logLeast) first++;
  while (last > first && logMasses[last]! < logLeast) last--;
  return last > first ? losses[last]! - losses[first]! : 0;
}
