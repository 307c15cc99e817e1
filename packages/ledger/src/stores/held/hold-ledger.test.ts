import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { parseRational } from "@lethe/core";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLedger } from "../../create-ledger.ts";
import { openLedger } from "../../open-ledger.ts";
import { pureBudget } from "../../testing/temporary-ledger.ts";
import { existingLayout } from "../open-store.ts";
import { holdLedger } from "./hold-ledger.ts";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "lethe-held-"));
const ledger = join(folder, "ledger");
/** Beside the modules that the program leaves outside. */
const built = join(root, "node_modules", `.lethe-held-${process.pid}`);
const served = expect.objectContaining({
  code: "ledger.served",
  message: expect.stringContaining(join(ledger, "ledger.db")),
});

beforeAll(async () => {
  const opened = await createLedger(ledger, {
    budget: pureBudget("1"),
    policyHash: "0".repeat(64),
    source: "people",
    clock: Date.now,
  });
  await opened.close();
  mkdirSync(built, { recursive: true });
  await build({
    stdin: {
      contents: `import { holdLedger } from "./hold-ledger.ts";
        await holdLedger(process.argv[2]);
        process.stdout.write("held");
        setInterval(() => undefined, 1000);`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
      loader: "ts",
    },
    outfile: join(built, "hold.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["source"],
    external: ["@photostructure/sqlite", "pg"],
    logLevel: "silent",
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(built, { recursive: true, force: true });
});

it("one service holds a ledger at a time, whatever path it is named by, and the next has it when it is released", async () => {
  const held = await holdLedger(ledger);
  const other = join(folder, "another name");
  symlinkSync(ledger, other);
  await expect(holdLedger(ledger)).rejects.toEqual(served);
  await expect(holdLedger(other)).rejects.toMatchObject({ code: "ledger.served" });
  expect(statSync(join(ledger, "served.lock"))).toMatchObject({ size: 0 });
  held.release();
  held.release();
  const next = await holdLedger(other);
  await expect(holdLedger(ledger)).rejects.toEqual(served);
  next.release();
});

it("a ledger that is held is opened and charged by others all the same", async () => {
  const held = await holdLedger(ledger);
  const beside = await openLedger(ledger, { clock: Date.now });
  await beside.grant({ reason: "a test", epsilon: parseRational("1") });
  await beside.report();
  await beside.close();
  await expect(holdLedger(ledger)).rejects.toEqual(served);
  held.release();
});

it("a process that holds it keeps others out, and leaves no lock behind when it is killed", async () => {
  const child = spawn(process.execPath, [join(built, "hold.mjs"), ledger], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  await expect(holdLedger(ledger)).rejects.toEqual(served);
  child.kill("SIGKILL");
  await once(child, "exit");
  (await holdLedger(ledger)).release();
});

it("makes no ledger where there is none", async () => {
  await expect(holdLedger(join(folder, "none"))).rejects.toMatchObject({ code: "ledger.missing" });
});

it("a process waits for another of its service that is just writing whose the ledger is", async () => {
  (await holdLedger(ledger, { number: 7 })).release();
  const writing = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    const { DatabaseSync } = require("@photostructure/sqlite");
    const db = new DatabaseSync(workerData);
    db.exec("BEGIN EXCLUSIVE");
    parentPort.postMessage("writing");
    setTimeout(() => { db.exec("ROLLBACK"); db.close(); }, 300);`,
    { eval: true, workerData: existingLayout(ledger).served },
  );
  await once(writing, "message");
  const isOver = once(writing, "exit");
  const held = await holdLedger(ledger, { number: 7 });
  held.release();
  await isOver;
});
