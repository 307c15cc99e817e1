import { LetheError, type Rational } from "@lethe/core";
import { type Balance, balanceText } from "../account/balance.ts";
import type { Contents, StoredRecord } from "../stores/store.ts";
import { advance, type RequestHistory, remember, untouched } from "./advance.ts";
import { corrupt } from "./corrupt.ts";
import type { Entry, GenesisPayload, ReservePayload } from "./entry.ts";
import { rememberCharge } from "./past-charges.ts";
import { noRecord, readRecord, sha256 } from "./record.ts";

/** One charge with what became of it. */
export interface ReplayedCharge {
  readonly record: StoredRecord;
  readonly payload: ReservePayload;
  readonly history: RequestHistory;
}

/** One change of the budget. */
export interface ReplayedBudget {
  readonly record: StoredRecord;
  readonly entry: Extract<Entry, { kind: "grant" | "apply" }>;
  readonly before: Balance;
  readonly after: Balance;
}

/** The chain, told from its beginning as far as it holds. */
export interface Replay {
  readonly genesis: GenesisPayload | null;
  readonly balance: Balance | null;
  readonly head: StoredRecord | null;
  /** In the order in which they were paid. */
  readonly charges: readonly ReplayedCharge[];
  /** Every change of the budget since the ledger was made, oldest first. */
  readonly budgets: readonly ReplayedBudget[];
  /** The first thing that does not hold, or null when everything does. */
  readonly problem: { readonly sequence: number | null; readonly reason: string } | null;
}

/** Returns the history of a request that was charged. Errors: internal.invariant where the chain has none of it. */
function historyOf(
  histories: ReadonlyMap<string, RequestHistory>,
  { requestId }: ReservePayload,
): RequestHistory {
  const history = histories.get(requestId);
  if (history !== undefined) return history;
  throw new LetheError("internal.invariant", "a charge was read without its history", {
    fix: "report this as a defect",
  });
}

/**
 * Recomputes everything from the records: hashes, sequence, sums, caps at every prefix, one charge and one answer a
 * request, the release bytes' hashes, and the balance that was kept beside them. Never throws for bad contents.
 */
export function replay(contents: Contents): Replay {
  const histories = new Map<string, RequestHistory>();
  const charges: { record: StoredRecord; payload: ReservePayload }[] = [];
  const settled = new Set<number>();
  const past = new Map<string, Rational>();
  const budgets: ReplayedBudget[] = [];
  let genesis: GenesisPayload | null = null;
  let balance: Balance | null = null;
  let head: StoredRecord | null = null;
  let place: number | null = null;
  const told = (problem: Replay["problem"]): Replay => ({
    genesis,
    balance,
    head,
    budgets,
    charges: charges.map((charge) => ({ ...charge, history: historyOf(histories, charge.payload) })),
    problem,
  });
  try {
    for (const record of contents.records) {
      place = head ? head.sequence + 1 : 0;
      if (record.sequence !== place) throw corrupt("it is missing, or another stands in its place");
      if (record.previous !== (head ? head.hash : noRecord))
        throw corrupt("it does not follow the one before");
      const entry: Entry = readRecord(record);
      if (entry.kind === "genesis") genesis = entry.payload;
      const requestId = "requestId" in entry.payload ? entry.payload.requestId : null;
      const history = (requestId !== null && histories.get(requestId)) || untouched;
      const before: Balance | null = balance;
      balance = advance(before, entry, history, past);
      rememberCharge(past, entry);
      if (before && (entry.kind === "grant" || entry.kind === "apply")) {
        budgets.push({ record, entry, before, after: balance });
      }
      if (sha256(balanceText(balance)) !== record.balance) throw corrupt("the balance after it is another");
      if (requestId !== null) histories.set(requestId, remember(history, entry));
      if (entry.kind === "reserve") charges.push({ record, payload: entry.payload });
      if (entry.kind === "settle") {
        settled.add(record.sequence);
        if (contents.releases.get(record.sequence) !== entry.payload.sha256) {
          throw corrupt("the stored release is not the one that was recorded");
        }
      }
      head = record;
    }
    place = null;
    if (!head || !balance) throw corrupt("it is empty");
    if (contents.balance !== balanceText(balance)) {
      throw corrupt("the balance kept beside the records is not the one they lead to");
    }
    for (const sequence of contents.releases.keys()) {
      if (!settled.has(sequence))
        throw corrupt(`a release belongs to record ${sequence}, which settles nothing`);
    }
    return told(null);
  } catch (error) {
    if (!(error instanceof LetheError)) throw error;
    return told({ sequence: place, reason: String(error.fields.reason ?? error.message) });
  }
}
