import type { WrittenWords } from "./owners-words.ts";

/** A model as it is written in YAML; ./read-model.ts makes a Model of it. */
export type ModelFile = Source & TaskFile;

export interface Source extends WrittenWords {
  readonly version: 1;
  readonly table?: string | undefined;
  readonly from?: string | undefined;
  readonly where?: string | undefined;
}

export type TaskFile =
  | {
      readonly model: "linear-regression";
      readonly target: string;
      readonly features: string[];
      readonly intercept?: boolean | undefined;
    }
  | {
      readonly model: "ridge-regression";
      readonly target: string;
      readonly features: string[];
      readonly intercept?: boolean | undefined;
      readonly penalty: number;
    }
  | { readonly model: "covariance"; readonly features: string[] }
  | { readonly model: "pca"; readonly features: string[]; readonly components?: number | undefined }
  | { readonly model: "naive-bayes"; readonly target: string; readonly features: string[] }
  | {
      readonly model: "marginals";
      readonly features?: string[] | undefined;
      readonly marginals: 1 | 2 | string[][];
    };
