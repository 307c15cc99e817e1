import type { AccountBudget } from "../account/budget.ts";
import { statedBudget } from "../account/stated-budget.ts";
import { AccountLedger, type AccountPolicy } from "../account-ledger.ts";
import { newKeyPair } from "../directory/key-pair.ts";
import { advance } from "../records/advance.ts";
import type { Entry, GenesisPayload } from "../records/entry.ts";
import { untouched } from "../records/history.ts";
import { sealAfter } from "../records/record.ts";
import { emptyRoot } from "../tree/hash-tree.ts";
import { memoryStore } from "./memory-store.ts";
import { policyHash } from "./temporary-ledger.ts";

const keys = newKeyPair();

/** A ledger over a store in memory, with a clock that a test sets. */
export interface MemoryLedger {
  readonly ledger: AccountLedger;
  readonly store: ReturnType<typeof memoryStore>;
  /** Milliseconds since 1970. */
  now: number;
}

/** Begins one at a time; opened under a policy where one is given. */
export async function memoryLedger(
  budget: AccountBudget,
  {
    at = Date.UTC(2026, 0, 15),
    failureCap = 100,
    failureCapEach = 50,
    policy = null,
  }: {
    readonly at?: number;
    readonly failureCap?: number;
    readonly failureCapEach?: number;
    readonly policy?: AccountPolicy | null;
  } = {},
): Promise<MemoryLedger> {
  const store = memoryStore();
  const payload: GenesisPayload = {
    version: 2,
    budget: statedBudget(budget),
    failureCap,
    failureCapEach,
    policyHash,
    publicKey: keys.publicKey,
    source: "people",
  };
  const genesis: Entry = { kind: "genesis", payload };
  const tree = { root: emptyRoot, node: () => null };
  await store.transact(null, () => ({
    append: sealAfter(null, at, genesis, advance(null, genesis, untouched, { sequence: 0, at }), tree),
    result: null,
  }));
  const memory = { store, now: at } as { ledger: AccountLedger; store: typeof store; now: number };
  memory.ledger = new AccountLedger("people", store, keys, () => memory.now, policy);
  return memory;
}
