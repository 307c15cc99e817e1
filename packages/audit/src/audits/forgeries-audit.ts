import { plural } from "@lethe/query";
import type { FailedCheck, Laboratory, OpenedForger } from "../attacks/services/service.ts";
import { forgedReleases } from "../known-bad/forged-releases.ts";
import type { AuditStep } from "./audit.ts";
import type { AuditRow } from "./audit-row.ts";
import { account, people, worldOf } from "./invented-people.ts";

/** Releases that whoever holds the ledger's key forges, and genuine ones, before the verifier. It needs a database, which apps wire. */
export const forgeriesAudit = {
  id: "forgeries",
  title: "releases forged under the ledger's own key, which lethe verify must refuse, and genuine ones",
  steps: (laboratory: Laboratory): readonly AuditStep[] => [
    {
      subject: "genuine-releases",
      make: () =>
        withForger(laboratory, async (forger) => {
          const questions = [...new Set(forgedReleases.map(({ question }) => question))];
          const failed = new Map<string, readonly FailedCheck[]>();
          // Signed once more, as forgeries are: what refuses those is not that.
          for (const question of questions)
            failed.set(question, await forger.failed(await forger.signed(await forger.release(question))));
          const wrong = [...failed].filter(([, checks]) => checks.length > 0);
          return rowOf({
            subject: "genuine-releases",
            of: "lethe",
            finding:
              wrong.length === 0
                ? null
                : wrong.map(([question, checks]) => `${question}: ${said(checks)}`).join("; "),
            measured: `refused: ${wrong.length} of ${questions.length}`,
            how: `${plural(questions.length, "release")}, signed again by the ledger's key`,
          });
        }),
    },
    ...forgedReleases.map(({ id, fault, question, check, forge }) => ({
      subject: id,
      make: () =>
        withForger(laboratory, async (forger) => {
          const failed = await forger.failed(await forger.signed(forge(await forger.release(question))));
          const told = failed.filter(({ name }) => name === check);
          return rowOf({
            subject: id,
            of: "control",
            finding: told.length === 0 ? null : said(told),
            measured: `failed: ${failed.map(({ name }) => name).join(", ") || "nothing"}`,
            how: `${fault}; hash and signature are made anew with the ledger's key`,
          });
        }),
    })),
  ],
} as const;

type Made = Pick<AuditRow, "subject" | "of" | "finding" | "measured" | "how">;

const rowOf = (made: Made): AuditRow => ({
  ...made,
  audit: forgeriesAudit.id,
  claim: "a release that verifies is one that its plan can give",
  interval: null,
  ceiling: null,
});

async function withForger<T>(laboratory: Laboratory, work: (forger: OpenedForger) => Promise<T>): Promise<T> {
  const forger = await laboratory.forger(worldOf("person", people), account);
  try {
    return await work(forger);
  } finally {
    await forger.close();
  }
}

const said = (failed: readonly FailedCheck[]): string =>
  failed.map(({ name, says }) => `${name}: ${says}`).join("; ");
