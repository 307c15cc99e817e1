import { LetheError } from "@lethe/core";
import type { Charge } from "./ledger.ts";

const issued = new WeakMap<Charge, object>();

/** For {@link AccountLedger.reserve} alone, once the record is durable. Not exported from the package. */
export function issueCharge(issuer: object, content: Omit<Charge, keyof Charge & symbol>): Charge {
  const charge = Object.freeze({ ...content }) as Charge;
  issued.set(charge, issuer);
  return charge;
}

/** Whether a value is a charge that a ledger of this process issued: an object of the same shape is not. */
export function isCharge(value: unknown): value is Charge {
  return typeof value === "object" && value !== null && issued.has(value as Charge);
}

/** Errors: ledger.request for a charge that `issuer` did not issue. */
export function requireIssued(issuer: object, charge: Charge): void {
  if (issued.get(charge) === issuer) return;
  throw new LetheError("ledger.request", "the charge was not issued by this ledger", {
    fix: "reserve first and hand on the charge that reserve returned",
  });
}
