import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational, secureEntropy } from "@lethe/core";
import { importTable, openDuckDb } from "@lethe/engine-duckdb";
import { answer, type Release } from "@lethe/gateway";
import { createLedger } from "@lethe/ledger";
import { type Policy, policyHash, readPolicy } from "@lethe/query";

/** A real engine, a real ledger and the gateway over one table, in a folder of their own. */
export interface LearningHouse {
  readonly policy: Policy;
  /** Pays for a question at ε, and answers it. */
  ask(text: string, epsilon: string): Promise<Release>;
  close(): Promise<void>;
}

/** Freezes `csv` as the file of the policy's only table. */
export async function openLearningHouse(
  policyText: string,
  table: string,
  csv: string,
): Promise<LearningHouse> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-learn-"));
  const policy = readPolicy(policyText);
  const clock = (): number => 1_718_100_000_000;
  const log = (): void => undefined;
  writeFileSync(join(folder, policy.tables[table]?.file ?? ""), csv);
  const directories = { baseDirectory: folder, stateDirectory: join(folder, ".lethe") };
  await importTable({ policy, table, ...directories, clock, log });
  const engine = await openDuckDb({ policy, ...directories, seed: "seed of this test", log });
  const ledger = await createLedger(join(folder, "ledger"), {
    budget: policy.budget,
    policyHash: policyHash(policy),
    source: table,
    clock,
  });
  let requests = 0;
  return {
    policy,
    ask(text, epsilon) {
      requests += 1;
      const options = {
        epsilon: parseRational(epsilon),
        delta: null,
        groupSelection: null,
        mechanism: null,
        confidence: 0.95,
      };
      const question = { text, principal: "owner", requestId: `request ${requests}`, options };
      return answer(question, { policy, engine, ledger, entropy: secureEntropy(), clock });
    },
    async close() {
      await engine.close();
      await ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
