export { borrowLedger } from "./borrow-ledger.ts";
export type { CallLedger, LedgerCall, LedgerCalls } from "./ledger-call.ts";
export { type LentLedger, lendLedger } from "./lend-ledger.ts";
