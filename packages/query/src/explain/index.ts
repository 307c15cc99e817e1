export type { CurvePoint, ExplainedAnswer } from "../plan/expected-error/explained-answer.ts";
export type { Alternative } from "./alternative.ts";
export { explainQuestion } from "./alternatives/explain-question.ts";
export { explainPlan, missingChances } from "./explain-plan.ts";
export type * from "./explanation.ts";
export { keyNotice } from "./key-chances.ts";
export { limitWords } from "./limit-words.ts";
export { uninformative } from "./uninformative.ts";
export type { Warning } from "./warning.ts";
