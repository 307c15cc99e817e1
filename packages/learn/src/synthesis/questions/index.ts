export { longestTable, tableAxes, tableQuestion } from "./table-question.ts";
