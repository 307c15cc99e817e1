import type { Source } from "../../model/model-file.ts";
import type { NetworkSampler } from "./network-task.ts";

/** The description of a network's training as it is written in YAML; ./read-network-task.ts makes a NetworkTask of it. */
export interface NetworkFile extends Source {
  readonly model: "network";
  readonly target: string;
  readonly features: string[];
  readonly units: number;
  readonly input?: readonly number[] | undefined;
  readonly layers?: readonly unknown[] | undefined;
  readonly sampler?: NetworkSampler | undefined;
  readonly rate?: number | string | undefined;
  readonly steps?: number | undefined;
  readonly clip?: ClipFile | undefined;
  readonly correlation?: CorrelationFile | undefined;
  readonly optimizer?: OptimizerFile | undefined;
  readonly seed?: number | undefined;
}

type ClipFile =
  | number
  | { readonly perLayer: number[] }
  | {
      readonly adaptive: {
        readonly start: number;
        readonly quantile?: number | undefined;
        readonly pace?: number | undefined;
        readonly countNoise?: number | undefined;
      };
    };

export type CorrelationFile =
  | { readonly kind: "tree" }
  | { readonly kind: "banded"; readonly bands: number }
  | { readonly kind: "blt"; readonly buffers: number };

type OptimizerFile =
  | { readonly kind: "sgd"; readonly rate: number; readonly momentum?: number | undefined }
  | {
      readonly kind: "adam";
      readonly rate: number;
      readonly first?: number | undefined;
      readonly second?: number | undefined;
      readonly floor?: number | undefined;
    };
