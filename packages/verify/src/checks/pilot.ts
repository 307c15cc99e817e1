import { lossFromJson } from "@lethe/core";
import { composeLosses, lossFits } from "@lethe/core/accounting";
import { canonicalJson } from "@lethe/core/canonical";
import type { Release } from "../format/release.ts";
import { type Check, type Verdict, verdict } from "./check.ts";
import { computation } from "./replan.ts";

/**
 * The two requests of a question with a pilot: the first verifies by itself, asks the same of the same account for the same
 * principal, and both charges are in what the account has spent. Where the second was not paid, everything is the first's.
 */
export function requestsBelongTogether(release: Release, pilot: Release, ofPilot: readonly Check[]): Verdict {
  const [first, second] = [pilot.certificate, release.certificate];
  const same = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);
  const failed = ofPilot.filter(({ outcome }) => outcome === "failed");
  return verdict(
    [
      ...failed.map(({ name, says }) => `the pilot does not verify: ${name}: ${says}`),
      ...(first.ledger.publicKey === second.ledger.publicKey && first.principal === second.principal
        ? []
        : ["the pilot is another account's, or another principal's"]),
      ...(first.requestId === `${second.requestId} (pilot)` ? [] : ["the pilot is of another request"]),
      ...(same(computation(first.plan), computation(second.plan)) ? [] : ["the pilot asks something else"]),
      ...(second.target === undefined ? aloneAmiss(release, pilot, same) : bothAmiss(release, pilot)),
    ],
    second.target === undefined
      ? "the numbers are those of the pilot, which verifies, and nothing else was paid"
      : "the pilot verifies, asks the same question, and both charges are in what is spent",
  );
}

function* aloneAmiss(
  release: Release,
  pilot: Release,
  same: (a: unknown, b: unknown) => boolean,
): Iterable<string> {
  const { plan, charge, ledger } = release.certificate;
  const first = pilot.certificate;
  if (
    !same([plan, charge, ledger], [first.plan, first.charge, first.ledger]) ||
    !same(release.rows, pilot.rows)
  )
    yield "no second request was paid, and the answer is not the pilot's";
}

function* bothAmiss({ certificate: second }: Release, { certificate: first }: Release): Iterable<string> {
  if (!(first.ledger.sequence < second.ledger.sequence))
    yield "the pilot was charged after what it suggested";
  const charges = [first.charge, second.charge].map((loss) => lossFromJson(loss));
  const both = composeLosses(second.charge.measure, charges);
  if ("spent" in second.account && !lossFits(both, lossFromJson(second.account.spent)))
    yield "both charges together are more than all that is spent";
}
