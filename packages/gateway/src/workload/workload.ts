import type { Plan } from "@lethe/query";
import type { AskedOptions } from "../question.ts";
import type { AnsweredRows } from "../rows/answered-rows.ts";

/** Several questions that are answered under one charge, and what is asked of the answers in later rounds. */
export interface Workload {
  /** The words under which the ledger shows the charge, and a part of what the request id is bound to. */
  readonly title: string;
  /** The questions, in Lethe's SQL: those of the first round, where there are several. */
  readonly texts: readonly string[];
  readonly rounds?: Rounds;
  readonly principal: string;
  /** Names the request for ever: asked again it costs nothing and gives the same bytes. */
  readonly requestId: string;
  readonly options: WorkloadOptions;
}

/** A workload states one price: no part of it has a target error or parameters. */
export type WorkloadOptions = Pick<
  AskedOptions,
  | "epsilon"
  | "delta"
  | "groupSelection"
  | "everyPublicKey"
  | "mechanism"
  | "confidence"
  | "acceptUninformative"
  | "project"
>;

/**
 * Rounds whose questions follow from the answers of the rounds before. Every round asks as many questions as the first, with the same noise at the
 * same sensitivities: the price is known before the first.
 */
export interface Rounds {
  readonly count: number;
  /** The questions of the next round: a function of public numbers and of these answers alone. Called count − 1 times. */
  readonly next: (answers: readonly PlannedAnswer[]) => readonly string[];
}

/** An answer beside the plan that it was made by, as in a Release. */
export interface PlannedAnswer extends AnsweredRows {
  readonly certificate: { readonly plan: Plan };
}
