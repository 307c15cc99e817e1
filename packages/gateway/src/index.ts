export { answer, answerDrawing } from "./answer.ts";
export { type AnsweredRows, answeredRows } from "./answered-rows.ts";
export { earlierRelease } from "./earlier-release.ts";
export { type Estimator, estimators } from "./estimators.ts";
export type { DrawingHouse, House } from "./house.ts";
export type { AskedOptions, Question } from "./question.ts";
export * from "./release.ts";
export { releaseRows } from "./release-rows.ts";
export { explain, planText } from "./resolved-question.ts";
