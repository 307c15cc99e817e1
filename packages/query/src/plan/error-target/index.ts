export { type AnswerError, answerErrors } from "./answer-errors.ts";
export { type ErrorWithin, errorWithin } from "./error-within.ts";
export { type Pilot, pilotOf } from "./pilot.ts";
export { type AskedPlan, planAsked, withoutTarget } from "./plan-asked.ts";
export type { ReachedAdvantage } from "./plan-at-advantage.ts";
export type { ReachedTarget, ReleasedNumbers, ReleasedShare } from "./reached-target.ts";
export { typicalWords } from "./typical-size.ts";
