import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational, secureEntropy } from "@lethe/core";
import { importTable, openDuckDb } from "@lethe/engine-duckdb";
import {
  answer,
  answerWorkload,
  type PlannedAnswer,
  plannedAnswers,
  type Question,
  type Release,
  type WorkloadRelease,
} from "@lethe/gateway";
import { type ModelDescription, readTraining, type TrainedModel } from "@lethe/learn";
import { createLedger } from "@lethe/ledger";
import { type Engine, type Policy, policyHash, readPolicy } from "@lethe/query";

/** A real engine, a real ledger and the gateway over one table, in a folder of their own. */
export interface LearningHouse {
  readonly policy: Policy;
  /** Pays for a question at ε, and answers it. */
  ask(text: string, epsilon: string): Promise<Release>;
  /** Pays for a question at ε as for a workload of one, whose sums have noises of their own, and answers it. */
  measure(text: string, epsilon: string): Promise<PlannedAnswer>;
  /** Pays once for all questions that these models need, at ε, and fits them to the answers. */
  train(texts: readonly string[], epsilon: string): Promise<readonly TrainedModel[]>;
  /** The same, as the file that lethe train writes. */
  trainedFile(texts: readonly string[], epsilon: string): Promise<TrainedFile>;
  close(): Promise<void>;
}

export interface TrainedFile {
  readonly version: 1;
  readonly descriptions: readonly ModelDescription[];
  readonly models: readonly TrainedModel[];
  readonly confidence: number;
  readonly release: WorkloadRelease;
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
  const trainedFile = async (models: readonly string[], epsilon: string): Promise<TrainedFile> => {
    const { title, texts, rounds, fit, descriptions } = await readTraining(models, policy);
    const { options, ...asked } = request(epsilon);
    const all = { ...options, everyPublicKey: true } as const;
    const workload = { title, texts, ...(rounds ? { rounds } : {}), ...asked, options: all };
    const release = await answerWorkload(workload, house);
    const { confidence } = release.certificate;
    const fitted = fit(plannedAnswers(release), confidence);
    return { version: 1, descriptions, models: fitted, confidence, release };
  };
  return {
    policy,
    ask: (text, epsilon) => answer({ text, ...request(epsilon) }, house),
    async measure(text, epsilon) {
      const { options, ...asked } = request(epsilon);
      const all = { ...options, everyPublicKey: true } as const;
      const workload = { title: text, texts: [text], ...asked, options: all };
      const [measured] = plannedAnswers(await answerWorkload(workload, house));
      return measured!;
    },
    train: async (models, epsilon) => (await trainedFile(models, epsilon)).models,
    trainedFile,
    async close() {
      await engine.close();
      await ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
