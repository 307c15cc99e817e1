import type { Adjacency, Event } from "@lethe/core";
import type { Noise } from "@lethe/core/mechanisms";
import type { OwnersWords } from "../format/owners-words.ts";
import type { StatedColumn } from "./declared-domain.ts";

/** The plan of a network's training as it stands in a certificate, declared here once more. Numbers as texts are exact. */
export interface NetworkPlan extends OwnersWords {
  readonly kind: "network-plan";
  readonly version: 1;
  readonly source: string;
  readonly where: string | null;
  readonly target: StatedColumn;
  readonly features: readonly StatedColumn[];
  readonly network: Network;
  /** The norm that each layer with weights is clipped to; null where the whole is clipped to one. */
  readonly layerNorms: readonly number[] | null;
  readonly seed: number;
  readonly training: GradientTraining;
  readonly event: Event;
}

/** Sampler, clip and noise of the steps. */
export interface GradientTraining {
  readonly version: 1;
  readonly model: { readonly name: string; readonly parameters: number };
  readonly loss: string;
  readonly adjacency: Adjacency;
  readonly units: number;
  readonly sampler: Sampler;
  readonly clip: Clip;
  readonly correlation: Correlation | null;
  readonly steps: number;
  readonly delta: string;
  readonly noiseMultiplier: string;
  readonly shape: { readonly parameters: number; readonly layers: number; readonly countWeight: number };
  readonly sensitivity: { readonly l1: string; readonly l2Squared: string };
  readonly noise: Noise;
  readonly divisor: string;
  readonly event: Event;
}

export type Sampler =
  | { readonly kind: "poisson"; readonly rate: string }
  | { readonly kind: "balls-in-bins"; readonly bins: number }
  | { readonly kind: "cyclic"; readonly bins: number }
  | { readonly kind: "full" };

export type Clip =
  | { readonly kind: "flat"; readonly norm: number }
  | {
      readonly kind: "adaptive";
      readonly start: number;
      readonly quantile: number;
      readonly pace: number;
      readonly countNoise: string;
    };

export type Correlation =
  | { readonly kind: "tree" }
  | { readonly kind: "banded"; readonly bands: number }
  | { readonly kind: "blt"; readonly decays: readonly number[]; readonly outputs: readonly number[] };

export interface Network {
  readonly version: 1;
  readonly input: readonly number[];
  readonly layers: readonly Layer[];
  readonly loss: string;
}

export type Layer =
  | { readonly layer: "linear"; readonly outputs: number }
  | {
      readonly layer: "conv2d";
      readonly channels: number;
      readonly kernel: number;
      readonly stride: number;
      readonly padding: number;
    }
  | { readonly layer: "max-pool2d" | "avg-pool2d"; readonly kernel: number; readonly stride: number }
  | { readonly layer: "group-norm"; readonly groups: number }
  | { readonly layer: "layer-norm" | "relu" | "tanh" | "sigmoid" | "flatten" };

/** The network that a training releases. */
export interface NetworkModel {
  readonly kind: "network";
  readonly version: 1;
  readonly target: StatedColumn;
  readonly features: readonly StatedColumn[];
  readonly network: Network;
  readonly weights: readonly number[];
  readonly adjacency: Adjacency;
  readonly event: Event;
}
