import type { EventKind, EventOf, LeafKind, TrialCount } from "../events/event.ts";
import type { LossAlgebra, RepresentationId } from "./loss-algebra.ts";
import type { Adjacency } from "./measures/adjacency.ts";
import type { ProvableLosses } from "./provable-losses.ts";

/** One arrow of the lattice of representations: what a loss of one representation is in another. */
export interface Conversion<L, From = unknown> {
  readonly from: RepresentationId;
  /** Exact: nothing that the source knows is lost. Upper: the source knows more. */
  readonly direction: "exact" | "upper";
  /** Source of the arrow, for provenance. */
  readonly theorem: string;
  /** Composes better first and converts afterwards: not applied to the parts of a composition that the source can compose. */
  readonly late?: boolean;
  /** Returns the converted loss; null where the theorem does not reach. */
  convert(loss: From): L | null;
}

/** A representation of losses: their algebra, and the rules by which events enter it. `L` stays within it, so an accountant may hold several side by side. */
export interface LossRepresentation<L> {
  readonly algebra: LossAlgebra<L>;
  /**
   * Returns the declared losses in this representation, without any conversion; null where they have none. A loss is marked as tight only where some
   * mechanism that the event may mean has it, so that lower bounds hold. A mere bound is never marked so.
   */
  leaf(losses: ProvableLosses, kind: LeafKind): L | null;
  /** Kinds whose theorem ends in this very representation, and reads more than declared losses. */
  readonly special?: {
    readonly [K in EventKind]?: (event: EventOf<K>, adjacency: Adjacency) => L | null;
  };
  /** The best of a random number of runs. */
  select?(loss: L, trials: TrialCount): L | null;
  /** Whether another representation says the same of a whole account, and better; then this one is not asked for it. */
  redundant?(loss: L): boolean;
  readonly from: readonly Conversion<L>[];
}

/** A representation whose losses only it can read. */
export type AnyRepresentation = LossRepresentation<unknown>;
