/**
 * Ask SQL of a policy's data from TypeScript, and check what comes back. {@link open} is the door; the program `lethe` is made of the same parts.
 * @module lethe
 */
export { LetheError, type PrivacyLoss, type Rational, toDecimal, toText } from "@lethe/core";
export type {
  AccountState,
  AskOptions,
  Certificate,
  Estimate,
  MadeAhead,
  MadeAnswer,
  MadeError,
  MadeOf,
  Other,
  PublicAnswer,
  Release,
  ReleasedCell,
  ReleasedColumn,
  Repeat,
  RowGrouping,
  TimeEstimate,
  WorkloadCertificate,
  WorkloadRelease,
} from "@lethe/gateway";
export { type RowValues, type Scores, scoresOf, scoresSql, type TrainedModel } from "@lethe/learn";
export type { BudgetReport, ChargeReport } from "@lethe/ledger";
export type {
  CatalogAnswer,
  ColumnDescription,
  ExplainedReading,
  Explanation,
  QuestionDescription,
  TableDescription,
} from "@lethe/query";
export { type NamedAnswer, namedAnswer } from "@lethe/serve/formats";
export type { WaitSignal } from "@lethe/serve/wait-for";
export { type Verification, verifyMade, verifyModels, verifyRelease } from "@lethe/verify";
export { modelCard } from "./card/card-of.ts";
export type { Carded } from "./card/model-card.ts";
export { describeQuestion } from "./catalog/describe-question.ts";
export {
  type Answer,
  type Explained,
  type Lethe,
  type OpenOptions,
  open,
  type QueryOptions,
  type SynthesizeOptions,
  type TrainOptions,
} from "./open.ts";
export {
  type GrantOptions,
  grant,
  type ImportTablesOptions,
  type Initialized,
  importTables,
  init,
} from "./owner/for-owners.ts";
export type { EarlierAnswer } from "./repeats/earlier-answer.ts";
export type { SynthesisExplanation } from "./synthesize/plan-table.ts";
export type { SynthesisRelease } from "./synthesize/synthesize-table.ts";
export type { SyntheticColumn, SyntheticTable, SyntheticValue } from "./synthesize/synthetic-table.ts";
export type { RowModelExplained, RowModelResult } from "./train/row-models.ts";
export type { Trained, TrainingExplanation } from "./train/train.ts";
export type { RowModelExplanation, RowModelRelease } from "./train/train-on-rows.ts";
