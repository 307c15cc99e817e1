import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

/** A test that fails so did not judge the mutant: the mutant's text was no program. */
const noProgram = /^(SyntaxError|ReferenceError|Error: (Transform|Parse|Failed to)|RolldownError)/;

/**
 * Runs test files in `folder`, of which `named`, a pattern, may choose the tests. Gives { outcome, by, red }: "passed"; "failed" with the
 * first test that judged so; or "broken" when no test came to a judgement (the files do not load, nothing ran, the time was over). `red`
 * are the files that did not pass, where any was judged; `took`, the seconds of each file. `timedOut`: whether the time was over. `inOrder` keeps
 * the files' order; else Vitest chooses it.
 */
export async function runTests(
  folder,
  files,
  { bail, timeoutMs, named = null, inOrder = false, workers = 1, env = {} },
) {
  const report = join(folder, "mutant-report.json");
  rmSync(report, { force: true });
  const vitest = join(folder, "node_modules", "vitest", "vitest.mjs");
  const flags = [
    `--maxWorkers=${workers}`,
    "--reporter=json",
    `--outputFile=${report}`,
    // All files but the one with the fault are what they were: they are transformed once, not anew for every fault.
    "--experimental.fsModuleCache",
    `--experimental.fsModuleCachePath=${join(folder, "node_modules", ".transformed")}`,
    ...(bail ? ["--bail=1"] : []),
    ...(named ? ["-t", named] : []),
  ];
  const { said, timedOut } = await output(process.execPath, [vitest, "run", ...files, ...flags], {
    cwd: folder,
    timeoutMs,
    env: { ...process.env, ...env, ...(inOrder ? { LETHE_TEST_ORDER: files.join("\n") } : {}) },
  });
  let result;
  try {
    result = JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return { outcome: "broken", by: timedOut ? "the tests do not end" : said.slice(-400), timedOut };
  }
  const took = Object.fromEntries(
    result.testResults.map(({ name, startTime, endTime }) => [
      relative(folder, name),
      (endTime - startTime) / 1000,
    ]),
  );
  return { ...judgementOf(result.testResults, said, folder), took };
}

/** Judges the results of test files as Vitest's JSON has them: { outcome, by, red }. `said` tells what was said where no test was. */
export function judgementOf(results, said, folder) {
  const tests = results.flatMap(({ assertionResults }) => assertionResults);
  const red = results.filter(({ status }) => status === "failed").map(({ name }) => relative(folder, name));
  const failed = tests.filter(({ status }) => status === "failed");
  const judged = failed.find(({ failureMessages: [message = ""] }) => !noProgram.test(message));
  if (judged) return { outcome: "failed", by: judged.fullName, red };
  const unloaded = results.find(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  if (failed.length > 0 || unloaded || !tests.some(({ status }) => status === "passed")) {
    const by = failed[0]?.failureMessages[0] ?? unloaded?.message ?? said.slice(-400);
    return { outcome: "broken", by, red };
  }
  return { outcome: "passed", by: null, red };
}

/** All that a command says, and whether it was ended because the time was over: it with all that it started. */
function output(command, args, { cwd, timeoutMs, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const said = [];
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, timeoutMs);
    child.stdout.on("data", (chunk) => said.push(chunk));
    child.stderr.on("data", (chunk) => said.push(chunk));
    child.on("error", reject);
    child.on("close", () => {
      clearTimeout(timer);
      // A worker in a loop that does not end outlives the command that started it.
      endGroup(child.pid);
      resolve({ said: Buffer.concat(said).toString("utf8"), timedOut });
    });
  });
}

/** Ends a process that leads a group, with all that it started. */
export function endGroup(leader) {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}
