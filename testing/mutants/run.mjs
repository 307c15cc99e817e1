// npm run mutants [-- --quarter N] [--only ID,ID] [--jobs N] [--no-baseline]
// Breaks our own source, one fault of mutants.json at a time, in a copy, and runs the tests that must see it. Killed: a
// test fails by its own judgement. Survived: all pass. Broken: no test came to one, which counts as survived.
// --quarter N runs every fourth fault, from N mod 4 on: a number that rises by one from run to run sees all in four.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runTests } from "./run-tests.mjs";
import { Workplace } from "./workplace.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const all = JSON.parse(readFileSync(new URL("./mutants.json", import.meta.url), "utf8"));
const minutes = 60_000;

const option = (name) => {
  const place = process.argv.indexOf(name);
  return place < 0 ? null : (process.argv[place + 1] ?? "");
};
const quarter = option("--quarter");
const only = option("--only")?.split(",");
const chosen = all.filter(
  ({ id }, at) => (quarter === null || at % 4 === Number(quarter) % 4) && (!only || only.includes(id)),
);
if (chosen.length === 0) throw new Error("no fault is chosen: --quarter takes a number, --only takes ids");

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
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) await judge(mutant, workplace);
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

function filesOf(mutants) {
  return [...new Set(mutants.flatMap(({ tests }) => tests))];
}

async function judge({ id, file, from, to, why, tests, named }, workplace) {
  const since = performance.now();
  const restore = workplace.change({ file, from, to });
  try {
    const { outcome, by } = await runTests(workplace.folder, tests, {
      bail: true,
      timeoutMs: 10 * minutes,
      named,
    });
    const verdict = { failed: "killed", passed: "SURVIVED", broken: "BROKEN" }[outcome];
    if (outcome !== "failed") survived.push(id);
    const how = by ? ` by “${by.slice(0, 160)}”` : "";
    console.log(`${verdict.padEnd(8)} ${id} (${file}: ${why})${how}, ${seconds(since)}`);
  } finally {
    restore();
  }
}
