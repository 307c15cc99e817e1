import { elementAt } from "../../../numeric/elements/element-at.ts";
import type { CountedPair } from "../law/counted-pair.ts";
import type { Lattice } from "../law/lattice.ts";
import type { PlannedStep } from "../law/planned-step.ts";
import { type Alignment, alignedPitch, alignmentOf } from "../tilt/alignment.ts";
import { careFor, leakageFor } from "../tilt/leakage.ts";
import { pitchFor, strayRate } from "../tilt/pitch.ts";
import { normalReach } from "../tilt/tail-bound.ts";
import type { TiltPlan } from "../tilt/tilt-plan.ts";
import { windowFor } from "../tilt/window.ts";
import {
  type GridRequest,
  type GridSteps,
  latticeOfSteps,
  planSteps,
  putOnGrid,
} from "../transform/grid-steps.ts";
import { type DirectionFacts, directionFacts, type TiltedDirection, tiltDirection } from "./direction.ts";

/** The request to compose one direction. */
export interface TiltRequest {
  readonly plan: TiltPlan;
  /** The pitch of the grid; null takes the lattice of the losses. */
  readonly pitch: number | null;
  /** The part of δ that may be lost to tails and windows. */
  readonly lost: number;
  /** Deviations from the mean of a tilt within which it is to serve. */
  readonly margin: number;
  readonly withLower?: boolean;
  readonly tailFloor?: number;
}

/** Deviations from the mean of a tilt within which it serves one answer, which is sought near it. */
export const oneAnswer = 1;

/** The least number of copies whose sum is taken for about normal under its tilt, so that the mass that matters lies where each tilted law has most. */
const manyCopies = 32;

/** The pairs of a composition as steps, and the grids that they were last put on. */
export class GridWork {
  readonly steps: readonly PlannedStep[];
  readonly directions: readonly DirectionFacts[];
  private readonly lattice: Lattice | null;
  private readonly alignment: Alignment;
  private readonly grids: { readonly request: GridRequest; readonly grid: GridSteps }[] = [];

  constructor(pairs: readonly CountedPair[]) {
    this.steps = planSteps(pairs);
    this.lattice = latticeOfSteps(this.steps);
    this.alignment = alignmentOf(this.steps);
    const symmetric = pairs.every(({ pair }) => pair.symmetric);
    this.directions = (symmetric ? (["forward"] as const) : (["forward", "mirrored"] as const)).map((side) =>
      directionFacts(this.steps, side),
    );
  }

  /** Whether the counts are numbers that sums of losses bear. */
  get countable(): boolean {
    return this.steps.every(({ count }) => count <= 2 ** 50);
  }

  /** Whether some pitch loses nothing. */
  get hasLattice(): boolean {
    return this.lattice !== null;
  }

  /** The pitch for an accuracy; null where a lattice holds all losses and is hardly finer. */
  pitchFor(facts: DirectionFacts, plan: TiltPlan, accuracy: number): number | null {
    const pitch = this.pitchOf(facts, plan, 0.75 * accuracy);
    if (this.lattice && this.lattice.pitch > pitch / 8) return null;
    if (plan.components.length > 1) return this.aligned(pitch);
    const component = elementAt(plan.components, 0);
    const { saddle } = component;
    const reach = normalReach(1.1 * saddle.deviation);
    const lost = careFor(accuracy, plan.tilt, false) * Math.exp(plan.logDelta);
    const { period } = windowFor({
      ...saddle,
      leakage: leakageFor(lost, component, plan.epsilon),
      margin: oneAnswer,
      reachAbove: reach,
      reachBelow: reach,
    });
    const window = period / pitch;
    // A window that barely exceeds a power of two takes a slightly coarser grid.
    const excess = window / 2 ** Math.floor(Math.log2(Math.max(2, window)));
    const fitted = excess < 1.07 ? pitch * Math.max(1, excess) : pitch;
    // In steps of 2 %, so that near requests share a grid.
    return this.aligned(2 ** (Math.floor(32 * Math.log2(fitted)) / 32));
  }

  /** The pitch for a look of that width; null as for `accuracy`. */
  coarsePitchFor(facts: DirectionFacts, plan: TiltPlan, width: number, accuracy: number): number | null {
    if (this.pitchFor(facts, plan, accuracy) === null) return null;
    return this.aligned(this.pitchOf(facts, plan, width));
  }

  /** The pitch at which a look is quick. */
  coarser(pitch: number | null, facts: DirectionFacts, plan: TiltPlan, accuracy: number): number {
    return this.aligned(4 * (pitch ?? this.pitchOf(facts, plan, accuracy)));
  }

  private pitchOf(facts: DirectionFacts, plan: TiltPlan, width: number): number {
    const { side, repeated } = facts;
    const strays = this.alignment.strays.map(({ losses, discrete }) => ({
      losses: side === "forward" ? losses : losses.map((loss) => -loss),
      discrete,
    }));
    return pitchFor(repeated, plan, width, strayRate(repeated, strays, plan));
  }

  aligned(pitch: number): number {
    return alignedPitch(this.alignment, pitch);
  }

  tilt(facts: DirectionFacts, request: TiltRequest): TiltedDirection | null {
    const { plan, pitch, lost, margin, withLower = true, tailFloor = 1 } = request;
    const count = this.steps.reduce((sum, step) => sum + step.count, 0);
    const tail = Math.min(tailFloor, Math.max(1e-280, lost / count), 1e-9);
    // In powers of two, so that near tilts share a grid.
    const reach = 2 ** Math.round(Math.log2(2 / (plan.tilt + 0.1)));
    // Few copies may be seen where the tilted law has little.
    const tilt = plan.components.length === 1 && count >= manyCopies ? plan.tilt : null;
    const grid = this.gridFor({ pitch, tail, reach, tilt });
    return tiltDirection(facts, grid, plan, lost, margin, withLower);
  }

  /** A kept grid of that pitch serves where its tails are no heavier, and not lighter by far. */
  private gridFor({ pitch, tail, reach, tilt }: GridRequest): GridSteps {
    const kept = this.grids.find(
      (one) =>
        one.request.pitch === pitch &&
        one.request.reach === reach &&
        servesTilt(one.request.tilt, tilt) &&
        one.request.tail <= tail &&
        one.request.tail >= 1e-4 * tail,
    );
    if (kept) return kept.grid;
    const request = { pitch, tail: 0.1 * tail, reach, tilt };
    const grid = putOnGrid(this.steps, this.lattice, this.alignment, request);
    if (this.grids.length >= 3) this.grids.length = 0;
    this.grids.push({ request, grid });
    return grid;
  }
}

/** Whether a grid that is narrow under one tilt is so under the other; without a tilt it is narrow under all. */
function servesTilt(made: number | null, tilt: number | null): boolean {
  return made === null || (tilt !== null && Math.abs(made - tilt) <= 0.1 * (made + 1));
}
