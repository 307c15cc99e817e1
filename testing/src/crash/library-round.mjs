import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { killedProcess } from "./killed-process.mjs";
import { requestFor } from "./request-for.mjs";
import { toldBy, violations } from "./violations.mjs";

const child = fileURLToPath(new URL("./child.mjs", import.meta.url));
/** The number of questions that every ledger of a round affords. */
export const affordable = 12;
const asked = 16;
const clock = () => 1_700_000_000_000;

/** Runs `use` with a new ledger that is closed, and removes it after. Its records are at `url`, or in a file where there is none. */
export async function withLedger(moduleUrl, use, url = undefined) {
  const module = await import(/* @vite-ignore */ moduleUrl);
  const parent = mkdtempSync(join(tmpdir(), "lethe-kill-"));
  const directory = join(parent, "ledger");
  try {
    const epsilon = { num: 1n, den: 1n };
    const delta = { num: 0n, den: 1n };
    const budget = { measure: "pure", epsilon, delta, rho: null, analysts: {} };
    await (await module.createLedger(directory, { budget, policyHash: "", source: "s", clock, url })).close();
    return await use(directory, module);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** Returns the command that starts a process which asks a ledger for these ids. */
export function childCommand(moduleUrl, directory, ids) {
  const plan = JSON.stringify({ ids, per: String(affordable), executeMs: 3 });
  return [process.execPath, [child, moduleUrl, directory, plan]];
}

/**
 * Plays one round: two processes ask one ledger the same questions in another order, each is killed at a random moment; then everything is asked
 * again. Returns the violations found and how many processes died at work. `beside` runs while they ask, with a promise of their end: a server that is killed, too.
 */
export function libraryRound(moduleUrl, random, { url, beside = () => {} } = {}) {
  const round = async (directory, { openLedger, verifyLedger }) => {
    const ids = Array.from({ length: asked }, (_, i) => `q${i}`);
    const ended = Promise.all(
      [ids, shuffled(ids, random)].map((order) =>
        killedProcess(...childCommand(moduleUrl, directory, order), moment(random)),
      ),
    );
    const [runs] = await Promise.all([ended, beside(ended)]);
    const broken = runs.filter(({ killed, code }) => !killed && code !== 0).map(({ stderr }) => stderr);
    const told = runs.flatMap(({ stdout }) => toldBy(stdout));

    const ledger = await openLedger(directory, { clock });
    const first = await ledger.report();
    const found = [...broken, ...violations(first, told, affordable)];
    for (const id of ids) {
      try {
        const again = await ledger.reserve(requestFor(id, String(affordable)));
        const release =
          again.kind === "settled" ? again.release : await ledger.settle(again.charge, `${id} asked again`);
        told.push({ did: "answered", id, release });
      } catch (error) {
        if (error.code !== "ledger.budget") throw error;
      }
    }
    found.push(...violations(await ledger.report(), told, affordable));
    await ledger.close();
    await verifyLedger(directory, { head: first.head }).catch((error) => found.push(error.message));
    return { found, killed: runs.filter(({ killed }) => killed).length };
  };
  return withLedger(moduleUrl, round, url);
}

/** Returns a random moment, mostly early in the work, sometimes while the process still starts. */
function moment(random) {
  return random() < 0.2 ? { delayMs: 150 * random() } : { delayMs: 250 * random() ** 2, afterOutput: true };
}

function shuffled(items, random) {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
