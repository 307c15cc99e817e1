export { asksToExplain } from "./cut-explain.ts";
export { preloadGrammar } from "./grammar.ts";
export { listParameters } from "./named-parameters.ts";
export type { ParameterValue } from "./parameters.ts";
export { parseQuestion, selectReader } from "./parse-question.ts";
export type { ParsedQuestion, StatedOption } from "./parsed-question.ts";
export { placeOf } from "./place-of.ts";
export { scanTokens, statementEnd, type Token } from "./scan-tokens.ts";
