import { doubleAt, elementAt, lastElement } from "../../../numeric/elements/element-at.ts";
import { commonDivisor } from "../law/lattice.ts";
import type { PlannedStep } from "../law/planned-step.ts";

/** A way to lay a grid through the atoms of laws that no lattice holds. */
export interface Alignment {
  /** One per step: a loss that is a grid point; null where any grid does. */
  readonly offsets: readonly (number | null)[];
  /** A whole number of pitches; 0 where any pitch does. */
  readonly span: number;
  /** One per step. */
  readonly strays: readonly Strays[];
}

/** The losses of a step's atoms that no grid is laid through, for the other steps' sake. */
export interface Strays {
  readonly losses: readonly number[];
  /** Whether the step has atoms alone. */
  readonly discrete: boolean;
}

/** Through the first and the last anchor of every step if their distances have a common divisor, else of the commonest step. */
export function alignmentOf(steps: readonly PlannedStep[]): Alignment {
  const anchored = steps.map((step) => {
    const anchors = anchorsOf(step);
    const span = anchors.length > 1 ? lastElement(anchors) - elementAt(anchors, 0) : 0;
    return { step, anchors, span };
  });
  let common = 0;
  for (const { span } of anchored) if (span > 1e-9) common = commonDivisor(common, span);
  if (Number.isNaN(common)) {
    let most = 0;
    for (const { step, span } of anchored) {
      if (span > 1e-9 && step.count > most) [most, common] = [step.count, span];
    }
  }
  const strays = anchored.map(({ step, anchors, span }) => ({
    losses: common > 0 && Math.abs(span / common - Math.round(span / common)) > 1e-6 ? anchors.slice(1) : [],
    discrete: step.counted.pair.discrete,
  }));
  return { offsets: anchored.map(({ anchors }) => anchors[0] ?? null), span: common, strays };
}

/** A discrete law's two heaviest atoms, under either side. */
function anchorsOf({ counted: { pair }, atoms: { losses, p, q } }: PlannedStep): readonly number[] {
  if (!pair.discrete) return pair.anchors;
  const order = Array.from(losses.keys()).sort(
    (a, b) => Math.max(doubleAt(p, b), doubleAt(q, b)) - Math.max(doubleAt(p, a), doubleAt(q, a)),
  );
  return order
    .slice(0, 2)
    .map((i) => doubleAt(losses, i))
    .sort((a, b) => a - b);
}

/** The greatest pitch up to `pitch` that divides the span. */
export function alignedPitch({ span }: Alignment, pitch: number): number {
  return span > 0 ? span / Math.ceil(span / pitch) : pitch;
}
