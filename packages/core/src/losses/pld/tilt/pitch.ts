import { doubleAt, elementAt } from "../../../numeric/elements/element-at.ts";
import { cumulants, type StepLaw, splitStepLaw } from "../law/step-law.ts";
import type { Strays } from "./alignment.ts";
import type { Repeated } from "./saddle.ts";
import type { TiltPlan } from "./tilt-plan.ts";

/** The rate falls with the pitch that it gives. */
const strayRounds = 3;

/** A function of the approximate pitch that returns the cost in ε, in pitches, of the lower end of atoms between grid points. */
export type StrayRate = (pitch: number) => number;

/**
 * An atom between grid points is merged with masses on its one side until their mean lies on a point. The farther off these are, the more variance is lost; it
 * never costs more than to move the atom down, by half a pitch in the mean.
 */
export function strayRate(
  steps: readonly Repeated[],
  strays: readonly Strays[],
  { tilt }: TiltPlan,
): StrayRate {
  const costs = steps.flatMap(({ law, count }, i) => {
    const { losses, discrete } = elementAt(strays, i);
    if (losses.length === 0) return [];
    const { log } = cumulants(law, tilt);
    return Array.from(law.losses.keys())
      .filter((j) => losses.some((stray) => Math.abs(stray - doubleAt(law.losses, j)) < 1e-9))
      .map((j) => {
        const weight = count * Math.exp(tilt * doubleAt(law.losses, j) + doubleAt(law.logMasses, j) - log);
        return (pitch: number) =>
          0.3 * weight * Math.min(1, (balanceOf(law, j, { moved: pitch / 2, discrete }) * (tilt + 1)) / 2);
      });
  });
  return (pitch) => costs.reduce((rate, cost) => rate + cost(pitch), 0);
}

/**
 * How far off the masses go that balance an atom which is moved by so much: those above it, or below it where there are none above.
 * Masses of a law with a density lie between the middles of its cells; those of a discrete one where they are.
 */
function balanceOf(
  { losses, logMasses }: StepLaw,
  atom: number,
  { moved, discrete }: { readonly moved: number; readonly discrete: boolean },
): number {
  const distanceOf = (i: number): number => Math.abs(doubleAt(losses, i) - doubleAt(losses, atom));
  for (const towards of [1, -1]) {
    const isIn = (i: number): boolean => i >= 0 && i < losses.length;
    let [left, from] = [Math.exp(doubleAt(logMasses, atom)) * moved, 0];
    for (let i = atom + towards; isIn(i); i += towards) {
      const mass = Math.exp(doubleAt(logMasses, i));
      const here = distanceOf(i);
      const to = isIn(i + towards) ? (here + distanceOf(i + towards)) / 2 : here;
      const moment = discrete ? mass * here : (mass * (from + to)) / 2;
      if (left <= moment) return discrete ? here : Math.sqrt(from * from + (2 * left * (to - from)) / mass);
      left -= moment;
      from = to;
    }
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * The pitch at which the two ends are about `width` apart in ε. Putting a step on a grid moves e^{−L} to the ends of its bin or to
 * the centre of its group: 0.25 to 0.5·pitch² of variance between the ends, which is worth (λ + 1)/2 of ε a unit. Of rare jumps the
 * few that count move no more than their pitch: it is the steps below the cut whose errors add up. `stray` is of {@link strayRate}.
 */
export function pitchFor(
  steps: readonly Repeated[],
  plan: TiltPlan,
  width: number,
  strayAt: StrayRate,
): number {
  const { tilt, cut, cap, components, logDelta } = plan;
  let [count, scale, range] = [0, 0, 0];
  for (const { law, count: times } of steps) {
    const { below } = splitStepLaw(law, Math.min(cut, cap));
    count += times;
    scale += times * Math.sqrt(cumulants(below, tilt).variance);
    range = Math.max(range, rangeOf(below, logDelta - 40));
  }
  const square = 0.205 * count * (tilt + 1);
  let fine = Math.sqrt(width / square);
  for (let round = 0; round < strayRounds; round++) {
    // The root of square·pitch² + stray·pitch = width, in the form that does not cancel.
    const stray = strayAt(fine);
    fine = (2 * width) / (stray + Math.sqrt(stray * stray + 4 * square * width));
  }
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
  while (first < last && doubleAt(logMasses, first) < logLeast) first++;
  while (last > first && doubleAt(logMasses, last) < logLeast) last--;
  return last > first ? doubleAt(losses, last) - doubleAt(losses, first) : 0;
}
