export { tableAxes, tableQuestion } from "./table-question.ts";
