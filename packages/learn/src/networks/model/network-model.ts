import type { Adjacency, Event } from "@lethe/core";
import type { Network } from "../../kernels/network/network.ts";
import type { DeclaredColumn } from "../../model/model.ts";

/** A network that was trained privately. Plain JSON. */
export interface NetworkModel {
  readonly kind: "network";
  readonly version: 1;
  readonly target: DeclaredColumn;
  readonly features: readonly DeclaredColumn[];
  readonly network: Network;
  /** In the order of the layers: see Network. */
  readonly weights: readonly number[];
  readonly adjacency: Adjacency;
  /** The cost of the training. */
  readonly event: Event;
}
