import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { readHouse } from "../../../scripts/house/read-sources.mjs";
import { Workplace } from "../workplace.mjs";
import { Compiler } from "./compiler.mjs";
import { drawFaults } from "./draw-faults.mjs";
import { shareInterval } from "./interval.mjs";
import { Judge, roundCount } from "./judge.mjs";
import { reachedBy } from "./reached.mjs";
import { RelatedTests } from "./related-tests.mjs";

/**
 * Draws faults by chance, runs against each the tests that reach it, and prints one line a fault, then the share that died with its interval: of every package,
 * and in all. A survivor may do no harm (another text of an error, a faster or slower way to the same): whoever reads them names these with
 * `harmless`, and the share is of the others. `log` is a file to which each verdict is added as a JSON line; a run with the same log goes on where
 * that one stopped. `near` stops after the tests nearest to each fault, before all others run against those that still live.
 */
export async function runRandom({ root, count, seed, under, jobs, harmless, log, near }) {
  const house = readHouse(root);
  const { faults, uncompiled } = drawFaults({
    count,
    seed,
    house,
    root,
    compiler: new Compiler(root),
    under,
  });
  console.log(`${faults.length} faults drawn with seed ${seed}; ${uncompiled} more did not compile`);
  const related = new RelatedTests(house);
  const verdicts = earlierVerdicts(log);
  const tell = ({ id, change, stratum }, round, by) => {
    const verdict = by !== null ? "killed" : round === roundCount - 1 ? "survived" : "lives";
    verdicts.set(id, { verdict, round, id, change, stratum });
    if (log) appendFileSync(log, `${JSON.stringify({ verdict, round, by, id, change, stratum })}\n`);
    const how = by === null ? "" : ` by “${by.replace(/\s+/g, " ").slice(0, 100)}”`;
    console.log(`${verdict.padEnd(8)} ${id}  ${change}${how}`);
  };
  const spared = new Set(harmless);
  const meets = (fault, round) => {
    const { verdict = "lives", round: met = -1 } = verdicts.get(fault.id) ?? {};
    return verdict === "lives" && met < round && !spared.has(fault.id);
  };
  const workplaces = Array.from({ length: jobs }, () => new Workplace(root));
  try {
    const { testsOf, secondsOf, red } = await kept(log && `${log}.reached.json`, () => {
      const files = [...new Set(faults.flatMap(({ path }) => related.testsOf(path)))];
      console.log(`${files.length} test files run without a fault, to see which reach it`);
      return reachedBy({ faults, files, workplace: workplaces[0], root, workers: jobs });
    });
    if (red.length > 0) console.log(`these fail with probes, and may reach more: ${red.join(", ")}`);
    const inOrder = ({ id, path }) => {
      const reaching = new Set(testsOf[id]);
      const near = related.testsOf(path).filter((file) => reaching.has(file));
      // Those that reach it without importing it start a program that does.
      return [...new Set([...near, ...reaching])];
    };
    const judge = new Judge(inOrder, secondsOf);
    for (let round = 0; round < (near ? roundCount - 1 : roundCount); round += 1) {
      const alive = faults.filter((fault) => meets(fault, round));
      console.log(`round ${round + 1} of ${roundCount}: ${alive.length} faults`);
      await shared(alive, workplaces, async (fault, workplace) => {
        tell(fault, round, await judge.killOf(fault, round, workplace));
      });
    }
  } finally {
    for (const workplace of workplaces) workplace.remove();
  }
  report([...verdicts.values()], spared);
}

/** The last verdict of each fault in the log. */
function earlierVerdicts(log) {
  const lines = log && existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean) : [];
  return new Map(lines.map((line) => JSON.parse(line)).map((verdict) => [verdict.id, verdict]));
}

/** Reads what `make` gave before from the file, where there is one; else makes it and keeps it there. */
async function kept(file, make) {
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const made = await make();
  if (file) writeFileSync(file, JSON.stringify(made));
  return made;
}

/** Every workplace takes the next fault when it is free. */
async function shared(faults, workplaces, judge) {
  const queue = [...faults];
  await Promise.all(
    workplaces.map(async (workplace) => {
      for (let fault = queue.shift(); fault; fault = queue.shift()) await judge(fault, workplace);
    }),
  );
}

function report(verdicts, harmless) {
  const harmful = verdicts.filter(({ id }) => !harmless.has(id));
  for (const stratum of [...new Set(verdicts.map(({ stratum: name }) => name)), null]) {
    const these = harmful.filter((verdict) => stratum === null || verdict.stratum === stratum);
    const killed = these.filter(({ verdict }) => verdict === "killed").length;
    if (these.length === 0) continue;
    const [low, high] = shareInterval(killed, these.length);
    const percent = (share) => (100 * share).toFixed(1);
    console.log(
      `${(stratum ?? "all").padEnd(26)} ${killed} of ${these.length} killed: ${percent(killed / these.length)} % [${percent(low)}, ${percent(high)}]`,
    );
  }
  const alive = harmful.filter(({ verdict }) => verdict !== "killed");
  if (alive.length > 0)
    console.log(`to be read:\n${alive.map(({ id, change }) => `  ${id}  ${change}`).join("\n")}`);
}
