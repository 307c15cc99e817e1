import type { CatalogAnswer, ExplainedReading, Explanation } from "@lethe/query";
import type { MadeAhead } from "../made/made-ahead.ts";
import type { MadeAnswer } from "../made/made-answer.ts";
import type { PublicAnswer } from "../public-tables/answer-public.ts";
import type { Release } from "../release.ts";
import type { Repeat, Standing } from "../repeats/name-request.ts";

/** An answer that is there already, and that the same question is shown again at no charge. */
export interface EarlierAnswer {
  readonly requestId: string;
  /** When it was given: ISO 8601. */
  readonly asOf: string;
}

/** What a question would be shown for nothing. */
export interface FreeAnswers {
  /** An earlier answer to the same question; null where there is none. */
  readonly earlier: EarlierAnswer | null;
  /** An answer that earlier releases make. Where it is taken, it is given in the place of all others. Null where they make none. */
  readonly made: MadeAhead | null;
}

/** A plan in words and numbers, the answers that would be given for nothing, and how each table would be read. */
export interface Explained extends Explanation, FreeAnswers {
  /** Of each table that the question reads: whether as it lies, or of which moment. A fact of what the owner did, and not of rows. */
  readonly reads: readonly ExplainedReading[];
}

/** The answer to a text: a release; with EXPLAIN PRIVACY the plan; for what asks the policy alone, its words; of public tables alone, their rows. */
export type Answer =
  | { readonly kind: "catalog"; readonly catalog: CatalogAnswer }
  | { readonly kind: "public"; readonly answer: PublicAnswer }
  | {
      readonly kind: "release";
      readonly release: Release;
      /** Where the release is that of an earlier request, and nothing was charged: when it was given, and its columns' names as they are asked for now. Else null. */
      readonly repeat: Repeat | null;
      /** How the answer stands for the same question, asked again; null where it does not. Told to a service, which keeps where answers stand. */
      readonly standing?: Standing | null;
    }
  | {
      /** An answer that is made of earlier releases, for which nothing was charged: the mean of several answers to the same question, or sums over the groups of an answer by more keys. */
      readonly kind: "made";
      readonly made: MadeAnswer;
    }
  | { readonly kind: "explanation"; readonly explanation: Explained };
