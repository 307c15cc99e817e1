import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational, secureEntropy } from "@lethe/core";
import { importTable, openDuckDb } from "@lethe/engine-duckdb";
import { type BudgetReport, createLedger } from "@lethe/ledger";
import { type Engine, policyHash, readPolicy } from "@lethe/query";
import { answer } from "../answer.ts";
import type { House } from "../house.ts";
import type { AskedOptions } from "../question.ts";
import type { Release } from "../release.ts";

/** A real engine and a real ledger in a folder of their own. */
export interface TestHouse {
  readonly house: House;
  readonly policyText: string;
  /** The entries of the owner's log. */
  readonly logged: readonly string[];
  ask(text: string, asked?: Asked): Promise<Release>;
  report(): Promise<BudgetReport>;
  close(): Promise<void>;
}

export interface Asked {
  readonly epsilon?: string | null;
  readonly delta?: string;
  readonly keys?: "public" | "private";
  readonly mechanism?: "laplace" | "gaussian";
  readonly confidence?: number;
  readonly principal?: string;
  readonly requestId?: string;
  /** Stands in for the real engine, for this question. */
  readonly engine?: Partial<Engine>;
}

/** The clock of every test house stands still. */
export const now = 1_718_100_000_000;

/** Freezes `csv` as the file of the policy's only table, and opens everything. */
export async function openHouse(policyText: string, csv: string): Promise<TestHouse> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-gateway-"));
  const policy = readPolicy(policyText);
  const clock = (): number => now;
  const logged: string[] = [];
  const log = (detail: string): void => void logged.push(detail);
  const table = Object.keys(policy.tables)[0]!;
  writeFileSync(join(folder, policy.tables[table]!.file!), csv);
  const directories = { baseDirectory: folder, stateDirectory: join(folder, ".lethe") };
  await importTable({ policy, table, ...directories, clock, log });
  const engine = await openDuckDb({ policy, ...directories, seed: "seed of this test", log });
  const ledger = await createLedger(join(folder, "ledger"), {
    budget: policy.budget,
    policyHash: policyHash(policy),
    source: table,
    clock,
  });
  const house: House = { policy, engine, ledger, entropy: secureEntropy(), clock };
  let requests = 0;
  return {
    house,
    policyText,
    logged,
    ask(text, asked = {}) {
      requests += 1;
      const { principal = "owner", requestId = `request ${requests}`, engine: standIn } = asked;
      const question = { text, principal, requestId, options: optionsOf(asked) };
      return answer(question, standIn ? { ...house, engine: inPlaceOf(engine, standIn) } : house);
    },
    report: () => ledger.report(),
    async close() {
      await engine.close();
      await ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the options that the gateway is handed for these words. */
export function optionsOf({ epsilon = "1", delta, keys, mechanism, confidence = 0.95 }: Asked): AskedOptions {
  return {
    epsilon: epsilon === null ? null : parseRational(epsilon),
    delta: delta === undefined ? null : parseRational(delta),
    groupSelection: keys ?? null,
    mechanism: mechanism ?? null,
    confidence,
  };
}

function inPlaceOf(engine: Engine, standIn: Partial<Engine>): Engine {
  return {
    dialect: engine.dialect,
    storage: (table) => engine.storage(table),
    rows: (query) => engine.rows(query),
    published: (query) => engine.published(query),
    run: (query) => engine.run(query),
    close: async () => undefined,
    ...standIn,
  };
}
