export type { AccountBudget, ProjectBudget, ScopeBudget, WindowBudget } from "./account/budget.ts";
export { type BudgetChange, changeText, exactText } from "./account/budget-changes.ts";
export { AccountLedger, type AccountPolicy } from "./account-ledger.ts";
export { type AlikeLedgers, alikeLedgers } from "./alike-ledgers.ts";
export { isCharge } from "./charge.ts";
export { type CreateLedgerOptions, createLedger } from "./create-ledger.ts";
export type { Application, BudgetProposal } from "./decisions/apply.ts";
export type { Grant } from "./decisions/grant.ts";
export type { LimitChange } from "./decisions/limit.ts";
export type { ShareRequest } from "./decisions/share.ts";
export { grant } from "./grant.ts";
export type * from "./ledger.ts";
export { ledgerUrl } from "./ledger-url.ts";
export { ledgerWith } from "./ledger-with.ts";
export * from "./lent/index.ts";
export { type MoveLedgerOptions, type MoveStep, moveLedger } from "./move-ledger.ts";
export { type OpenLedgerOptions, openLedger } from "./open-ledger.ts";
export { type ReturnLedgerOptions, type ReturnStep, returnLedger } from "./return-ledger.ts";
export { owner } from "./scopes/may-ask.ts";
export type { Period, Window } from "./scopes/period.ts";
export { type ScopeName, scopeWords } from "./scopes/scope-name.ts";
export type { HeldLedger, HoldingService } from "./stores/held/held-ledger.ts";
export { holdLedger } from "./stores/held/hold-ledger.ts";
export { isPostgresUrl } from "./stores/postgres/place.ts";
export { openPostgresStore, type PostgresStoreOptions } from "./stores/postgres/postgres-store.ts";
export { postgresSchema } from "./stores/postgres/schema.ts";
export { createSqliteStore, openSqliteStore, type SqliteStoreOptions } from "./stores/sqlite/sqlite-store.ts";
export type {
  Append,
  Contents,
  Decide,
  Decision,
  Snapshot,
  Store,
  StoredRecord,
  StoredRequest,
} from "./stores/store.ts";
export { type LedgerUpgrade, type UpgradeLedgerOptions, upgradeLedger } from "./upgrade-ledger.ts";
export {
  type LedgerVerification,
  type VerifyLedgerOptions,
  verifyLedger,
} from "./verify-ledger.ts";
export type { RecordPage } from "./views/record-page.ts";
