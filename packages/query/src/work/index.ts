export { joinedRows, mostJoinedRows, questionsRows } from "./joined-rows.ts";
