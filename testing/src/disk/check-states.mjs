import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brokenPromises } from "./broken-promises.mjs";
import { collectHandles } from "./collect-handles.mjs";
import { crashStates } from "./crash-states.mjs";
import { factsOf } from "./story-facts.mjs";
import { ledgerIn } from "./story-terms.mjs";

/**
 * Puts the crash states of a story (see crashStates) into `folder`, opens each there and gives
 * { states, found: what is broken }. Stops after `limit` states, or when `enough` is found broken.
 */
export async function checkCrashStates(
  module,
  story,
  folder,
  { random, mixtures, share = 1, limit = Number.POSITIVE_INFINITY, enough = limit, seen },
) {
  let states = 0;
  const found = [];
  for (const { tree, told } of crashStates(story, { random, mixtures, share, seen })) {
    const place = join(folder, `state-${states}`);
    putTree(place, tree);
    const broken = await brokenPromises(module, ledgerIn(place), factsOf(story.operations, told));
    for (const line of broken) found.push(`${story.name} after ${told} operations: ${line}`);
    rmSync(place, { recursive: true, force: true });
    states += 1;
    if (states % 200 === 0) await collectHandles();
    if (states >= limit || found.length >= enough) break;
  }
  return { states, found };
}

const foreign = Buffer.alloc(32_768, 0xa5);

function putTree(place, tree) {
  mkdirSync(place);
  for (const [path, bytes] of tree) {
    const target = join(place, path);
    if (bytes === null) mkdirSync(target);
    else writeFileSync(target, bytes);
    // Of the shared memory anything may be left.
    if (path.endsWith("ledger.db-wal")) writeFileSync(target.replace(/wal$/, "shm"), foreign);
  }
}
