import { invalidParameter, lossFromJson } from "@lethe/core";
import type { ChargeAsked, ChargePage, ChargeReport, ChargesAsked } from "../ledger.ts";
import { corrupt } from "../records/corrupt.ts";
import type { ReservePayload, SharePayload } from "../records/entry.ts";
import type { RequestHistory } from "../records/history.ts";
import { readRequestRecord } from "../records/record.ts";
import { readRequest } from "../records/state.ts";
import { owner } from "../scopes/may-ask.ts";
import type { Snapshot, StoredRecord } from "../stores/store.ts";
import { notYours } from "./balance-of.ts";

/** The most charges of one page. */
export const mostCharges = 1000;

/** Errors: parameter.invalid; ledger.principal where a viewer asks for another's charges. */
export function requireCharges({ viewer, principal, before, most }: ChargesAsked): void {
  if (!(Number.isSafeInteger(most) && most >= 1 && most <= mostCharges))
    throw invalidParameter("the most charges", most, `a whole number from 1 to ${mostCharges}`);
  if (before !== null && !(Number.isSafeInteger(before) && before >= 0))
    throw invalidParameter("the place before", before, "a whole number ≥ 0");
  if (viewer !== owner && viewer !== principal) throw notYours(viewer);
}

/** Returns a page of charges from the rows that are indexed by who paid. Each record is checked by itself; the chain only by verifyLedger. */
export function chargePage(snapshot: Snapshot, { principal, before, most }: ChargesAsked): ChargePage {
  const records = snapshot.charges(principal, before, most);
  const last = records.at(-1);
  return {
    charges: records.map((record) => reportOf(snapshot, record)),
    before: records.length === most && last ? last.sequence : null,
  };
}

/** Returns the ids of the requests that a principal paid for, newest first, at most so many; what was received from others is none of them. */
export function requestsPaid(snapshot: Snapshot, principal: string, most: number): readonly string[] {
  const found: string[] = [];
  const page = Math.min(most, mostCharges);
  for (let before: number | null = null; ; ) {
    const records = snapshot.charges(principal, before, page);
    for (const record of records) {
      const entry = readRequestRecord(record, principal);
      if (entry.kind === "reserve") found.push(entry.payload.requestId);
      if (found.length === most) return found;
    }
    const last = records.at(-1);
    if (records.length < page || !last) return found;
    before = last.sequence;
  }
}

/** Returns one charge, from the records of its request; null where there is none. */
export function chargeOf(snapshot: Snapshot, { principal, receiver }: ChargeAsked): ChargeReport | null {
  const found = snapshot.request.find((record) => {
    const entry = readRequestRecord(record, principal);
    return receiver === undefined
      ? entry.kind === "reserve"
      : entry.kind === "share" && entry.payload.to === receiver;
  });
  return found ? reportOf(snapshot, found) : null;
}

function reportOf(snapshot: Snapshot, record: StoredRecord): ChargeReport {
  const entry = readRequestRecord(record, "");
  if (entry.kind !== "reserve" && entry.kind !== "share") throw corrupt("it charges nobody", record.sequence);
  const { history, paid } = readRequest(snapshot.requestOf(entry.payload));
  if (!paid) throw corrupt("it charges for no request", record.sequence);
  return entry.kind === "share"
    ? shareReport(record, entry.payload, paid.payload)
    : chargeReport(record, entry.payload, history);
}

/** One charge as it is shown. */
export function chargeReport(
  { sequence, at }: StoredRecord,
  payload: ReservePayload,
  history: Pick<RequestHistory, "settled" | "failures">,
): ChargeReport {
  const { principal, project, requestId, text, loss } = payload;
  const state = history.settled ? "settled" : history.failures > 0 ? "failed" : "reserved";
  return {
    sequence,
    at,
    principal,
    project,
    sharedBy: null,
    requestId,
    text,
    loss: lossFromJson(loss),
    state,
  };
}

/** One answer that was received, as it is shown. */
export function shareReport(
  { sequence, at }: StoredRecord,
  { principal, to, project, requestId, loss }: SharePayload,
  { text }: ReservePayload,
): ChargeReport {
  return {
    sequence,
    at,
    principal: to,
    project,
    sharedBy: principal,
    requestId,
    text,
    loss: lossFromJson(loss),
    state: "settled",
  };
}
