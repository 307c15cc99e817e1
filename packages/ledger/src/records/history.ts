import { corrupt } from "./corrupt.ts";
import type { Entry, ReservePayload } from "./entry.ts";

/** The history of one request in the chain so far. */
export interface RequestHistory {
  readonly reserve: ReservePayload | null;
  readonly failures: number;
  readonly settled: boolean;
  /** Receivers of its answer, each with the project that it was received in. */
  readonly shares: ReadonlyMap<string, string | null>;
}

export const untouched: RequestHistory = { reserve: null, failures: 0, settled: false, shares: new Map() };

/** The request's history after an entry about it. */
export function remember(history: RequestHistory, entry: Entry): RequestHistory {
  switch (entry.kind) {
    case "reserve":
      return { ...history, reserve: entry.payload };
    case "settle":
      return { ...history, settled: true };
    case "fail":
      return { ...history, failures: history.failures + 1 };
    case "share":
      return { ...history, shares: new Map(history.shares).set(entry.payload.to, entry.payload.project) };
    default:
      return history;
  }
}

/** Returns what was paid by a request that goes on. Errors: ledger.corrupt. */
export function requireUnsettled({ reserve, settled }: RequestHistory): ReservePayload {
  if (!reserve) throw corrupt("an outcome of a request that never paid");
  if (settled) throw corrupt("an outcome of a request that was settled before");
  return reserve;
}
