export * from "./catalog/catalog-answer.ts";
export { answerCatalog, asksCatalog, valuesText } from "./catalog/catalog-question.ts";
export * from "./column-description.ts";
export { functionNames, keywords } from "./known-words.ts";
export type { ParameterType } from "./parameter-guesses.ts";
export * from "./question-description.ts";
export { describeTables, type TableDescription } from "./table-description.ts";
