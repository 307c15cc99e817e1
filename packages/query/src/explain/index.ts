export { explainPlan, missingChances } from "./explain-plan.ts";
export type * from "./explanation.ts";
export { keyNotice } from "./key-chances.ts";
export { limitWords } from "./limit-words.ts";
export { plural } from "./plural.ts";
export { uninformative } from "./uninformative.ts";
export type { Warning } from "./warning.ts";
