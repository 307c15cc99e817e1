import type { Carrier, CarrierId } from "../carriers/carrier.ts";
import type { EventKind, EventOf, LeafKind, TrialCount } from "../events/event.ts";
import type { Adjacency } from "../measures/adjacency.ts";
import type { ProvableLosses } from "../measures/provable-losses.ts";

/** One arrow of the lattice of forms: what a loss of one form is in another. */
export interface Conversion<L, From = unknown> {
  readonly from: CarrierId;
  /** Exact: nothing that the source knows is lost. Upper: the source knows more. */
  readonly direction: "exact" | "upper";
  /** Source of the arrow, for provenance. */
  readonly theorem: string;
  /** Composes better first and converts afterwards: not applied to the parts of a composition that the source can compose. */
  readonly late?: boolean;
  /** Returns the converted loss; null where the theorem does not reach. */
  convert(loss: From): L | null;
}

/** The rules by which events enter one carrier of loss. `L` stays within one form, so an accountant may hold forms of different `L` side by side. */
export interface Form<L> {
  readonly carrier: Carrier<L>;
  /**
   * Returns the declared losses in this form, without any conversion; null where they have none. A loss is marked as tight only where some
   * mechanism that the event may mean has it, so that lower bounds hold. A mere bound is never marked so.
   */
  leaf(losses: ProvableLosses, kind: LeafKind): L | null;
  /** Kinds whose theorem ends in this very form, and reads more than declared losses. */
  readonly special?: {
    readonly [K in EventKind]?: (event: EventOf<K>, adjacency: Adjacency) => L | null;
  };
  /** The best of a random number of runs. */
  select?(loss: L, trials: TrialCount): L | null;
  /** Whether another form says the same of a whole account, and better; then this one is not asked for it. */
  redundant?(loss: L): boolean;
  readonly from: readonly Conversion<L>[];
}

/** A form whose losses only it can read. */
export type AnyForm = Form<unknown>;
