export { explainPlan, missingChances } from "./explain-plan.ts";
export type * from "./explanation.ts";
export { limitWords } from "./limit-words.ts";
export { plural } from "./plural.ts";
