export * from "./answers/index.ts";
export { type AuditOptions, audit, auditModule, type ReplayFinding, type ReplayReport } from "./audit.ts";
export type { ChoiceRequest, Mechanisms } from "./mechanism-call.ts";
export { distanceOf, nodeCounts, refutedClaims, refutedTrees, totalVectors } from "./refuted-claims.ts";
export { type Database, type Measured, measure, movedBeyondPrice, replayPlan } from "./replay-plan.ts";
export type { AuditedFunction } from "./run-here.ts";
export type { FunctionAt } from "./run-in-worker.ts";
export type { SparseRequest } from "./sparse-conversations.ts";
