export type { AnswerSetting } from "./answers/answer-setting.ts";
export type { Estimator } from "./answers/estimator.ts";
export { familyOf, sumKindOf } from "./family-of.ts";
export { askedOf } from "./quantile/asked-of.ts";
export type { ReadValue } from "./sum-kind.ts";
