export { checkViews } from "./from/check-views.ts";
export { questionIdentity } from "./names/question-identity.ts";
export * from "./names/resolved-query.ts";
export { columnDomain } from "./names/scope.ts";
export { aggregatesOf, postParts } from "./post/post-parts.ts";
export { resolveQuestion } from "./question/resolve-question.ts";
