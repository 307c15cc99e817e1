import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRational } from "@lethe/core";
import { expect, it } from "vitest";
import { statedAtFirst } from "../account/stated-budget.ts";
import { AccountLedger } from "../account-ledger.ts";
import { newKeyPair } from "../directory/key-pair.ts";
import { createSqliteStore } from "../stores/sqlite/sqlite-store.ts";
import type { StoredRecord } from "../stores/store.ts";
import { clock, withDirectory } from "../testing/temporary-ledger.ts";
import { readRecord } from "./record.ts";
import { replay } from "./replay.ts";

/**
 * A chain as Lethe wrote it before budgets could be applied: a charge that was answered, one that failed, one cut off, and
 * three grants, of which one names an analyst.
 */
const chain: {
  readonly records: readonly StoredRecord[];
  readonly balance: string;
  readonly release: string;
} = JSON.parse(readFileSync(new URL("../testing/first-format.json", import.meta.url), "utf8"));

it("a ledger from before budgets could be applied is read, verified, and goes on", () =>
  withDirectory(async (directory) => {
    mkdirSync(directory);
    const store = await createSqliteStore(join(directory, "ledger.db"));
    for (const record of chain.records) {
      const release = record.kind === "settle" ? Buffer.from(chain.release) : null;
      const append = { record, balance: chain.balance, release };
      await store.transact(null, () => ({ append, result: null }));
    }
    expect(replay(await store.readAll())).toMatchObject({ problem: null });

    const genesis = readRecord(chain.records[0]!);
    if (genesis.kind !== "genesis") throw new Error("expected a genesis record");
    const { source, policyHash } = genesis.payload;
    const first = { source, begun: statedAtFirst(genesis.payload) };
    const ledger = new AccountLedger(first, store, newKeyPair(), clock);
    const report = await ledger.report();
    expect(report.budgets.map(({ changes }) => changes[0]!.what)).toEqual([
      "ε",
      "analyst bob",
      "executions that may fail",
    ]);
    const budget = (epsilon: string, bob: string) => ({
      measure: "approximate" as const,
      epsilon: parseRational(epsilon),
      delta: parseRational("1e-6"),
      rho: null,
      analysts: { ana: parseRational("1/2"), bob: parseRational(bob) },
    });
    await ledger.apply({ budget: budget("5/8", "1/4"), policyHash });
    expect(replay(await store.readAll())).toMatchObject({ problem: null });
    await store.close();
  }));
