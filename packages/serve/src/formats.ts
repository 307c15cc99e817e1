export { answerJsonSchema } from "./formats/answer-schema.ts";
export { csvField, csvLines, csvOf } from "./formats/csv.ts";
export { type FlatAnswer, type FlatValue, flatAnswer, type ShownAnswer } from "./formats/flat-answer.ts";
export { renderJson } from "./formats/json.ts";
export { keyText } from "./formats/key-text.ts";
export { type NamedAnswer, namedAnswer, namedRows } from "./formats/named-answer.ts";
export { asDrawn, namedMade } from "./formats/named-made.ts";
