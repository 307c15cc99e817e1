import { rmSync } from "node:fs";
import { join } from "node:path";
import { brokenPromises } from "./broken-promises.mjs";
import { collectHandles } from "./collect-handles.mjs";
import { recordStories } from "./record-stories.mjs";
import { factsOf } from "./story-facts.mjs";
import { ledgerIn } from "./story-terms.mjs";

const EIO = 5;
const EMFILE = 24;
const ENOSPC = 28;
const ENOLCK = 37;
const short = 0;

/** The failures that a call of each class may have: [errno, only that call or every one from it on]. */
const failures = {
  open: [
    [EMFILE, "once"],
    [EMFILE, "from"],
    [EIO, "once"],
  ],
  write: [
    [ENOSPC, "once"],
    [ENOSPC, "from"],
    [EIO, "once"],
    [short, "once"],
  ],
  sync: [
    [EIO, "once"],
    [EIO, "from"],
  ],
  read: [[EIO, "once"]],
  lock: [[ENOLCK, "once"]],
};

/** Returns one story for every k-th call of every class and every failure it may have; every `stride`-th of these stories. */
export function faultedStories(calls, stride = 1) {
  const stories = [];
  let count = 0;
  for (const [kind, ways] of Object.entries(failures)) {
    for (const [errno, when] of ways) {
      for (let k = 1; k <= calls[kind]; k += 1) {
        count += 1;
        if (count % stride !== 0) continue;
        stories.push({ name: `${kind}-${k}-${errno}-${when}`, fault: `${kind} ${k} ${errno} ${when}` });
      }
    }
  }
  return stories;
}

/**
 * Runs the stories, in which calls fail, and returns { recorded, found }: an error without a code, or a promise broken to whoever opens the ledger
 * afterwards on a disk that works.
 */
export async function runFaultedStories(library, module, moduleUrl, root, stories) {
  const recorded = recordStories(library, moduleUrl, root, stories);
  const found = [];
  for (const { name, operations } of recorded) {
    const facts = factsOf(operations);
    const directory = ledgerIn(join(root, name));
    const broken = [...facts.uncoded, ...(await brokenPromises(module, directory, facts))];
    for (const line of broken) found.push(`${name}: ${line}`);
    rmSync(join(root, name), { recursive: true, force: true });
  }
  await collectHandles();
  return { recorded, found };
}
