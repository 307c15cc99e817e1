// disk.states: distinct states (bytes on the disk, and what had been acknowledged) in which a power failure may leave a
// ledger at any moment of a story, each opened and checked; disk.violations: promises broken in them (target 0).
// disk.faults: stories in which the k-th open, write, flush, read or lock fails (EMFILE, ENOSPC, EIO, short, ENOLCK), for
// every k; disk.fault-violations: promises broken, or errors without a code (target 0). disk.retried: crash states of
// stories in which a flush failed and the process went on.
// Options: --states N (50,000), --seed N. Needs Linux and a C compiler. See testing/src/disk.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../testing/src/crash/seeded-random.mjs";
import { checkCrashStates } from "../testing/src/disk/check-states.mjs";
import { faultedStories, runFaultedStories } from "../testing/src/disk/faulted-stories.mjs";
import { compileShim, recordStories, withScratch } from "../testing/src/disk/record-stories.mjs";
import { figure } from "./figure.mjs";

const moduleUrl = new URL("../packages/ledger/dist/index.mjs", import.meta.url).href;
const batch = 100;

export default async function bench(options) {
  const wanted = numberOption(options, "--states", 50_000);
  const random = seededRandom(numberOption(options, "--seed", 1));
  const module = await import(moduleUrl);
  await withScratch(async (folder) => {
    const library = compileShim(folder);
    if (library === null) throw new Error("needs Linux and a C compiler (cc)");
    const [root, states] = [join(folder, "root"), join(folder, "states")];
    for (const each of [root, states]) mkdirSync(each);

    const [calm] = recordStories(library, moduleUrl, root, [{ name: "calm", fault: null }]);
    const seen = new Set();
    const total = { states: 0, violations: 0 };
    // A story is recorded once; every further round mixes its pending effects anew.
    for (let mixtures = 8; total.states < wanted; mixtures = 200) {
      const limit = wanted - total.states;
      const { states: more, found } = await checkCrashStates(module, calm, states, {
        random,
        mixtures,
        limit,
        seen,
      });
      tell(found);
      total.states += more;
      total.violations += found.length;
    }
    figure("disk.states", total.states, "states");
    figure("disk.violations", total.violations, `of ${total.states} states`);

    const stories = faultedStories(calm.calls);
    const retried = [];
    let broken = 0;
    for (let from = 0; from < stories.length; from += batch) {
      const some = stories.slice(from, from + batch);
      const { recorded, found } = await runFaultedStories(library, module, moduleUrl, root, some);
      retried.push(...recorded.filter(({ name }) => name.startsWith("sync-")));
      tell(found);
      broken += found.length;
    }
    figure("disk.faults", stories.length, "stories");
    figure("disk.fault-violations", broken, `of ${stories.length} stories`);

    const after = { states: 0, violations: 0 };
    for (const story of retried) {
      const { states: more, found } = await checkCrashStates(module, story, states, {
        random,
        mixtures: 1,
        limit: 40,
        share: 0.02,
      });
      tell(found);
      after.states += more;
      after.violations += found.length;
    }
    figure("disk.retried", after.states, "states");
    figure("disk.retried-violations", after.violations, `of ${after.states} states`);
  });
}

function tell(found) {
  for (const line of found.slice(0, 20)) console.error(line);
}

function numberOption(options, name, otherwise) {
  const place = options.indexOf(name);
  if (place < 0) return otherwise;
  const value = Number(options[place + 1]);
  if (!(Number.isSafeInteger(value) && value >= 1)) throw new Error(`${name} must be a whole number ≥ 1`);
  return value;
}
