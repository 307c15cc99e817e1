export { answersAudit } from "./answers-audit.ts";
export { type AttackStep, attackAudit, fullEffort, quickEffort, soakEffort } from "./attack-audit.ts";
export { attackRow } from "./attack-row.ts";
export {
  type Audit,
  type AuditRequest,
  type AuditStep,
  fullRequest,
  quickRequest,
} from "./audit.ts";
export { type AuditRow, isWrong, type Verdict, verdictOf, verdictWords } from "./audit-row.ts";
export { mostJudgedEnds } from "./false-alarms.ts";
export { forgeriesAudit } from "./forgeries-audit.ts";
export { audits } from "./registry.ts";
export { replayRow } from "./replay-row.ts";
export type { SoakRequest, SoakStep } from "./soak/soak-request.ts";
export { soakSteps } from "./soak/soak-steps.ts";
