import type { AuditRow } from "../audits/audit-row.ts";

/** A row of the audit over the wire. */
export function wireRow(
  subject: string,
  claim: string,
  measured: string,
  { finding = null, how = "" }: { readonly finding?: string | null; readonly how?: string },
): AuditRow {
  return {
    audit: "wire",
    subject,
    of: "lethe",
    finding,
    claim,
    measured,
    interval: null,
    ceiling: null,
    how,
  };
}

/** A row for an attack that could not be made. */
export function notMade(subject: string, claim: string, why: string): AuditRow {
  return { ...wireRow(subject, claim, "not tried", { how: why }), of: "told" };
}
