import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRational } from "@lethe/core";
import { importTable } from "@lethe/engine-duckdb";
import { type AccountLedger, createLedger } from "@lethe/ledger";
import { policyHash, readPolicy } from "@lethe/query";
import { type Door, openDoor, type Pool, startPool } from "@lethe/serve";
import { verifyRelease } from "@lethe/verify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemTimer } from "../system-timer.ts";
import { builtWorker } from "../testing/built-worker.ts";
import { threadStarter } from "./start-thread.ts";

const policyText = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: approximate, epsilon: 1000, delta: 1e-3 }
least_epsilon: 0.01
tables:
  people:
    file: people.csv
    unit: row
    columns: { age: { type: integer, bounds: [0, 100] }, town: { type: text, categories: [north, south] } }
`;
const people = Array.from({ length: 2000 }, (_, at) => `${at % 100},${at % 3 === 0 ? "north" : "south"}`);

let folder: string;
let built: Awaited<ReturnType<typeof builtWorker>>;
let ledger: AccountLedger;
let pool: Pool;
let door: Door;
const logged: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lethe-threads-"));
  built = await builtWorker();
  const policy = readPolicy(policyText);
  writeFileSync(join(folder, "people.csv"), `age,town\n${people.join("\n")}\n`);
  const directories = { baseDirectory: folder, stateDirectory: join(folder, ".lethe") };
  const log = (detail: string): void => void logged.push(detail);
  await importTable({ policy, table: "people", ...directories, clock: Date.now, log });
  ledger = await createLedger(join(folder, "ledger"), {
    budget: policy.budget,
    policyHash: policyHash(policy),
    source: "people",
    clock: Date.now,
  });
  const start = threadStarter({
    entry: built.entry,
    log,
    memory: 256,
    settings: {
      policyText,
      publicKey: ledger.publicKey,
      logFile: join(folder, "owner.log"),
      engine: { kind: "duckdb", seed: "seed of this test", ...directories },
    },
  });
  pool = startPool({ start, size: 2, queue: 100 });
  await pool.ready();
  const newId = (): string => `random ${randomUUID()}`;
  door = openDoor({ policy, ledger, pool, timer: systemTimer, declared: () => ({}), newId });
});
afterAll(async () => {
  await pool.close();
  await ledger.close();
  built.remove();
  rmSync(folder, { recursive: true, force: true });
});

const options = { epsilon: parseRational("1"), delta: parseRational("1e-6"), confidence: 0.95 };
const byTown = "SELECT town, COUNT(*) AS n, MEDIAN(age) AS m FROM people GROUP BY town";

describe("real threads over DuckDB", () => {
  it("answer under one charge, with a certificate that holds", async () => {
    const asked = { text: byTown, options };
    const all = await Promise.all(Array.from({ length: 8 }, () => door.ask({ principal: "owner" }, asked)));
    const releases = all.map(({ answer }) =>
      answer.kind === "release" ? JSON.stringify(answer.release) : "",
    );
    expect(new Set(releases).size).toBe(1);
    const { checks } = await verifyRelease(releases[0]!, { policyText, publicKeyPem: ledger.publicKey });
    expect(checks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(checks).toContainEqual(expect.objectContaining({ name: "least-epsilon", outcome: "passed" }));
    expect((await ledger.report()).charges.map(({ state }) => state)).toEqual(["settled"]);
  });

  it("end when they need more memory than they have; the next one answers", async () => {
    const before = await door.explain({ principal: "owner" }, { text: byTown, options });
    const hog = startPool({
      start: threadStarter({
        entry: new URL(
          `data:text/javascript,${encodeURIComponent(`
            import { parentPort } from "node:worker_threads";
            parentPort.on("message", () => { const all = []; for (;;) all.push(new Array(1e5).fill(0.5)); });
            parentPort.postMessage({ kind: "ready", stamp: "" });
          `)}`,
        ),
        log: (detail) => void logged.push(detail),
        memory: 16,
        settings: {} as never,
      }),
      size: 1,
      queue: 1,
    });
    const running = hog.run({ body: 1, readsRows: true, answer: async () => null });
    await expect(running).rejects.toMatchObject({ code: "serve.worker" });
    await hog.ready();
    await hog.close();
    expect(logged.join()).toContain("memory");
    expect(before.price).toMatchObject({ epsilon: "1" });
  });
});
