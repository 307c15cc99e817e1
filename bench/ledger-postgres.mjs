// ledger.postgres.rate: questions that are paid for and settled a second on a ledger in PostgreSQL, by one process (target 300/s);
// ledger.postgres.rate.four: the same, of four processes together (target 500/s). Each pair is two durable records. The server is one of
// its own on this machine, with fsync on. ledger.postgres.alone: pairs a second of one client that waits for each. ledger.flush: writing 4 KiB
// and flushing them, on the same disk.
// Options: --seconds N (5), --clients N (32: of each process).
import { spawn } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { figure, median } from "./figure.mjs";
import { startServer } from "./postgres-server.mjs";

const moduleUrl = new URL("../packages/ledger/dist/index.mjs", import.meta.url).href;
const program = fileURLToPath(new URL("../testing/src/crash/pairs-process.mjs", import.meta.url));

export default async function bench(options) {
  const seconds = numberOption(options, "--seconds", 5);
  const clients = numberOption(options, "--clients", 32);
  const server = await startServer({ fsync: "on" });
  if (!server) throw new Error("there are no PostgreSQL binaries for this platform");
  const folder = mkdtempSync(join(tmpdir(), "lethe-ledger-postgres-"));
  try {
    const { createLedger, postgresSchema, verifyLedger } = await import(moduleUrl);
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`CREATE ROLE gateway LOGIN; ${postgresSchema("lethe", "gateway")}`);
    await admin.end();
    const directory = join(folder, "ledger");
    const [zero, lot] = [0n, 1_000_000n].map((num) => ({ num, den: 1n }));
    const budget = { measure: "pure", epsilon: lot, delta: zero, rho: null, analysts: {} };
    const made = {
      budget,
      policyHash: "",
      source: "s",
      clock: Date.now,
      url: server.urlOf("gateway"),
      failureCap: 10_000,
    };
    await (await createLedger(directory, made)).close();
    let paid = 0;
    for (const [name, processes, each] of [
      ["ledger.postgres.alone", 1, 1],
      ["ledger.postgres.rate", 1, clients],
      ["ledger.postgres.rate.four", 4, clients],
    ]) {
      const pairs = await together(directory, { name, processes, clients: each, seconds });
      paid += pairs;
      figure(name, pairs / seconds, "reserve+settle/s");
    }
    const { charges } = await verifyLedger(directory);
    if (charges !== paid) throw new Error(`${charges} charges, and ${paid} were told`);
    figure("ledger.flush", flushMs(folder), "ms");
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function together(directory, { name, processes, clients, seconds }) {
  const runs = Array.from({ length: processes }, (_, i) => {
    const plan = JSON.stringify({ name: `${name}-${i}`, clients, seconds });
    const child = spawn(process.execPath, [program, moduleUrl, directory, plan], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  const line = async ({ lines }) => {
    const { value, done } = await lines.next();
    if (done) throw new Error("a process that was to ask ended before its time");
    return value;
  };
  await Promise.all(runs.map(line));
  for (const { child } of runs) child.stdin.write("go\n");
  const counts = await Promise.all(runs.map(line));
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

function flushMs(folder) {
  const file = openSync(join(folder, "file"), "w");
  const times = Array.from({ length: 50 }, () => {
    const begin = performance.now();
    writeSync(file, Buffer.alloc(4096, 1));
    fsyncSync(file);
    return performance.now() - begin;
  });
  closeSync(file);
  return median(times);
}

function numberOption(options, name, otherwise) {
  const place = options.indexOf(name);
  if (place < 0) return otherwise;
  const value = Number(options[place + 1]);
  if (!(Number.isSafeInteger(value) && value >= 1)) throw new Error(`${name} must be a whole number ≥ 1`);
  return value;
}
