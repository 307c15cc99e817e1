import { answersAudit, attackAudit, audits, forgeriesAudit, wireAudit } from "@lethe/audit";
import { policyAudit } from "./audit-policy.ts";

/** Returns the title of an audit, in one line; its id where nothing is known of it. */
export function auditTitle(id: string): string {
  return (
    [policyAudit, ...audits, answersAudit, forgeriesAudit, attackAudit, wireAudit].find(
      (each) => each.id === id,
    )?.title ?? id
  );
}
