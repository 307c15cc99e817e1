export type { CurvePoint, ExplainedAnswer } from "../plan/expected-error/explained-answer.ts";
export type { Alternative } from "./alternative.ts";
export { explainQuestion } from "./alternatives/explain-question.ts";
export { explainPlan, missingChances } from "./explain-plan.ts";
export type * from "./explanation.ts";
export { hiddenBy } from "./hidden-by.ts";
export { keyNotice } from "./key-chances.ts";
export { limitWords } from "./limit-words.ts";
export { type ExplainedReading, explainedReadings } from "./readings/explained-reading.ts";
export { orderWords } from "./readings/order-words.ts";
export {
  namesUnits,
  type OrderKept,
  type ReadFrom,
  type ReadingOf,
  readingAsItLies,
  type TableReading,
} from "./readings/table-reading.ts";
export { uninformative } from "./uninformative.ts";
export type { Warning } from "./warning.ts";
