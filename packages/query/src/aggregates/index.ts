export type { Estimator } from "./answers/estimator.ts";
export { everywhere, type NumberRange, type Part } from "./answers/interval-part.ts";
export type { NoisyNumbers } from "./answers/noisy-numbers.ts";
export { familyOf, jointPart, sumKindOf } from "./family-of.ts";
export { askedOf } from "./quantile/asked-of.ts";
export type { ReadValue } from "./sum-kind.ts";
