import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { budgetOf, playScript } from "./client.mjs";

const program = fileURLToPath(new URL("./client-process.mjs", import.meta.url));

/** Runs `use` with the directory of a new ledger over `account`, and removes it after. Its records are at `url`, or in a file where there is none. */
export async function withAccount({ createLedger }, { failureCap, failureCapEach, url, ...account }, use) {
  const parent = mkdtempSync(join(tmpdir(), "lethe-linear-"));
  const directory = join(parent, "ledger");
  try {
    const options = {
      budget: budgetOf(account),
      policyHash: "",
      source: "s",
      failureCap,
      ...(failureCapEach === undefined ? {} : { failureCapEach }),
      clock: () => 1_700_000_000_000,
      url,
    };
    await (await createLedger(directory, options)).close();
    return await use(directory);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Returns the history of the clients of this process: their calls and the replies, one script each, over the given ledgers in turn. */
export async function historyHere(ledgers, scripts) {
  const lines = [];
  const turns = async (n) => {
    for (let i = 0; i < n; i += 1) await null;
  };
  await Promise.all(
    scripts.map((steps, i) =>
      playScript(ledgers[i % ledgers.length], steps, String(i), (line) => lines.push(line), turns),
    ),
  );
  return historyOf(lines);
}

/**
 * Returns the history of several processes that begin at one moment: `plans` holds the scripts of each. The process `killed.process` dies by SIGKILL
 * with the first answer after `killed.after` lines still untold. Throws what a process that was not killed complained about.
 */
export async function historyOfProcesses(moduleUrl, directory, plans, killed = null) {
  const runs = plans.map((scripts, i) =>
    start(moduleUrl, directory, i, scripts, killed?.process === i ? killed.after : null),
  );
  await Promise.all(runs.map(({ ready }) => ready));
  for (const { go } of runs) go();
  return historyOf((await Promise.all(runs.map(({ ended }) => ended))).flat());
}

function start(moduleUrl, directory, i, scripts, diesAfter) {
  const clients = scripts.map((steps, j) => ({ client: `${i}.${j}`, steps }));
  const plan = JSON.stringify({ clients, diesAfter });
  const child = spawn(process.execPath, [program, moduleUrl, directory, plan], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  const lines = [];
  const errors = [];
  let isReady;
  const ready = new Promise((resolve) => {
    isReady = resolve;
  });
  child.stdin.on("error", () => {});
  child.stderr.on("data", (chunk) => errors.push(chunk));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const told = readLine(line);
    if (told?.ready) isReady();
    else if (told) lines.push(told);
  });
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      isReady();
      if (code === 0 || signal === "SIGKILL") resolve(lines);
      else reject(new Error(Buffer.concat(errors).toString("utf8")));
    });
  });
  const go = () => child.stdin.write("go\n");
  return { ready, go, ended };
}

/** A kill may cut the last line: then what it would have said was never heard. */
function readLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Calls with what was told of them: [{ call, begin, end, told }]; the last two null where a process died before. */
function historyOf(lines) {
  const calls = new Map();
  for (const { key, call, begin, told, end } of lines) {
    if (call) calls.set(key, { call, begin: BigInt(begin), end: null, told: null });
    else Object.assign(calls.get(key), { told, end: BigInt(end) });
  }
  return [...calls.values()];
}
