import { advance } from "../records/advance.ts";
import { corrupt } from "../records/corrupt.ts";
import type { Entry } from "../records/entry.ts";
import { sealAfter, sha256 } from "../records/record.ts";
import { readState } from "../records/state.ts";
import type { Decision, Snapshot } from "../stores/store.ts";

/** Decides a settlement. The first one wins, and every later one gets its bytes. */
export function decideSettle(
  snapshot: Snapshot,
  requestId: string,
  release: string,
  bytes: Uint8Array,
  at: number,
): Decision<string> {
  const { head, balance, history, paid, release: settled } = readState(snapshot);
  if (!paid) throw corrupt("a charge that was issued has no record");
  if (settled !== null) return { append: null, result: settled };
  const entry: Entry = { kind: "settle", payload: { requestId, sha256: sha256(bytes) } };
  return {
    append: sealAfter(head, at, entry, advance(balance, entry, history), bytes),
    result: release,
  };
}

/** Decides a failure. Nothing is refunded, and a request that another run has settled meanwhile did not fail. */
export function decideFail(snapshot: Snapshot, requestId: string, at: number): Decision<null> {
  const { head, balance, history, paid, release: settled } = readState(snapshot);
  if (!paid) throw corrupt("a charge that was issued has no record");
  if (settled !== null) return { append: null, result: null };
  const entry: Entry = { kind: "fail", payload: { requestId } };
  return { append: sealAfter(head, at, entry, advance(balance, entry, history)), result: null };
}
