export { checkPublic, compilePublic, compilePublicValues, mostPublicRows } from "./compile-public.ts";
export { type PublicQuestion, publicQuestion } from "./public-question.ts";
export { refuseColumnType, tooManyRows } from "./refusals.ts";
