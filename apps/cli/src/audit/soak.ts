import { type Audit, type AuditRow, type AuditStep, soakRequest, verdictOf } from "@lethe/audit";

/**
 * Every audit that draws coins, over so many fresh seeds: a row a subject, with how many of the seeds flagged it. The false alarm is
 * shared among all seeds. A control must be caught on at least 99.99 % of them, and on all but one of fewer than 10,000.
 */
export function soakSteps(audits: readonly Audit[], first: number, seeds: number): AuditStep[] {
  const request = { ...soakRequest, falseAlarm: soakRequest.falseAlarm / seeds };
  return audits
    .filter(({ id }) => id === "estimate" || id === "impossible")
    .flatMap((audit) =>
      audit.steps({ ...request, seed: first }).map(({ subject }, at) => ({
        subject,
        async make() {
          const rows: AuditRow[] = [];
          for (let seed = first; seed < first + seeds; seed += 1) {
            rows.push(await audit.steps({ ...request, seed })[at]!.make());
          }
          return overSeeds(rows);
        },
      })),
    );
}

/** Many seeds' rows of one subject as one. */
export function overSeeds(rows: readonly AuditRow[]): AuditRow {
  const [row] = rows as [AuditRow];
  const flagged = rows.filter(({ finding }) => finding !== null);
  const control = verdictOf({ ...row, finding: null }) === "missed";
  const missed = rows.length - flagged.length;
  const caught = missed <= Math.max(1, rows.length / 10_000) && flagged.length > 0;
  const share = flagged.length / rows.length;
  return {
    ...row,
    finding: (control ? caught : flagged.length > 0) ? (flagged[0]?.finding ?? null) : null,
    measured: `flagged on ${flagged.length} of ${rows.length} seeds`,
    interval: [share, share],
    ceiling: control ? 1 : 0,
  };
}
