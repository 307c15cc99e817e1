import { appendFileSync } from "node:fs";
import { readHouse } from "../../../scripts/house/read-sources.mjs";
import { Workplace } from "../workplace.mjs";
import { Compiler } from "./compiler.mjs";
import { drawFaults } from "./draw-faults.mjs";
import { shareInterval } from "./interval.mjs";
import { Judge } from "./judge.mjs";
import { RelatedTests } from "./related-tests.mjs";

/**
 * Draws faults by chance, runs the tests against each, and prints one line a fault, then the share that died with its interval: of every package,
 * and in all. A survivor may do no harm (another text of an error, a faster or slower way to the same): whoever reads them names these with
 * `harmless`, and the share is of the others. `log` is a file to which each verdict is added as a JSON line.
 */
export async function runRandom({ root, count, seed, under, jobs, harmless, log }) {
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
  const judge = new Judge(new RelatedTests(house), jobs);
  const verdicts = [];
  const tell = ({ id, change, stratum }, by) => {
    const verdict = by === null ? "survived" : "killed";
    verdicts.push({ verdict, id, change, stratum });
    if (log) appendFileSync(log, `${JSON.stringify({ verdict, by, id, change, stratum })}\n`);
    const how = by === null ? "" : ` by “${by.replace(/\s+/g, " ").slice(0, 100)}”`;
    console.log(`${verdict.padEnd(8)} ${id}  ${change}${how}`);
  };
  const workplaces = Array.from({ length: jobs }, () => new Workplace(root));
  try {
    const alive = await nearRound(faults, workplaces, judge, tell);
    console.log(`${alive.length} are met by all other tests that import them`);
    for (const { fault, by } of await judge.farKills(alive, workplaces[0])) tell(fault, by);
  } finally {
    for (const workplace of workplaces) workplace.remove();
  }
  report(verdicts, new Set(harmless));
}

async function nearRound(faults, workplaces, judge, tell) {
  const queue = [...faults];
  const alive = [];
  await Promise.all(
    workplaces.map(async (workplace) => {
      for (let fault = queue.shift(); fault; fault = queue.shift()) {
        const by = await judge.nearKill(fault, workplace);
        if (by === null) alive.push(fault);
        else tell(fault, by);
      }
    }),
  );
  return alive;
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
