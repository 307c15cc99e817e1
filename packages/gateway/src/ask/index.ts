export type { Answer, EarlierAnswer, Explained, FreeAnswers } from "./answer-kinds.ts";
export { type AskedParts, askText, dayAt } from "./ask-text.ts";
export { type AskOptions, askedOptions, parameterList } from "./asked-options.ts";
export { type ExplainSources, explainAsked, freeAnswers } from "./explain-asked.ts";
