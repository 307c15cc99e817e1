export { countedTables } from "./counted-tables.ts";
export type { CandidateTable, ExactTables, MarginalSource, TableShape } from "./marginal-source.ts";
export { sessionSource } from "./session-source.ts";
