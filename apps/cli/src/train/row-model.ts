import type { Adjacency, Event, PrivacyLoss, Rational, SecureEntropy } from "@lethe/core";
import type { Exact, UnitRows } from "@lethe/core/mechanisms";
import type { ProcedurePlan } from "@lethe/gateway";
import type { RowTask } from "@lethe/learn";
import type { Policy } from "@lethe/query";
import type { Checkpoints } from "./checkpoints.ts";

/** A kind of model that is trained on rows, which stay sealed in the owner's process. */
export interface RowModel<Result, Explained> {
  /** Reads a description, checked against a policy. Errors: model.*. */
  read(text: string, policy: Policy): Promise<DescribedModel<Result, Explained>>;
}

/** A model that was described, before it has a price. */
export interface DescribedModel<Result, Explained> {
  readonly task: RowTask;
  /** What the ledger calls it: "boosting". */
  readonly noun: string;
  /** Plans it under its terms. Errors: parameter.invalid, query.* where no theorem covers them. */
  plan(terms: TrainingTerms): PlannedModel<Result, Explained>;
}

/** What is public of a training beside its description. */
export interface TrainingTerms {
  /** The price of the whole, in the account's measure. */
  readonly budget: PrivacyLoss;
  /** The δ at which an ε is told: that of the price, and in a zCDP account its own. */
  readonly toldDelta: Rational;
  readonly adjacency: Adjacency;
  /** The most rows that one unit has among those that are read. */
  readonly rowsPerUnit: number;
}

/** A training whose record is known: no row was read, and nothing is paid. */
export interface PlannedModel<Result, Explained> {
  /** Plain JSON, with the event of the whole. */
  readonly plan: ProcedurePlan;
  /** The record of what is run, where that of the plan is a bound of it. */
  readonly ran?: Event;
  /** What is told before it is paid: a function of the plan alone. */
  readonly explained: Explained;
  /** Trains on rows whose columns are the features in their order, and then the target. */
  run(rows: Exact<UnitRows>, tools: TrainingTools): Promise<Result>;
}

/** What a paid training is given. */
export interface TrainingTools {
  readonly entropy: SecureEntropy;
  /** Where it may go on from, should its process die. */
  readonly checkpoints: Checkpoints;
  /** The hash of the charge's record. A checkpoint goes on under the charge that it was made under, and no other. */
  readonly charge: string;
}
