import type { Event, EventOf, LeafKind } from "../events/event.ts";
import type { ProvableLosses } from "../losses/provable-losses.ts";
import type { Sampler } from "../samplers/index.ts";
import type { Noise } from "./noise.ts";

/** Every loss that the mechanism of one kind of event can prove. */
export interface Mechanism<K extends LeafKind> {
  readonly kind: K;
  /** Exact, or rounded toward more loss. Errors: parameter.invalid for numbers outside their domain. */
  losses(event: EventOf<K>): ProvableLosses;
}

/** The most that the integer vector of all groups' answers can move between neighbours. */
export interface Sensitivity {
  /** ℓ1: Σ |difference|. */
  readonly l1: bigint;
  /** ℓ2 squared: Σ difference². */
  readonly l2Squared: bigint;
}

export type NoiseOf<I extends Noise["mechanism"]> = Extract<Noise, { readonly mechanism: I }>;

/** Integer noise to add to integers: what draws it, and the record that prices it. */
export interface NoiseSource<I extends Noise["mechanism"], E extends Event = Event> {
  readonly id: I;
  /** The durable record of adding this noise at this sensitivity. */
  event(noise: NoiseOf<I>, sensitivity: Sensitivity): E;
  /** The noise itself. Errors: parameter.invalid. */
  sampler(noise: NoiseOf<I>): Sampler;
}

/** A mechanism that adds noise: what prices it and what draws it stand side by side. */
export interface NoiseMechanism<K extends LeafKind, I extends Noise["mechanism"]>
  extends Mechanism<K>,
    NoiseSource<I, EventOf<K>> {}
