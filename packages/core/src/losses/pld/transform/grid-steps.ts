import { doubleAt, elementAt } from "../../../numeric/elements/element-at.ts";
import { mostBins } from "../law/cell-tally.ts";
import type { CountedPair } from "../law/counted-pair.ts";
import { discretize } from "../law/discretize.ts";
import type { GridStep } from "../law/grid-law.ts";
import { type Lattice, latticeOf } from "../law/lattice.ts";
import type { PlannedStep } from "../law/planned-step.ts";
import { evenSpacing, spacingFor } from "../law/spacing.ts";
import { forwardLaw, mirroredLaw, type StepAtoms, stepAtoms } from "../law/step-law.ts";
import type { Alignment } from "../tilt/alignment.ts";

/** All pairs of a composition on one grid. */
export interface GridSteps {
  readonly pitch: number;
  readonly steps: readonly { readonly step: GridStep; readonly count: number }[];
}

/** The request for a grid. A null `pitch` takes the lattice of the losses. */
export interface GridRequest {
  readonly pitch: number | null;
  readonly tail: number;
  readonly reach: number;
  /** The tilt under which it is to be narrow; null where any may come. */
  readonly tilt: number | null;
}

export function planSteps(pairs: readonly CountedPair[]): PlannedStep[] {
  return pairs.map((counted) => {
    const atoms = stepAtoms(counted.pair);
    return {
      counted,
      count: Number(counted.count),
      atoms,
      forward: forwardLaw(atoms),
      mirrored: mirroredLaw(atoms),
    };
  });
}

export function latticeOfSteps(steps: readonly PlannedStep[]): Lattice | null {
  if (!steps.every(({ counted }) => counted.pair.discrete)) return null;
  return latticeOf(steps.map(({ atoms }) => atoms));
}

export function putOnGrid(
  steps: readonly PlannedStep[],
  lattice: Lattice | null,
  alignment: Alignment,
  request: GridRequest,
): GridSteps {
  const aligned = request.pitch === null ? lattice : null;
  const ranges = steps.map(({ atoms }) => {
    const { losses } = atoms;
    if (losses.length === 0) return { lowest: 0, highest: 0 };
    return aligned || request.tail < 1e-250
      ? { lowest: doubleAt(losses, 0), highest: doubleAt(losses, losses.length - 1) }
      : { lowest: lowestOf(atoms, 1e-3 * request.tail), highest: highestOf(atoms, 1e-3 * request.tail) };
  });
  // Any pitch is sound; one that would fill the memory is not made.
  const finest = Math.max(0, ...ranges.map(({ lowest, highest }) => (highest - lowest) / mostBins));
  const pitch = aligned?.pitch ?? Math.max(request.pitch ?? 1, finest);
  return {
    pitch,
    steps: steps.map(({ counted, count, atoms }, i) => {
      const offset = aligned
        ? elementAt(aligned.offsets, i)
        : (alignment.offsets[i] ?? bulkCenter(atoms, pitch));
      const spacing =
        counted.pair.discrete || request.tilt === null
          ? evenSpacing
          : spacingFor(atoms, { pitch, offset, tilt: request.tilt });
      const step = discretize(counted.pair, {
        ...{ pitch, offset, spacing },
        misfit: aligned?.misfits[i] ?? 0,
        tail: request.tail,
        reach: request.reach,
        ...elementAt(ranges, i),
      });
      return { count, step };
    }),
  };
}

/** The loss below which less than `tail` of Q lies: about where an emission begins. */
function lowestOf({ losses, q }: StepAtoms, tail: number): number {
  let sum = 0;
  let i = 0;
  while (i + 1 < losses.length && sum + doubleAt(q, i) < tail) sum += doubleAt(q, i++);
  return doubleAt(losses, Math.max(0, i - 2));
}

function highestOf({ losses, p }: StepAtoms, tail: number): number {
  let sum = 0;
  let i = losses.length - 1;
  while (i > 0 && sum + doubleAt(p, i) < tail) sum += doubleAt(p, i--);
  return doubleAt(losses, Math.min(losses.length - 1, i + 2));
}

/** The width in pitches that the bulk of a step may have. */
const bulk = 2;

/**
 * Returns the loss at the mean of e^{−L} over the bulk of a step. The grid is laid through it, because an atom between grid points would be
 * lowered by the lower end, in every copy, and spread by the upper. The bulk is the heaviest stretch of two pitches; 0 where no stretch has
 * more than 0.3 of the mass. Any offset is sound.
 */
function bulkCenter({ losses, p, q }: StepAtoms, pitch: number): number {
  let [from, sumP, sumQ] = [0, 0, 0];
  let [heaviest, center] = [0.3, 0];
  for (let i = 0; i < losses.length; i++) {
    sumP += doubleAt(p, i);
    sumQ += doubleAt(q, i);
    while (doubleAt(losses, from) < doubleAt(losses, i) - bulk * pitch) {
      sumP -= doubleAt(p, from);
      sumQ -= doubleAt(q, from++);
    }
    if (sumP > heaviest) [heaviest, center] = [sumP, Math.log(sumP / sumQ)];
  }
  return center;
}
