// The attacks on the ledger that docs/attacks/ledger.md reports; each counts broken promises, and its target is 0.
// ledger.every-write: `lethe query` killed before every write and flush of its own, its ledger and its head file (on another disk
// where there is one), and after half of each write; then asked again. ledger.heads: what a head file on another disk, ahead of the ledger,
// behind it, missing or foreign, lets pass. ledger.applies: rounds in which two processes ask, two apply budgets, and some are
// killed. ledger.policies: what several policies over one file are answered beyond what their ledgers cover.
// Options: --rounds N (100), --stride N (1: every write), --only NAMES (of applies, policies, library, cli, with commas), --seed N. Needs Linux and a C compiler.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyRound } from "../testing/src/crash/apply-round.mjs";
import { everyWrite } from "../testing/src/crash/every-write.mjs";
import { querySubject } from "../testing/src/crash/query-subject.mjs";
import { requestFor } from "../testing/src/crash/request-for.mjs";
import { seededRandom } from "../testing/src/crash/seeded-random.mjs";
import { compileShim } from "../testing/src/disk/record-stories.mjs";
import { figure } from "./figure.mjs";
import { bin, makeCpsWorkspace, runLethe } from "./workspace.mjs";

const moduleUrl = new URL("../packages/ledger/dist/index.mjs", import.meta.url).href;
const askOnce = fileURLToPath(new URL("../testing/src/crash/ask-once.mjs", import.meta.url));
const sql = "SELECT sector, AVG(wage) FROM people GROUP BY sector";
/** Another disk than that of temporary files, where this machine has one. */
const elsewhere = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export default async function bench(options) {
  const rounds = numberOption(options, "--rounds", 100);
  const stride = numberOption(options, "--stride", 1);
  const random = seededRandom(numberOption(options, "--seed", 1));
  const place = options.indexOf("--only");
  const only = place < 0 ? ["applies", "policies", "library", "cli"] : options[place + 1].split(",");
  if (only.includes("applies")) await applies(rounds, random);
  if (only.includes("policies")) await policies();
  const subjects = only.filter((name) => Object.hasOwn(makers, name));
  if (subjects.length > 0) await everyWrites(stride, subjects);
}

async function applies(rounds, random) {
  const total = { found: 0, killed: 0, applied: 0, late: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const { found, ...more } = await applyRound(moduleUrl, random, elsewhere);
    tell(found, `apply round ${round}`);
    total.found += found.length;
    for (const [name, count] of Object.entries(more)) total[name] += count;
  }
  figure("ledger.applies", total.found, `of ${rounds} rounds`);
  figure("ledger.applies.killed", total.killed, "processes");
  figure("ledger.applies.recorded", total.applied, "budgets");
  figure("ledger.applies.refused-askers", total.late, "processes");
}

const makers = { library: librarySubject, cli: cliSubject };

async function everyWrites(stride, names) {
  const [place, other] = [tmpdir(), elsewhere].map((disk) =>
    realpathSync(mkdtempSync(join(disk, "lethe-writes-"))),
  );
  try {
    const library = compileShim(place);
    if (library === null) throw new Error("needs Linux and a C compiler (cc)");
    for (const name of names) {
      const { subject, remove } = await makers[name](library, place, other);
      for (const how of ["whole", "torn"]) {
        const { kills, charged, settled, found } = await everyWrite(subject, how, { stride });
        tell(found, name);
        figure(`ledger.every-write.${name}.${how}`, found.length, `of ${kills} kills`);
        figure(`ledger.every-write.${name}.${how}.charged`, charged, "killed between charge and answer");
        figure(`ledger.every-write.${name}.${how}.settled`, settled, "killed after the answer was durable");
      }
      if (name === "library") figure("ledger.heads", await heads(subject), "of 6 that must be refused");
      remove();
    }
  } finally {
    for (const folder of [place, other]) rmSync(folder, { recursive: true, force: true });
  }
}

async function librarySubject(library, place, other) {
  const { createLedger } = await import(moduleUrl);
  const folders = [join(place, "one"), join(other, "another")];
  for (const folder of folders) mkdirSync(folder);
  const [directory, headFile] = [join(folders[0], "ledger"), join(folders[1], "head")];
  const budget = {
    measure: "pure",
    epsilon: { num: 10n, den: 1n },
    delta: { num: 0n, den: 1n },
    rho: null,
    analysts: {},
  };
  const options = { budget, policyHash: "", source: "s", clock: Date.now, headFile };
  await (await createLedger(directory, options)).close();
  const command = (id) => [process.execPath, [askOnce, moduleUrl, directory, headFile, id]];
  const subject = { library, folders, cwd: place, moduleUrl, directory, headFile, command };
  return { subject, remove: () => {} };
}

