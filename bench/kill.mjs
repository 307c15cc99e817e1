// kill.violations: promises of the ledger broken over 300 rounds of SIGKILL at random moments (target 0). A violation is
// an answer without a charge, a charge lost or doubled, two answers of one request, an overspent budget, a broken chain.
// Half of the rounds kill processes that use the ledger, half kill the whole `lethe query`.
// kill.interrupted: processes that died before their end. kill.caught: `lethe query` processes that died between charge
// and answer. ledger.commits: durable reserve + settle pairs a second, one process; each pair is two commits.
// Options: --rounds N, --library (no `lethe query`), --seed N.
// SIGKILL shows what a dying process does; it cannot show what a power failure does to a disk that lies about flushing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cliRound } from "../testing/src/crash/cli-round.mjs";
import { libraryRound } from "../testing/src/crash/library-round.mjs";
import { requestFor } from "../testing/src/crash/request-for.mjs";
import { seededRandom } from "../testing/src/crash/seeded-random.mjs";
import { figure } from "./figure.mjs";
import { bin, makeCpsWorkspace, runLethe } from "./workspace.mjs";

const moduleUrl = new URL("../packages/ledger/dist/index.mjs", import.meta.url).href;
const sql = "SELECT sector, AVG(wage) FROM people GROUP BY sector";

export default async function bench(options) {
  const rounds = numberOption(options, "--rounds", 300);
  const random = seededRandom(numberOption(options, "--seed", 1));
  const ofCli = options.includes("--library") ? 0 : Math.floor(rounds / 2);
  const outcomes = [];
  for (let round = ofCli; round < rounds; round += 1) {
    outcomes.push(told(await libraryRound(moduleUrl, random), `library round ${round}`));
  }
  if (ofCli > 0) outcomes.push(...(await cliRounds(ofCli, random)));
  const total = (of) => outcomes.map(of).reduce((sum, n) => sum + n, 0);
  figure(
    "kill.violations",
    total(({ found }) => found.length),
    `of ${rounds} rounds`,
  );
  figure(
    "kill.interrupted",
    total(({ killed }) => killed),
    "processes",
  );
  if (ofCli > 0) {
    figure(
      "kill.caught",
      total(({ caught = 0 }) => caught),
      "processes",
    );
  }
  figure("ledger.commits", await pairsPerSecond(2), "reserve+settle/s");
}

async function cliRounds(rounds, random) {
  const workspace = makeCpsWorkspace({ epsilon: "1000", delta: "0.01" });
  try {
    const { folder } = workspace;
    const start = performance.now();
    runLethe(folder, ["query", sql, "--epsilon", "0.001", "--delta", "0", "--format", "json"]);
    // Two at once take longer than one alone.
    const subject = { bin, folder, moduleUrl, sql, lifeMs: 1.6 * (performance.now() - start) };
    const outcomes = [];
    for (let round = 0; round < rounds; round += 1) {
      const ids = [`round-${round}-a`, random() < 0.25 ? `round-${round}-a` : `round-${round}-b`];
      outcomes.push(told(await cliRound(subject, ids, random), `cli round ${round}`));
    }
    return outcomes;
  } finally {
    workspace.remove();
  }
}

function told(outcome, place) {
  for (const violation of outcome.found) console.error(`${place}: ${violation}`);
  return outcome;
}

async function pairsPerSecond(seconds) {
  const { createLedger } = await import(moduleUrl);
  const parent = mkdtempSync(join(tmpdir(), "lethe-commits-"));
  const budget = {
    measure: "pure",
    epsilon: { num: 1_000_000n, den: 1n },
    delta: { num: 0n, den: 1n },
    rho: null,
    analysts: {},
  };
  const ledger = await createLedger(join(parent, "ledger"), {
    budget,
    policyHash: "",
    source: "s",
    clock: Date.now,
  });
  const release = "x".repeat(2000);
  const begin = performance.now();
  let pairs = 0;
  while (performance.now() - begin < 1000 * seconds) {
    const { charge } = await ledger.reserve(requestFor(`q${pairs}`, "100"));
    await ledger.settle(charge, release);
    pairs += 1;
  }
  const perSecond = (1000 * pairs) / (performance.now() - begin);
  await ledger.close();
  rmSync(parent, { recursive: true, force: true });
  return perSecond;
}

function numberOption(options, name, otherwise) {
  const place = options.indexOf(name);
  if (place < 0) return otherwise;
  const value = Number(options[place + 1]);
  if (!(Number.isSafeInteger(value) && value >= 1)) throw new Error(`${name} must be a whole number ≥ 1`);
  return value;
}
