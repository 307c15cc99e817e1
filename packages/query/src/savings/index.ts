export { explainQuestion } from "./explain-question.ts";
export type { Saving } from "./saving.ts";
