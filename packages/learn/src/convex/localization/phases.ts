import { unitOnGrid } from "../rows/gradient-sums.ts";
import { largestOnGrid } from "../rows/on-grid.ts";
import { stepSlack } from "../rows/step-slack.ts";
import { localizationExcess, type Phase } from "./localization-excess.ts";

/** A phase with the grid of its release: averages are rounded to whole numbers of `grid` before they meet noise. */
export interface GridPhase extends Phase {
  readonly grid: number;
}

/** What phases are made of: public numbers alone. */
export interface PhaseSetting {
  readonly units: number;
  readonly dimension: number;
  readonly lipschitz: number;
  readonly radius: number;
  /** The largest step that contracts, 2/β. */
  readonly largestStep: number;
  /** The deviation of the noise on the grid of a release. */
  readonly noise: number;
}

/**
 * k phases: the i-th has half the units and a quarter of the step size of the one before; what halving leaves goes to the first. Every release moves by at
 * most 2^20 steps of its grid when one unit is replaced, rounding to the grid aside. Fewer phases where a grid would be too fine for doubles.
 * Source: Feldman, Koren & Talwar 2020; derived in ./localization.proof.md.
 */
export function phasesOf(setting: PhaseSetting, stepSize: number, count: number): readonly GridPhase[] {
  const { dimension, lipschitz, radius, noise } = setting;
  const phases: GridPhase[] = [];
  let left = setting.units;
  for (let i = count; i >= 1; i -= 1) {
    const units = i === 1 ? left : Math.floor(setting.units / 2 ** i);
    left -= units;
    const step = stepSize / 4 ** (i - 1);
    const slack = stepSlack({ dimension, radius, lipschitz, stepSize: step, batch: 1 });
    // One replaced unit moves one step; all later steps contract; the average is a sum of doubles.
    const moved = (2 * lipschitz * step + units * (2 * slack + 2 ** -50 * radius)) * (1 + 2 ** -40);
    const grid = moved / unitOnGrid;
    const sigma = Math.hypot((noise + 0.5) * grid, grid / 2);
    phases.unshift({ units, stepSize: step, sigma, slack, grid });
  }
  return phases;
}

/** The phases of least proven excess, over step sizes and numbers of phases. All phases have a unit, and a grid that doubles hold. */
export function bestPhases(setting: PhaseSetting, stepSize: number | null): readonly GridPhase[] {
  const most = Math.max(1, Math.floor(Math.log2(setting.units)));
  const natural = setting.radius / setting.lipschitz / Math.sqrt(setting.units);
  const steps =
    stepSize === null
      ? Array.from({ length: 97 }, (_, i) => Math.min(setting.largestStep, natural * 2 ** ((i - 72) / 6)))
      : [stepSize];
  let best: readonly GridPhase[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const step of steps)
    for (let count = 1; count <= most; count += 1) {
      const phases = phasesOf(setting, step, count);
      if (!phases.every(({ grid, units }) => units >= 1 && setting.radius / grid <= largestOnGrid)) break;
      const excess = localizationExcess(phases, setting);
      if (excess < least) [best, least] = [phases, excess];
    }
  return best;
}
