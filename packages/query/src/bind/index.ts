export { bindQuestion } from "./bind-question.ts";
export * from "./bound-query.ts";
export * from "./domain.ts";
export { applyOperator, evaluate } from "./evaluate.ts";
export * from "./expression.ts";
export { aggregatesOf, postParts } from "./post-parts.ts";
export * from "./relation.ts";
export { columnDomain } from "./scope.ts";
export { writeSql } from "./write-sql.ts";
