import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational, secureEntropy } from "@lethe/core";
import { seal } from "@lethe/core/mechanisms";
import type { AskedOptions } from "@lethe/gateway";
import { type AccountLedger, createLedger, openLedger } from "@lethe/ledger";
import { type Policy, policyHash, readPolicy, type TableReading, type TellingEngine } from "@lethe/query";
import { askJobs } from "../ask/do-ask-jobs.ts";
import { type Door, openDoor } from "../ask/open-door.ts";
import { type Pool, startPool } from "../workers/index.ts";
import { type LocalWorkers, localWorkers } from "./local-workers.ts";
import { type ManualTimer, manualTimer } from "./manual-timer.ts";

/** A door over a real ledger, workers of this thread, and an engine that counts ten rows. */
export interface SmallService {
  readonly door: Door;
  readonly ledger: AccountLedger;
  readonly policy: Policy;
  readonly pool: Pool;
  readonly workers: LocalWorkers;
  readonly timer: ManualTimer;
  /** The statements that the engine was asked so far. */
  readonly runs: () => number;
  /** Opens the ledger as another process has it, with a door of its own over the same workers. */
  elsewhere(): Promise<{ readonly ledger: AccountLedger; readonly door: Door }>;
  close(): Promise<void>;
}

export interface SmallSettings {
  readonly budget?: string;
  /** More lines of the policy. */
  readonly more?: string;
  /** Whether the table was imported, so that its answers stand, or the id of the import that the engine finds; otherwise it is read as it lies. */
  readonly imported?: boolean | (() => string);
  readonly size?: number;
  readonly queue?: number;
  readonly kept?: number;
  /** How the engine reads the table; from its import unless stated. */
  readonly reading?: () => Partial<TableReading>;
  /** What the door is told of the imports that are in force. */
  readonly imports?: () => string;
  /** What the engine does before it answers. */
  readonly running?: () => Promise<void>;
}

/** The moment at which the clock of a small service begins. */
export const begin: number = Date.UTC(2024, 5, 11, 12);

export async function openService(settings: SmallSettings = {}): Promise<SmallService> {
  const { budget = "{ measure: pure, epsilon: 1000, analysts: { ada: 500, bob: 500 } }", more = "" } =
    settings;
  const { imported = true, size = 2, queue = 1000, kept = 100, running = async () => undefined } = settings;
  const policy = readPolicy(`
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: ${budget}
tables: { people: { file: people.parquet, unit: row, columns: { age: { type: integer, bounds: [0, 100] } } } }
${more}`);
  const folder = mkdtempSync(join(tmpdir(), "lethe-serve-"));
  const timer = manualTimer(begin);
  const ledger = await createLedger(join(folder, "ledger"), {
    budget: policy.budget,
    policyHash: policyHash(policy),
    source: "people",
    clock: timer.now,
    failureCap: 10_000,
  });
  let runs = 0;
  const { reading = () => ({}), imports } = settings;
  const engine: TellingEngine = {
    dialect: "duckdb",
    storage: async () => ({
      relation: ["people"],
      layout: "snapshot",
      ...(imported ? { imported: imported === true ? "the first import" : imported() } : {}),
    }),
    reading: (table) => ({
      ...{ table, from: "import", snapshot: null, asOf: null, order: null },
      ...reading(),
    }),
    async run({ sums }) {
      runs += 1;
      await running();
      return seal({ groups: [{ key: [], units: 0n, sums: Array.from({ length: sums }, () => 10n) }] });
    },
    rows: () => Promise.reject(new Error("no rows")),
    published: () => Promise.reject(new Error("no public rows")),
    close: async () => undefined,
  };
  const { publicKey } = ledger;
  const workers = localWorkers((call) =>
    askJobs({ policy, engine, entropy: secureEntropy(), clock: timer.now, publicKey }, call),
  );
  const pool = startPool({ start: workers.start, size, queue });
  await pool.ready();
  const doorOver = (over: AccountLedger): Door =>
    openDoor({
      policy,
      ledger: over,
      pool,
      timer,
      declared: () => ({}),
      ...(imports && { imports }),
      newId: () => `random ${randomUUID()}`,
      kept,
    });
  const others: AccountLedger[] = [];
  return {
    door: doorOver(ledger),
    ledger,
    policy,
    pool,
    workers,
    timer,
    runs: () => runs,
    async elsewhere() {
      const other = await openLedger(join(folder, "ledger"), { clock: timer.now });
      others.push(other);
      return { ledger: other, door: doorOver(other) };
    },
    async close() {
      // Where a test failed amid a question, its slot never comes, and an engine that is held never answers.
      timer.go(timer.now() + 3_600_000);
      await Promise.race([pool.close(), turns(2_000)]);
      for (const other of others) await other.close();
      await ledger.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function priced(epsilon: string): AskedOptions {
  return { epsilon: parseRational(epsilon), confidence: 0.95, acceptUninformative: true };
}

/** Lets everything go on that waits for nothing but a turn of the loop. */
export async function turns(count = 200): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
