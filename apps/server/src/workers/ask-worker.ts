import { appendFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { secureEntropy } from "@lethe/core";
import { type Policy, readPolicy, type TellingEngine } from "@lethe/query";
import { askJobs, serveJobs } from "@lethe/serve";
import type { WorkerSettings } from "./worker-settings.ts";

/*
 * The program of a worker's thread. Engine, clock and entropy are made here, in the thread that uses them: no random bytes are handed over, and exact rows never leave it.
 */
const { policyText, engine, publicKey, logFile } = workerData as WorkerSettings;
const line = parentPort;
if (!line) throw new Error("a program for a worker's thread");

await serveJobs(
  { post: (message) => line.postMessage(message), listen: (listener) => void line.on("message", listener) },
  async (call) => {
    const policy = readPolicy(policyText);
    const entropy = secureEntropy();
    return askJobs({ policy, engine: await openEngine(policy), entropy, clock: Date.now, publicKey }, call);
  },
  {
    unexpected: (error) => log(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    end: () => line.close(),
  },
);

/** Opens the engine that is named, and loads no other. */
async function openEngine(policy: Policy): Promise<TellingEngine> {
  if (engine.kind === "postgres") {
    const { openPostgres } = await import("@lethe/engine-postgres");
    return openPostgres({ policy, seed: engine.seed, log, url: engine.url });
  }
  if (engine.kind === "trino") {
    const { openTrino } = await import("@lethe/engine-trino");
    const { seed, url, stateDirectory } = engine;
    return openTrino({ policy, seed, log, url, stateDirectory });
  }
  const { openDuckDb } = await import("@lethe/engine-duckdb");
  const { seed, baseDirectory, stateDirectory, limits = {} } = engine;
  return openDuckDb({ policy, seed, log, baseDirectory, stateDirectory, limits });
}

function log(detail: string): void {
  try {
    appendFileSync(logFile, `${new Date().toISOString()} ${detail}\n`, { mode: 0o600 });
  } catch {
    // A full disk must not turn into an answer that differs.
  }
}
