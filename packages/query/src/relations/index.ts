export { joinedRows, mostJoinedRows, questionsRows } from "./joined-rows/joined-rows.ts";
export * from "./relation.ts";
export type { UnitAggregate } from "./unit-aggregate.ts";
export type * from "./unit-window.ts";
export { writeFrom } from "./write-from.ts";
