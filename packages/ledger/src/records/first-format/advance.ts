import { lossFromJson, type PrivacyLoss, parseRational } from "@lethe/core";
import { composeLosses, lossFits, zeroLoss } from "@lethe/core/accounting";
import { add, compare, zero } from "@lethe/core/numeric";
import { deltaOf, mainOf, withDelta, withMain } from "../../account/main-number.ts";
import { boundedUp } from "../bounded-up.ts";
import { corrupt } from "../corrupt.ts";
import { type Balance, mayAsk, type SubAccount } from "./balance.ts";
import type { ApplyPayload, Entry, GrantedText, ReservePayload } from "./entry.ts";
import { noCharges, type PastCharges, renamed } from "./past-charges.ts";

/** The history of one request in the chain so far. */
export interface RequestHistory {
  readonly reserve: ReservePayload | null;
  readonly failures: number;
  readonly settled: boolean;
}

export const untouched: RequestHistory = { reserve: null, failures: 0, settled: false };

function boundedSum(spent: PrivacyLoss, loss: PrivacyLoss): PrivacyLoss {
  const total = composeLosses(spent.measure, [spent, loss]);
  const delta = deltaOf(total);
  const bounded = withMain(total, boundedUp(mainOf(total)));
  return delta ? withDelta(bounded, boundedUp(delta)) : bounded;
}

function capsOf(
  granted: GrantedText,
  before: ReadonlyMap<string, SubAccount>,
): Pick<Balance, "granted" | "analysts" | "failureCap" | "policyHash"> {
  const analysts = new Map<string, SubAccount>();
  for (const { name, cap } of granted.analysts) {
    const sub = parseRational(cap);
    const known = before.get(name);
    if (analysts.has(name) || compare(sub, known?.granted ?? zero) < 0) {
      throw corrupt("a sub-cap is lowered or stated twice");
    }
    analysts.set(name, { granted: sub, spent: known?.spent ?? zero });
  }
  for (const name of before.keys()) if (!analysts.has(name)) throw corrupt("a sub-cap is taken away");
  return {
    granted: lossFromJson(granted.cap),
    analysts,
    failureCap: granted.failureCap,
    policyHash: granted.policyHash,
  };
}

/** The policy's budget in place of the one before: what was spent stays spent, and nothing is lowered below it. */
function applied(balance: Balance, payload: ApplyPayload, past: PastCharges): Balance {
  const { cap, analysts: shares, closed, renamed: renaming, failureCap, policyHash } = payload;
  const granted = lossFromJson(cap);
  if (granted.measure !== balance.measure) throw corrupt("the cap is of another measure");
  if (failureCap !== balance.failureCap || policyHash !== balance.policyHash) {
    throw corrupt("a budget that is applied changes something else");
  }
  if (!lossFits(balance.spent, granted)) throw corrupt("the cap is below what is spent");
  requireRenaming(balance, payload);
  const spentBy = renamed(past, renaming);
  const analysts = new Map<string, SubAccount>();
  for (const { name, cap } of shares) {
    const sub = { granted: parseRational(cap), spent: spentBy.get(name) ?? zero };
    if (analysts.has(name)) throw corrupt("a sub-cap is stated twice");
    if (!(compare(sub.spent, sub.granted) <= 0)) throw corrupt("a sub-cap is below what is spent");
    analysts.set(name, sub);
  }
  return { ...balance, granted, analysts, stated: { cap, analysts: shares, closed } };
}

/** Refuses a renaming unless it goes from a name that is no longer listed to one that is newly listed, each once. Errors: ledger.corrupt. */
function requireRenaming(balance: Balance, { renamed, analysts }: ApplyPayload): void {
  const listed = new Set(analysts.map(({ name }) => name));
  const [from, to] = [new Set(renamed.map((each) => each.from)), new Set(renamed.map((each) => each.to))];
  const once = from.size === renamed.length && to.size === renamed.length;
  const ended = [...from].every((name) => balance.analysts.has(name) && !listed.has(name));
  const begun = [...to].every((name) => !balance.analysts.has(name) && listed.has(name));
  if (!(once && ended && begun)) throw corrupt("an analyst is renamed who was not listed, or goes on");
}

/** Returns the balance after a charge; null where it exceeds the account's cap or, for an analyst with a sub-cap, that one. */
export function charged(balance: Balance, principal: string, loss: PrivacyLoss): Balance | null {
  const spent = boundedSum(balance.spent, loss);
  if (!lossFits(spent, balance.granted)) return null;
  const sub = balance.analysts.get(principal);
  if (!sub) return { ...balance, spent };
  const own = boundedUp(add(sub.spent, mainOf(loss)));
  if (!(compare(own, sub.granted) <= 0)) return null;
  return { ...balance, spent, analysts: new Map(balance.analysts).set(principal, { ...sub, spent: own }) };
}

/**
 * The balance after one more entry: the only place where the ledger adds. Writing and verifying both come here, so a
 * balance that was written is the balance that verifies. `past` is what the entries before charged, which an applied budget
 * alone asks for. Errors: ledger.corrupt when the entry may not stand here.
 */
export function advance(
  balance: Balance | null,
  entry: Entry,
  history: RequestHistory,
  past: PastCharges = noCharges,
): Balance {
  if (entry.kind === "genesis") {
    if (balance) throw corrupt("a second beginning");
    const { measure, cap } = entry.payload;
    if (cap.measure !== measure) throw corrupt("the cap is of another measure");
    const caps = capsOf(entry.payload, new Map());
    return { measure, spent: zeroLoss(measure), failures: 0, open: 0, stated: null, ...caps };
  }
  if (!balance) throw corrupt("the ledger does not begin with its genesis record");
  switch (entry.kind) {
    case "grant": {
      const after = capsOf(entry.payload, balance.analysts);
      if (entry.payload.cap.measure !== balance.measure) throw corrupt("the cap is of another measure");
      if (!lossFits(balance.granted, after.granted)) throw corrupt("a cap is lowered");
      return { ...balance, ...after };
    }
    case "apply":
      return applied(balance, entry.payload, past);
    case "reserve": {
      if (history.reserve) throw corrupt("a second charge of one request");
      const loss = lossFromJson(entry.payload.loss);
      if (loss.measure !== balance.measure) throw corrupt("the charge is of another measure");
      if (balance.stated?.closed) throw corrupt("the charge is of a closed account");
      if (!mayAsk(balance, entry.payload.principal)) throw corrupt("the charge is of an unknown principal");
      const after = charged(balance, entry.payload.principal, loss);
      if (!after) throw corrupt("the charge exceeds a cap");
      return { ...after, open: after.open + 1 };
    }
    case "settle": {
      requireUnsettled(history);
      return { ...balance, open: balance.open - (history.failures === 0 ? 1 : 0) };
    }
    case "fail": {
      requireUnsettled(history);
      return {
        ...balance,
        failures: balance.failures + 1,
        open: balance.open - (history.failures === 0 ? 1 : 0),
      };
    }
  }
}

function requireUnsettled(history: RequestHistory): void {
  if (!history.reserve) throw corrupt("an outcome of a request that never paid");
  if (history.settled) throw corrupt("an outcome of a request that was settled before");
}

/** The request's history after an entry about it. */
export function remember(history: RequestHistory, entry: Entry): RequestHistory {
  switch (entry.kind) {
    case "reserve":
      return { ...history, reserve: entry.payload };
    case "settle":
      return { ...history, settled: true };
    case "fail":
      return { ...history, failures: history.failures + 1 };
    default:
      return history;
  }
}
