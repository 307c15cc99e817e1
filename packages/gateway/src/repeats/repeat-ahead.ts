import type { Ledger } from "@lethe/ledger";
import { type Policy, tablesAnswered } from "@lethe/query";
import { earlierRelease, releasedNumbers } from "../earlier-release.ts";
import type { Question } from "../question.ts";
import { pilotOfQuestion, planResolved, readQuestion } from "../resolved-question.ts";
import { dataVersion, type TableVersion } from "./data-version.ts";
import { findRepeat } from "./find-repeat.ts";
import { sameQuestion } from "./same-question.ts";

/** What is looked at before a question is asked: no data, and no engine. */
export interface RepeatSources {
  readonly policy: Policy;
  readonly ledger: Ledger;
  readonly clock: () => number;
  /** Returns the version of the data of a table, as a question would read it now. */
  readonly versionOf: (table: string) => TableVersion | Promise<TableVersion>;
}

/**
 * Returns the earlier answer that a question would be shown, at no charge; null where it would be paid for. EXPLAIN PRIVACY may stand before the
 * question. Errors: those of the question.
 */
export async function repeatAhead(
  { text, principal, options }: Omit<Question, "requestId">,
  { policy, ledger, clock, versionOf }: RepeatSources,
): Promise<{ readonly requestId: string; readonly asOf: string } | null> {
  const resolved = await readQuestion(text, options, policy, true);
  const { targetRelease } = resolved;
  const asker = { principal, held: options.heldRelease ?? null };
  const released =
    targetRelease === null ? null : releasedNumbers(await earlierRelease(targetRelease, asker, ledger));
  const { plan } = pilotOfQuestion(resolved) ?? planResolved(resolved, released);
  const version = dataVersion(await Promise.all(tablesAnswered(plan).map(versionOf)), policy);
  if (version === null) return null;
  return (await findRepeat({ principal, same: sameQuestion(resolved, plan), version }, { ledger, clock }))
    .answered;
}
