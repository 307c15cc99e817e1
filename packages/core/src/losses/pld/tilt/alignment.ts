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
  const anchors = steps.map(anchorsOf);
  const spans = anchors.map((own) => (own.length > 1 ? own[own.length - 1]! - own[0]! : 0));
  let common = 0;
  for (const span of spans) if (span > 1e-9) common = commonDivisor(common, span);
  if (Number.isNaN(common)) {
    let most = 0;
    for (const [i, { count }] of steps.entries()) {
      if (spans[i]! > 1e-9 && count > most) [most, common] = [count, spans[i]!];
    }
  }
  const strays = anchors.map((own, i) => ({
    losses:
      common > 0 && Math.abs(spans[i]! / common - Math.round(spans[i]! / common)) > 1e-6 ? own.slice(1) : [],
    discrete: steps[i]!.counted.pair.discrete,
  }));
  return { offsets: anchors.map((own) => own[0] ?? null), span: common, strays };
}

/** A discrete law's two heaviest atoms, under either side. */
function anchorsOf({ counted: { pair }, atoms: { losses, p, q } }: PlannedStep): readonly number[] {
  if (!pair.discrete) return pair.anchors;
  const order = Array.from(losses.keys()).sort((a, b) => Math.max(p[b]!, q[b]!) - Math.max(p[a]!, q[a]!));
  return order
    .slice(0, 2)
    .map((i) => losses[i]!)
    .sort((a, b) => a - b);
}

/** The greatest pitch up to `pitch` that divides the span. */
export function alignedPitch({ span }: Alignment, pitch: number): number {
  return span > 0 ? span / Math.ceil(span / pitch) : pitch;
}
