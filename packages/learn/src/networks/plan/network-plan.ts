import type { Event } from "@lethe/core";
import type { PrivatePlan } from "../../gradients/plan/private-plan.ts";
import type { Optimizer } from "../../gradients/training/optimizer.ts";
import type { Network } from "../../kernels/network/network.ts";
import type { DeclaredColumn } from "../../model/model.ts";

/** The training of a network before it is paid: JSON, a function of its description and its price alone. */
export interface NetworkPlan {
  readonly kind: "network-plan";
  readonly version: 1;
  readonly target: DeclaredColumn;
  readonly features: readonly DeclaredColumn[];
  readonly network: Network;
  /**
   * The norms of the layers that have weights, in order; null for one norm of the whole. The norm of the whole, which is priced, is not below the root of
   * the sum of their squares.
   */
  readonly layerNorms: readonly number[] | null;
  readonly optimizer: Optimizer;
  readonly seed: number;
  /** Sampler, clip, noise and price. */
  readonly training: PrivatePlan;
  /** The record that is charged. */
  readonly event: Event;
}