async function cliSubject(library, _place, other) {
  const workspace = makeCpsWorkspace({ epsilon: "1000", delta: "0.01" });
  const folder = realpathSync(workspace.folder);
  const subject = querySubject({
    ...{ library, folder, heads: join(other, "heads"), program: bin, moduleUrl, sql },
    lethe: (argv) => runLethe(folder, argv),
  });
  return { subject, remove: workspace.remove };
}

/** Head files and ledgers that do not belong together: each that is taken counts. */
async function heads({ moduleUrl, directory, headFile }) {
  const { openLedger } = await import(moduleUrl);
  const older = `${directory}.older`;
  cpSync(directory, older, { recursive: true });
  const ledger = await openLedger(directory, { clock: Date.now, headFile });
  await ledger.reserve(requestFor("after the copy", "1000"));
  await ledger.close();
  const kept = readFileSync(headFile, "utf8");
  const fork = `${directory}.fork`;
  cpSync(older, fork, { recursive: true });
  const forked = await openLedger(fork, { clock: Date.now });
  for (const id of ["x", "y", "z"]) await forked.reserve(requestFor(id, "1000"));
  await forked.close();
  const file = `${headFile}.tried`;
  const tried = [
    ["the ledger is one record older than the head", older, kept],
    ["the ledger went another way from there, and farther", fork, kept],
    ["the head is of a record to come", directory, kept.replace(/^\d+/, (n) => String(Number(n) + 1))],
    ["the head has another hash", directory, `${kept.slice(0, -2)}${kept.at(-2) === "0" ? "1" : "0"}\n`],
    ["the head file is cut off", directory, kept.slice(0, 20)],
    ["there is none", directory, null],
  ];
  let passed = 0;
  for (const [what, place, text] of tried) {
    rmSync(file, { force: true });
    if (text !== null) writeFileSync(file, text);
    const opened = await openLedger(place, { clock: Date.now, headFile: file }).catch((error) => error.code);
    if (typeof opened === "string" && opened.startsWith("ledger.")) continue;
    tell([`taken although ${what}: ${opened}`], "heads");
    passed += 1;
  }
  return passed;
}

/** ε 1 of a file under several policies: how much of it is answered, a tenth each. */
async function policies() {
  const asked = 20;
  const answered = (folder, policy) => {
    let count = 0;
    for (let i = 0; i < asked; i += 1) {
      const words = [
        bin,
        "query",
        "SELECT COUNT(*) FROM people",
        "--epsilon",
        "0.1",
        "--delta",
        "0",
        "--fresh",
        "--policy",
        policy,
      ];
      if (spawnSync(process.execPath, words, { cwd: folder }).status === 0) count += 1;
    }
    return count;
  };
  const house = makeCpsWorkspace({ epsilon: "1" });
  const other = makeCpsWorkspace({ epsilon: "1" });
  try {
    const { folder } = house;
    const text = readFileSync(join(folder, "lethe.yaml"), "utf8");
    writeFileSync(join(folder, "same.yaml"), text);
    writeFileSync(join(folder, "dearer.yaml"), text.replace("epsilon: 1", "epsilon: 100"));
    writeFileSync(join(folder, "units.yaml"), text.replace("add-or-remove-one", "replace-one"));
    figure(
      "ledger.policies.edited",
      answered(folder, "dearer.yaml"),
      `of ${asked}: another budget, same ledger`,
    );
    figure("ledger.policies.units", answered(folder, "units.yaml"), `of ${asked}: other units, same ledger`);
    const [first, second] = [answered(folder, "lethe.yaml"), answered(folder, "same.yaml")];
    figure(
      "ledger.policies.beside",
      first + second,
      `of ${2 * asked}: two policies beside each other, 10 are paid for`,
    );
    figure(
      "ledger.policies.apart",
      first + answered(other.folder, "lethe.yaml"),
      `of ${2 * asked}: two folders, two ledgers, 20 are paid for`,
    );
  } finally {
    house.remove();
    other.remove();
  }
}

function tell(found, place) {
  for (const line of found) console.error(`${place}: ${line}`);
}

function numberOption(options, name, otherwise) {
  const place = options.indexOf(name);
  if (place < 0) return otherwise;
  const value = Number(options[place + 1]);
  if (!(Number.isSafeInteger(value) && value >= 1)) throw new Error(`${name} must be a whole number ≥ 1`);
  return value;
}
