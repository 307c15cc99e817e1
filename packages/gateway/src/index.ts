export { answer, answerDrawing } from "./answer.ts";
export { earlierRelease } from "./earlier-release.ts";
export type { DrawingHouse, House } from "./house.ts";
export { estimators } from "./intervals/estimators.ts";
export type { AskedOptions, Question } from "./question.ts";
export * from "./release.ts";
export { explain, planText } from "./resolved-question.ts";
export { type AnsweredRows, answeredRows } from "./rows/answered-rows.ts";
export { releaseRows } from "./rows/release-rows.ts";
