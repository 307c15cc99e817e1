import type { AuditRow } from "../audits/audit-row.ts";
import { timesRow } from "./times-apart.ts";
import type { ScramChallenge, Wire } from "./wire.ts";
import { notMade } from "./wire-row.ts";

const subject = "names at PostgreSQL's sign-in";
const claim = "a name that there is is challenged as one that nobody has";
/** How often each kind is asked: the times of nine and nine alike do not overlap in 1 of 24,310 cases. */
const turns = 9;

/**
 * Begins to sign in by SCRAM under a name that there is and names that nobody has, in turns, and leaves before any proof: salts must be of one length and each name's own, iterations the same, and times not apart. No
 * attempt fails by that. Null where the protocol is not attacked.
 */
export async function namesAtPostgres({ analysts, postgres, newName }: Wire): Promise<AuditRow | null> {
  if (postgres === null) return null;
  const [{ name }] = analysts;
  const nobody = newName();
  const known: ScramChallenge[] = [];
  const unknown: ScramChallenge[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    // Every other one is the same name: its salt must be, too.
    const missing = turn % 2 === 0 ? nobody : newName();
    for (const each of turn % 2 === 0 ? [name, missing] : [missing, name]) {
      const challenge = await postgres.challenge(each);
      if (challenge === null) return notMade(subject, claim, "the service did not offer SCRAM to a name");
      (each === name ? known : unknown).push(challenge);
    }
  }
  const saltsOf = (challenges: readonly ScramChallenge[]): number =>
    new Set(challenges.map(({ salt }) => salt)).size;
  const repeated = unknown.filter((_, turn) => turn % 2 === 0);
  const forms = new Set([...known, ...unknown].map(({ salt, iterations }) => `${salt.length} ${iterations}`));
  const shown =
    forms.size > 1
      ? "salts are of several lengths, or iterations of several numbers"
      : saltsOf(known) > 1 || saltsOf(repeated) > 1
        ? "one name has several salts"
        : saltsOf(unknown) < 1 + turns - repeated.length
          ? "several names have one salt"
          : null;
  return timesRow(
    subject,
    claim,
    { known, unknown },
    { shown, tries: `medians of ${turns} challenges each` },
  );
}
