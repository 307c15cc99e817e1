import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational, secureEntropy } from "@lethe/core";
import { importTable, openDuckDb } from "@lethe/engine-duckdb";
import { answer, answerWorkload, plannedAnswers, type Question, type Release } from "@lethe/gateway";
import { readTraining, type TrainedModel } from "@lethe/learn";
import { createLedger } from "@lethe/ledger";
import { type Engine, type Policy, policyHash, readPolicy } from "@lethe/query";

/** A real engine, a real ledger and the gateway over one table, in a folder of their own. */
export interface LearningHouse {
  readonly policy: Policy;
  /** Pays for a question at ε, and answers it. */
  ask(text: string, epsilon: string): Promise<Release>;
  /** Pays once for all questions that these models need, at ε, and fits them to the answers. */
  train(texts: readonly string[], epsilon: string): Promise<readonly TrainedModel[]>;
  close(): Promise<void>;
}

/** Freezes `csv` as the file of the policy's only table; or asks another engine that has the table. */
export async function openLearningHouse(
  policyText: string,
  table: string,
  csv: string,
  given: Engine | null = null,
): Promise<LearningHouse> {
  const folder = mkdtempSync(join(tmpdir(), "lethe-learn-"));
  const policy = readPolicy(policyText);
  const clock = (): number => 1_718_100_000_000;
  const log = (): void => undefined;
  const directories = { baseDirectory: folder, stateDirectory: join(folder, ".lethe") };
  if (given === null) {
    writeFileSync(join(folder, policy.tables[table]?.file ?? ""), csv);
    await importTable({ policy, table, ...directories, clock, log });
  }
  const engine = given ?? (await openDuckDb({ policy, ...directories, seed: "seed of this test", log }));
  const ledger = await createLedger(join(folder, "ledger"), {
    budget: policy.budget,
    policyHash: policyHash(policy),
    source: table,
    clock,
  });
  let requests = 0;
  const house = { policy, engine, ledger, entropy: secureEntropy(), clock };
  const request = (epsilon: string): Pick<Question, "principal" | "requestId" | "options"> => {
    requests += 1;
    return {
      principal: "owner",
      requestId: `request ${requests}`,
      options: {
        epsilon: parseRational(epsilon),
        delta: null,
        groupSelection: null,
        mechanism: null,
        confidence: 0.95,
      },
    };
  };
  return {
    policy,
    ask: (text, epsilon) => answer({ text, ...request(epsilon) }, house),
    async train(models, epsilon) {
      const training = await readTraining(models, policy);
      const { title, texts, rounds, fit } = training;
      const workload = { title, texts, ...(rounds ? { rounds } : {}), ...request(epsilon) };
      return fit(plannedAnswers(await answerWorkload(workload, house)), 0.95);
    },
    async close() {
      await engine.close();
      await ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
