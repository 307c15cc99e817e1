import type { FittedKMeans, KMeansModel } from "../clusters/k-means-model.ts";
import type { Model } from "../model/model.ts";
import type { FittedModel } from "../models/fitted-model.ts";
import type { Answer } from "../statistics/answer.ts";

/** What can be trained on released sums, checked against a policy. JSON throughout. */
export type ModelDescription = Model | KMeansModel;
/** What comes of it: plain JSON. */
export type TrainedModel = FittedModel | FittedKMeans;

/** Models that are trained from one release, at one price. */
export interface Training {
  /** What is learned, in words. */
  readonly title: string;
  readonly descriptions: readonly ModelDescription[];
  /** The questions that are asked, those of the first round where there are several. */
  readonly texts: readonly string[];
  /** Rounds whose questions follow from the answers before; null for one round. */
  readonly rounds: {
    readonly count: number;
    readonly next: (answers: readonly Answer[]) => readonly string[];
  } | null;
  /**
   * Fits every model to the released answers, in the order of the descriptions. It reads released and public numbers alone, so it costs nothing. A
   * release may hold more than these models need. Errors: release.invalid where an answer is missing, or is not one to its question.
   */
  readonly fit: (answers: readonly Answer[], confidence: number) => readonly TrainedModel[];
}
