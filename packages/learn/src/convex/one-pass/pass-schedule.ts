import { stepSlack } from "../rows/step-slack.ts";
import { batchSizes, mostSteps } from "./batch-sizes.ts";
import { iterationRho } from "./iteration-rho.ts";
import { harmonic, lastIterateExcess } from "./last-iterate-excess.ts";

/** What a pass is made of: public numbers alone. */
export interface PassSetting {
  readonly units: number;
  readonly dimension: number;
  readonly lipschitz: number;
  readonly smoothness: number;
  readonly radius: number;
  /** The largest ρ that the budget allows. */
  readonly rho: number;
  readonly stepSize: number | null;
}

/** A pass: how many steps, how batches grow, and the noise on the mean gradient of a batch. */
export interface PassSchedule {
  readonly steps: number;
  readonly spread: number;
  readonly sigma: number;
  readonly stepSize: number;
  /** The largest ρ of a unit, wherever it stands. */
  readonly rho: number;
  readonly excess: number;
}

/** Returns the pass of this σ, or null where the units do not reach for its batches. */
export function scheduleAt(setting: PassSetting, sigma: number): PassSchedule | null {
  const { units, dimension, lipschitz, smoothness, radius } = setting;
  // Exact steps get a little less than ρ, so that slack has room.
  const spread = (2 * lipschitz ** 2) / (sigma ** 2 * setting.rho * (1 - 2 ** -8));
  const steps = mostSteps(units, spread);
  if (!(steps >= 1)) return null;
  const secondMoment = lipschitz ** 2 + dimension * (sigma * (1 + 2 ** -20)) ** 2;
  const points = steps + 1;
  const natural = radius / Math.sqrt(secondMoment * points * (1 + harmonic(points - 1)));
  const stepSize = setting.stepSize ?? Math.min(natural, smoothness > 0 ? 2 / smoothness : natural);
  const batches = batchSizes(units, steps, spread);
  const largest = batches.reduce((a, b) => Math.max(a, b), 0);
  const slack = stepSlack({ dimension, radius, lipschitz, stepSize, batch: largest });
  const pass = { steps, sigma, lipschitz, smoothness, stepSize, dimension, slack };
  // Of equal batches the last is hidden by the least noise.
  const rho = batches.reduce(
    (most, batch, t) => (batches[t + 1] === batch ? most : Math.max(most, iterationRho(pass, t + 1, batch))),
    0,
  );
  if (!(rho <= setting.rho)) return null;
  const excess = lastIterateExcess({
    ...{ distance: radius, radius, secondMoment, steps: points, stepSize, slack },
  });
  return { steps, spread, sigma, stepSize, rho, excess };
}

/** The pass of least proven excess, over a public list of σ. Null where no σ of the list fits the units. */
export function bestSchedule(setting: PassSetting): PassSchedule | null {
  const natural = setting.lipschitz / Math.sqrt(setting.dimension);
  let best: PassSchedule | null = null;
  for (let i = -8; i <= 40; i += 1) {
    const schedule = scheduleAt(setting, natural * 2 ** (i / 4));
    if (schedule !== null && (best === null || schedule.excess < best.excess)) best = schedule;
  }
  return best;
}
