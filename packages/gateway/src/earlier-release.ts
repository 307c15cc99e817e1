import { LetheError } from "@lethe/core";
import { canonicalJson, sha256 } from "@lethe/core/canonical";
import { elementAt } from "@lethe/core/numeric";
import { type Ledger, owner } from "@lethe/ledger";
import type { ReleasedNumbers } from "@lethe/query";
import { holdsEstimates, isEstimate, type Release } from "./release.ts";

/**
 * Returns the answer of this ledger to an earlier request, on whose public numbers a plan may lean. Whoever asked for it, the owner, and whoever
 * holds the release may have it. Errors: query.option where there is no such answer; release.invalid where what is held, or what is kept, is not what
 * this ledger signed.
 */
export async function earlierRelease(
  requestId: string,
  { principal, held = null }: { readonly principal: string; readonly held?: unknown },
  ledger: Ledger,
): Promise<Release> {
  const asker = await askerOf(requestId, { principal, held }, ledger);
  const settled = asker === null ? null : await ledger.settled(requestId, asker);
  if (settled === null) throw noRelease(requestId, principal);
  const release: Release = JSON.parse(settled.release);
  const isOther = held !== null && canonicalJson(held) !== canonicalJson(release);
  // Whoever writes a release of somebody else's does not learn by it that there is one.
  if (isOther && asker !== principal && principal !== owner) throw noRelease(requestId, principal);
  if (!("rows" in release))
    throw new LetheError(
      "query.option",
      `the request ${JSON.stringify(requestId)} was no question alone: it has no release whose numbers a target error could be a share of`,
      { fix: "name the id of a question that was answered" },
    );
  if (isOther)
    throw new LetheError(
      "release.invalid",
      `the release given is not the one that this ledger answered as ${JSON.stringify(requestId)}`,
      { fix: "hand over the file as lethe query --out wrote it, of this data source" },
    );
  if (!(await isOfLedger(release, ledger)))
    throw new LetheError(
      "release.invalid",
      "the release that is kept does not bear this ledger's signature",
      {
        fix: "check the ledger: lethe ledger verify",
      },
    );
  return release;
}

function noRelease(requestId: string, principal: string): LetheError {
  return new LetheError(
    "query.option",
    `${principal} has no release under the id ${JSON.stringify(requestId)}`,
    {
      fix: "name the id of a request of yours that was answered, or hand over the release itself",
    },
  );
}

/**
 * Returns whose request an id names: one's own, that of a release which is held, or for the owner the only one that anybody has. A release that is
 * held is compared with what this ledger answered, so whose it says it is gives nothing away.
 */
async function askerOf(
  requestId: string,
  { principal, held }: { readonly principal: string; readonly held: unknown },
  ledger: Ledger,
): Promise<string | null> {
  const named = (held as { readonly certificate?: { readonly principal?: unknown } } | null)?.certificate
    ?.principal;
  if (typeof named === "string") return named;
  if (principal !== owner) return principal;
  const askers = await ledger.askersOf(requestId);
  return askers.includes(owner) ? owner : askers.length === 1 ? elementAt(askers, 0) : null;
}

/** Whether this ledger signed a release. Ed25519 signs a text in one way, so signing it again checks it. */
async function isOfLedger(release: Release, ledger: Ledger): Promise<boolean> {
  const { version: _, certificate, signature, ...answered } = release;
  return (
    certificate.rowsHash === sha256(canonicalJson(answered)) &&
    signature === (await ledger.sign(canonicalJson(certificate)))
  );
}

/** Returns the known numbers of each column of estimates; columns with the same name are one. */
export function releasedNumbers({ columns, rows, certificate }: Release): ReleasedNumbers {
  const numbers = new Map<string, number[]>();
  for (const [at, column] of columns.entries()) {
    if (!holdsEstimates(column)) continue;
    const known = rows.flatMap((row) => {
      const cell = row[at]!;
      return isEstimate(cell) && cell.value !== null ? [cell.value] : [];
    });
    numbers.set(column.name, [...(numbers.get(column.name) ?? []), ...known]);
  }
  return { requestId: certificate.requestId, columns: numbers };
}

/** Returns the name of a release for ever: the hash of its certificate, which holds that of its rows. */
export function certificateHash({ certificate }: Pick<Release, "certificate">): string {
  return sha256(canonicalJson(certificate));
}
