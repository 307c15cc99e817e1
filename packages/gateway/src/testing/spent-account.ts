import type { AccountState, SpentAccount } from "../release.ts";

/** Returns an account that tells what is spent of it; a test fails on any other. */
export function spentAccount(account: AccountState): SpentAccount {
  if ("spent" in account) return account;
  throw new Error("the certificate does not tell what is spent");
}
