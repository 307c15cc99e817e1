import type { Account } from "./account.ts";
import type { Scope } from "./scope.ts";
import type { ScopeName } from "./scope-name.ts";

/** An account with its scopes, as it stands after a record. Scopes are read one by one, as a decision needs them. */
export interface Books {
  readonly account: Account;
  /** Returns null for one that was never charged and that no policy states. */
  scope(name: ScopeName): Scope | null;
  /** Every scope, in no order. */
  all(): Iterable<Scope>;
}

/** What an entry leads to: the account after it, and the scopes that it changed. */
export interface Posting {
  readonly account: Account;
  readonly scopes: readonly Scope[];
}
