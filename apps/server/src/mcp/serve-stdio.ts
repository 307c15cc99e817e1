import { randomUUID } from "node:crypto";
import type { Rational } from "@lethe/core";
import type { Ledger } from "@lethe/ledger";
import type { Policy } from "@lethe/query";
import { noAuditTrail, openDoor, openGate, openService, type Principal, startPool } from "@lethe/serve";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { systemTimer } from "../system-timer.ts";
import { threadStarter } from "../workers/start-thread.ts";
import type { WorkerSettings } from "../workers/worker-settings.ts";
import { mcpServers } from "./mcp-server.ts";

/** What a connection over standard input and output is served with; whoever starts it opened the ledger, and closes it afterwards. */
export interface StdioParts {
  readonly policy: Policy;
  readonly ledger: Ledger;
  /** The principal that everything asked over the connection is charged to. */
  readonly principal: string;
  /** The most ε that one question may cost; null for what the policy allows. */
  readonly maxEpsilonPerQuestion: Rational | null;
  /** The program of the worker threads, and what each opens. */
  readonly workerEntry: URL;
  readonly workers: WorkerSettings;
  readonly declared: () => Readonly<Record<string, string>>;
  /** Names the imports that are in force, where workers look for them at each question. */
  readonly imports?: () => string;
  readonly ownersLog: (detail: string) => void;
}

/** A connection asks one question at a time, as a rule; a second worker reads no rows. */
const workerThreads = 2;
const longestQueue = 100;

/**
 * Serves the model context protocol on the process's own standard input and output, as one principal, until `ended` resolves. Whoever started the process has its rights: there is no token to show, and a question
 * goes through the same door as any other.
 */
export async function serveMcpOverStdio(parts: StdioParts, ended: Promise<void>): Promise<void> {
  const { policy, ledger, principal, declared, imports, ownersLog } = parts;
  const seen = { declared, ...(imports && { imports }) };
  const start = threadStarter({ entry: parts.workerEntry, settings: parts.workers, log: ownersLog });
  const pool = startPool({ start, size: workerThreads, queue: longestQueue });
  const newId = (): string => `random ${randomUUID()}`;
  const service = openService({
    door: openDoor({ policy, ledger, pool, timer: systemTimer, ...seen, newId }),
    ledger,
    gate: openGate({ accountShown: policy.budget.showAccount === true }, noAuditTrail),
    maxEpsilonPerQuestion: parts.maxEpsilonPerQuestion,
  });
  const who: Principal = {
    name: principal,
    roles: ["analyst"],
    projects: [],
    proof: { kind: "session", session: "standard input" },
  };
  const connection = serveStdio(
    mcpServers(service, async () => who),
    { onerror: (error) => ownersLog(error.message) },
  );
  await ended;
  await connection.close();
  await pool.close();
}
