export { answerJsonSchema } from "./formats/answer-schema.ts";
export { csvField, csvOf, type ShownAnswer } from "./formats/csv.ts";
export { renderJson } from "./formats/json.ts";
export { keyText } from "./formats/key-text.ts";
export { type NamedAnswer, namedAnswer, namedRows } from "./formats/named-answer.ts";
