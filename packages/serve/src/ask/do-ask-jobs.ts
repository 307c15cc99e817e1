import type { SecureEntropy } from "@lethe/core";
import {
  answerOrMade,
  askText,
  explainAsked,
  type House,
  optionsFromText,
  type Question,
} from "@lethe/gateway";
import { borrowLedger, type CallLedger, type Ledger } from "@lethe/ledger";
import { describeQuestion, type Engine, type Policy, type TellingEngine } from "@lethe/query";
import type { CallPool, Jobs } from "../workers/serve-jobs.ts";
import type { AskJob, QuestionText } from "./ask-job.ts";

/** What a worker has opened for the questions that it will get: all of it its own, but for the ledger, which is lent to each job. */
export interface WorkerParts {
  readonly policy: Policy;
  readonly engine: TellingEngine;
  /** Made in this very worker: a block of random bytes never survives a hand-over. */
  readonly entropy: SecureEntropy;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The public key of the ledger that is lent, SPKI PEM. */
  readonly publicKey: string;
}

/**
 * Returns the jobs of a worker: the gateway's own journey, with a ledger that lies in the thread of whoever runs the pool. Exact rows are read, given noise and let go of in this worker; what leaves
 * it is a release, as text.
 */
export async function askJobs(parts: WorkerParts, call: CallPool): Promise<Jobs> {
  const { policy, engine, publicKey } = parts;
  const callLedger: CallLedger = async (name, ask) => (await call({ name, ask })) as never;
  const ledger = borrowLedger(callLedger, publicKey);
  const imports = await importsOf(policy, engine);
  return {
    stamp: JSON.stringify(imports),
    run: (job) => run(job as AskJob, { ...parts, ledger }),
    close: () => engine.close(),
  };
}

async function run(job: AskJob, parts: WorkerParts & { readonly ledger: Ledger }): Promise<unknown> {
  const { policy, engine, ledger, entropy, clock } = parts;
  if (job.kind === "describe") return describeQuestion(job.text, policy);
  const { declared } = job;
  const explained = (question: Question) =>
    explainAsked(question, {
      policy,
      ledger,
      clock,
      versionOf: async (table) => ({
        table,
        imported: (await engine.storage(table)).imported ?? null,
        declared: Object.hasOwn(declared, table) ? (declared[table] ?? null) : null,
      }),
      readingOf: (table, needsOrder) => engine.reading(table, needsOrder),
    });
  const question = questionFrom(job.question);
  if (job.kind === "explain") return explained(question);
  const notices: string[] = [];
  const house: House = {
    policy,
    engine,
    ledger,
    entropy,
    clock,
    declared,
    ...(job.schedule ? { schedule: job.schedule } : {}),
    notice: (words) => void notices.push(words),
  };
  const answer = await askText(question, {
    policy,
    clock,
    engine: async () => engine,
    answer: (asked) => answerOrMade(asked, house),
    explain: explained,
  });
  return { answer, notices };
}

function questionFrom({ options, ...question }: QuestionText): Question {
  return { ...question, options: optionsFromText(options) };
}

/** The imports that the tables of a policy lie in, as this worker's engine reads them; null of a table that cannot be asked, or lies where it is. */
async function importsOf(
  policy: Policy,
  engine: Engine,
): Promise<readonly (readonly [string, string | null])[]> {
  const imports: (readonly [string, string | null])[] = [];
  for (const table of Object.keys(policy.tables).sort()) {
    const storage = await engine.storage(table).catch(() => null);
    imports.push([table, storage?.imported ?? null]);
  }
  return imports;
}
