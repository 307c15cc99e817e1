// npm run mutants -- --random N [--seed S] [--under PATH] [--jobs N] [--harmless ID,ID] [--log FILE] [--near]
// Draws N faults by chance from the sources, so many of each package, and says which share of them the tests notice: random/run-random.mjs.
//
// npm run mutants [-- --part N/M] [--only ID,ID] [--jobs N] [--no-baseline]
// Breaks our own source, one fault of mutants.json at a time, in a copy, and runs the tests that must see it (`named`: those
// of its files whose names match). Killed: a test fails by its own judgement. Survived: all pass. Broken: no test came to
// one, which counts as survived. Faults that the simulated disk must see are left out where it cannot be built.
// --part N/M runs every M-th fault, from N mod M on: M numbers in a row see all.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileShim } from "../src/disk/record-stories.mjs";
import { runRandom } from "./random/run-random.mjs";
import { runTests } from "./run-tests.mjs";
import { TestServer } from "./test-server.mjs";
import { Workplace } from "./workplace.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const all = JSON.parse(readFileSync(new URL("./mutants.json", import.meta.url), "utf8"));
const minutes = 60_000;

const flags = ["random", "seed", "under", "jobs", "harmless", "log", "near", "part", "only", "no-baseline"];
const unknown = process.argv.slice(2).find((word) => word.startsWith("--") && !flags.includes(word.slice(2)));
// Every fault would be run, for an hour, where one was asked for by a flag that is not there.
if (unknown) throw new Error(`${unknown} is no flag: ${flags.map((flag) => `--${flag}`).join(", ")}`);

const option = (name) => {
  const place = process.argv.indexOf(name);
  return place < 0 ? null : (process.argv[place + 1] ?? "");
};
if (process.argv.includes("--random")) {
  await runRandom({
    root,
    count: wholeNumber("random"),
    seed: wholeNumber("seed", 1),
    under: option("--under"),
    jobs: wholeNumber("jobs", 1),
    harmless: option("--harmless")?.split(",") ?? [],
    log: option("--log"),
    near: process.argv.includes("--near"),
  });
  process.exit();
}

const [from, share] = part(option("--part") ?? "0/1");
const only = option("--only")?.split(",");
const asked = all.filter(({ id }, at) => at % share === from && (!only || only.includes(id)));
if (asked.length === 0) throw new Error("no fault is chosen: --part takes N/M, --only takes ids");
const chosen = asked.some(needsDisk) && !hasDisk() ? asked.filter((mutant) => !needsDisk(mutant)) : asked;
if (chosen.length < asked.length)
  console.log(`${asked.length - chosen.length} left out: no C compiler for the simulated disk`);

const begin = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const jobs = Number(option("--jobs") ?? 1);
const workplaces = Array.from({ length: jobs }, () => new Workplace(root));
const survived = [];
try {
  if (!process.argv.includes("--no-baseline")) await baseline(workplaces[0]);
  const queue = [...chosen];
  await Promise.all(
    workplaces.map(async (workplace) => {
      const server = new TestServer(workplace.folder);
      try {
        for (let mutant = queue.shift(); mutant; mutant = queue.shift())
          await judge(mutant, workplace, server);
      } finally {
        server.stop();
      }
    }),
  );
} finally {
  for (const workplace of workplaces) workplace.remove();
}
console.log(`${chosen.length - survived.length} of ${chosen.length} killed in ${seconds(begin)}`);
if (survived.length > 0) {
  console.error(`survived: ${survived.join(", ")}`);
  process.exitCode = 1;
}

function wholeNumber(name, otherwise) {
  const text = option(`--${name}`);
  if (text === null && otherwise !== undefined) return otherwise;
  if (!/^[1-9]\d*$/.test(text ?? "")) throw new Error(`--${name} takes a whole number, not ${text}`);
  return Number(text);
}

/** N/M as [N mod M, M]. */
function part(text) {
  const [, number, parts] = /^(\d+)\/([1-9]\d*)$/.exec(text) ?? [];
  if (!parts) throw new Error(`--part takes N/M, not ${text}`);
  return [Number(BigInt(number) % BigInt(parts)), Number(parts)];
}

function needsDisk({ tests }) {
  return tests.includes("testing/src/disk/disk.test.mjs");
}

function hasDisk() {
  const folder = mkdtempSync(join(tmpdir(), "lethe-shim-"));
  try {
    return compileShim(folder) !== null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A kill says something only where the tests pass without the fault. */
async function baseline({ folder }) {
  const timeoutMs = 30 * minutes;
  const whole = filesOf(chosen.filter(({ named }) => !named));
  const parted = chosen.filter(({ named }) => named);
  const patterns = [...new Set(parted.map(({ named }) => named))].join("|");
  for (const [files, named] of [
    [whole, null],
    [filesOf(parted), patterns],
  ]) {
    if (files.length === 0) continue;
    const { outcome, by } = await runTests(folder, files, { bail: false, timeoutMs, named });
    if (outcome !== "passed") throw new Error(`the tests fail without any fault: ${by}`);
    console.log(`${files.length} test files pass without a fault (${seconds(begin)})`);
  }
}

/** Bundles the console of a copy anew, which Vitest does when it starts alone. Gives what that writes. */
function bundlePage({ folder }) {
  for (const script of ["console.mjs", "console-worker.mjs"])
    execFileSync(process.execPath, [join("scripts", script)], { cwd: folder, stdio: "ignore" });
  return ["page.generated.ts", "verify-worker.generated.ts"].map((name) => `apps/server/src/page/${name}`);
}

function filesOf(mutants) {
  return [...new Set(mutants.flatMap(({ tests }) => tests))];
}

async function judge({ id, file, from, to, why, tests, named }, workplace, server) {
  const since = performance.now();
  const restore = workplace.change({ file, from, to });
  try {
    const bundled = tests.some((test) => test.startsWith("apps/server/src/page/"))
      ? bundlePage(workplace)
      : [];
    const options = { changed: [file, ...bundled], bail: true, timeoutMs: 10 * minutes, named };
    let judged = await server.run(tests, options);
    // A Vitest that is kept may hang by itself: a new one is asked once.
    if (judged.timedOut) judged = await server.run(tests, options);
    const { outcome, by } = judged;
    const verdict = { failed: "killed", passed: "SURVIVED", broken: "BROKEN" }[outcome];
    if (outcome !== "failed") survived.push(id);
    const how = by ? ` by “${by.slice(0, 160)}”` : "";
    console.log(`${verdict.padEnd(8)} ${id} (${file}: ${why})${how}, ${seconds(since)}`);
  } finally {
    restore();
  }
}
