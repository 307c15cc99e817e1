export { bindQuestion } from "./bind-question.ts";
export * from "./bound-query.ts";
export * from "./domain.ts";
export * from "./expression.ts";
