import type { Adjacency, RationalInput } from "@lethe/core";
import type { Correlation } from "@lethe/core/mechanisms";
import type { SamplerKind } from "../sampling/sampler.ts";

/** What a plan must know of a model: JSON, and nothing of data. */
export interface ModelShape {
  readonly name: string;
  /** The length of its vector of weights, and of every gradient. */
  readonly parameters: number;
  /** The lengths of its layers in that vector, in order, for clips of layers; they sum to `parameters`. */
  readonly layers?: readonly number[];
}

/** How a unit's gradient, the sum over all its rows, is clipped. A norm may be any number above 0: price and noise are in units of it. */
export type Clip =
  /** To one ℓ2 norm. */
  | { readonly kind: "flat"; readonly norm: number }
  /** Each layer to a norm of its own; all of them together are priced. */
  | { readonly kind: "per-layer"; readonly norms: readonly number[] }
  /**
   * To a norm that follows the share of units that need no clipping toward `quantile`: after each step it is multiplied by e^(pace·(quantile − noisy share)).
   * The count of these units has noise of `countNoise` units, out of the same price. Andrew et al. 2021.
   */
  | {
      readonly kind: "adaptive";
      readonly start: number;
      readonly quantile: number;
      readonly pace: number;
      readonly countNoise: string;
    };

/** A clip as it is asked for: a number is a flat one. */
export type ClipRequest =
  | number
  | { readonly perLayer: readonly number[] }
  | {
      readonly adaptive: {
        readonly start: number;
        /** ½ unless stated. */
        readonly quantile?: number;
        /** 0.2 unless stated. */
        readonly pace?: number;
        /** The standard deviation of the count's noise, in units: a twentieth of the expected batch unless stated. */
        readonly countNoise?: RationalInput;
      };
    };

/** The one description of a private training. Everything else of a plan follows from it. */
export interface PlanRequest {
  readonly model: ModelShape;
  /** The name of the loss whose gradient is taken. */
  readonly loss: string;
  readonly adjacency: Adjacency;
  /** The number of units, public: under replace-one theirs, else a declared one, and for cut batches an upper bound. Never counted. */
  readonly units: number;
  /** "poisson" unless stated. */
  readonly sampler?: SamplerKind;
  readonly rate?: RationalInput;
  readonly limit?: number;
  readonly clip: ClipRequest;
  /** σ over the sensitivity of a step, or, where noise is correlated, of the whole training. This, or `epsilon`. */
  readonly noise?: RationalInput;
  /** The ε at `delta` that the whole training may cost: the least noise for it is found. */
  readonly epsilon?: number;
  readonly delta: RationalInput;
  readonly steps: number;
  /** Noise that hangs on the steps before; none unless stated. For sampler "cyclic" alone. */
  readonly correlation?: Correlation;
}
