export { type MadeAhead, madeAhead } from "./made-ahead.ts";
export type { MadeAnswer, MadeError, MadeOf } from "./made-answer.ts";
export { madeAnswer } from "./make-answer.ts";
