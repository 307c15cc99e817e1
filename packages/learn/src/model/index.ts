export { rowsOfModel } from "./missing-rows.ts";
export type * from "./model.ts";
export type { OwnersWords } from "./owners-words.ts";
export { wordsOf } from "./owners-words.ts";
export { readModel } from "./read-model.ts";
export { modelKindOf } from "./read-row-task.ts";
export type { RowTask } from "./row-task.ts";
