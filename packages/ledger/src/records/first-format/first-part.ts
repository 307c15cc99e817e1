import type { Rational } from "@lethe/core";
import type { StoredRecord } from "../../stores/store.ts";
import { corrupt } from "../corrupt.ts";
import { sha256 } from "../record-hash.ts";
import { advance, type RequestHistory, remember, untouched } from "./advance.ts";
import { type Balance, balanceText } from "./balance.ts";
import type { Entry, StatedBudget } from "./entry.ts";
import { rememberCharge } from "./past-charges.ts";
import { type FirstPrincipal, rememberPrincipal } from "./principals.ts";
import type { FirstLedger } from "./upgraded.ts";

/** The part of a chain that is of the first format, recomputed record by record. */
export class FirstPart {
  readonly #histories = new Map<string, RequestHistory>();
  readonly #past = new Map<string, Rational>();
  readonly #principals = new Map<string, FirstPrincipal>();
  #balance: Balance | null = null;
  #stated: { sequence: number; budget: StatedBudget } | null = null;
  #seen = 0;

  /** Takes the next entry. Returns the balance after it. Errors: ledger.corrupt where the entry may not stand here. */
  take(entry: Entry, record: StoredRecord): Balance {
    const requestId = "requestId" in entry.payload ? entry.payload.requestId : null;
    const history = (requestId !== null && this.#histories.get(requestId)) || untouched;
    const after = advance(this.#balance, entry, history, this.#past);
    rememberCharge(this.#past, entry);
    rememberPrincipal(this.#principals, after.measure, entry, history);
    if (sha256(balanceText(after)) !== record.balance) throw corrupt("the balance after it is another");
    if (requestId !== null) this.#histories.set(requestId, remember(history, entry));
    if (entry.kind === "genesis" || entry.kind === "apply") {
      const { cap, analysts } = entry.payload;
      const closed = entry.kind === "apply" && entry.payload.closed;
      this.#stated = { sequence: record.sequence, budget: { cap, analysts, closed } };
    }
    this.#balance = after;
    this.#seen = Math.max(this.#seen, record.at);
    return after;
  }

  /** Every request of the first format, by its id. */
  get histories(): ReadonlyMap<string, RequestHistory> {
    return this.#histories;
  }

  /** Returns what an upgrade goes on from. Errors: ledger.corrupt where there is no genesis record. */
  ledger(): FirstLedger {
    if (!this.#balance || !this.#stated) throw corrupt("the ledger does not begin with its genesis record");
    return { balance: this.#balance, principals: this.#principals, stated: this.#stated, seen: this.#seen };
  }
}
