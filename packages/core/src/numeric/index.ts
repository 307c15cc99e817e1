export * from "./bracket.ts";
export * from "./directed.ts";
export * from "./elements/element-at.ts";
export { type IntegerInput, integerOf, type RationalInput, rationalOf } from "./exact-input.ts";
export * from "./rational.ts";
export * from "./special/index.ts";
