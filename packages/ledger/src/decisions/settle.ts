import { advance } from "../records/advance.ts";
import { corrupt } from "../records/corrupt.ts";
import type { Entry, RequestName } from "../records/entry.ts";
import { sealAfter } from "../records/record.ts";
import { sha256 } from "../records/record-hash.ts";
import { readState } from "../records/state.ts";
import type { Decision, Snapshot } from "../stores/store.ts";

/** Decides a settlement. The first one wins, and every later one gets its bytes. */
export function decideSettle(
  snapshot: Snapshot,
  { principal, requestId }: RequestName,
  release: string,
  bytes: Uint8Array,
  at: number,
): Decision<string> {
  const { head, books, history, paid, release: settled, tree } = readState(snapshot);
  if (!paid) throw corrupt("a charge that was issued has no record");
  if (settled !== null) return { append: null, result: settled };
  const entry: Entry = { kind: "settle", payload: { principal, requestId, sha256: sha256(bytes) } };
  const posting = advance(books, entry, history, { sequence: head.sequence + 1, at });
  return { append: sealAfter(head, at, entry, posting, tree, bytes), result: release };
}

/** Decides a failure. Nothing is refunded, and a request that another run has settled meanwhile did not fail. */
export function decideFail(snapshot: Snapshot, request: RequestName, at: number): Decision<null> {
  const { head, books, history, paid, release: settled, tree } = readState(snapshot);
  if (!paid) throw corrupt("a charge that was issued has no record");
  if (settled !== null) return { append: null, result: null };
  const { principal, requestId } = request;
  const entry: Entry = { kind: "fail", payload: { principal, requestId } };
  const posting = advance(books, entry, history, { sequence: head.sequence + 1, at });
  return { append: sealAfter(head, at, entry, posting, tree), result: null };
}
