import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { send, startService } from "../service-process.mjs";
import { bin, makeWorkspace, runLethe } from "../workspace.mjs";
import { judge } from "./judge.mjs";
import { obtainedBy, storm } from "./storm.mjs";
import { budgetText, stormBudget } from "./storm-budget.mjs";

const people = `wage,education\n${Array.from({ length: 600 }, (_, at) => `${(at * 7) % 60}.5,${at % 21}`).join("\n")}\n`;
const tokenIn = (text) => /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(text)?.[0];

/** Makes a folder with a budget to be fought over, lets a storm loose on it and judges what is left: { found, verified, happened, charges }. `cluster` starts several processes as one service, where it is not null: see ../nodes/start-cluster.mjs. */
export async function runStorm(asked, cluster = null) {
  const workspace = makeWorkspace(people, [
    ...["--bounds", "wage=0..60", "--bounds", "education=int:0..20"],
    ...["--measure", "pure", "--epsilon", "1000000", "--delta", "0"],
  ]);
  const { folder } = workspace;
  try {
    const budget = stormBudget(asked.questions / 4);
    const path = join(folder, "lethe.yaml");
    const policy = readFileSync(path, "utf8").replace(/^budget:.*\n(?:[ \t]+.*\n)*/m, budgetText(budget));
    writeFileSync(path, policy);
    runLethe(folder, ["budget", "apply", "--reason", "a storm", "--yes"]);
    await cluster?.prepare(folder);
    const start = cluster?.start ?? startService;
    const tokens = {};
    for (const name of Object.keys(budget.analysts))
      tokens[name] = tokenIn(runLethe(folder, ["people", "add", name, "--project", "work"]));
    const house = { folder, bin, tokens, send, start };
    const happened = await storm(house, asked);
    const { ledgerUrl, openLedger, openPostgresStore, openSqliteStore, verifyLedger } = await import(
      new URL("../../../../packages/ledger/dist/index.mjs", import.meta.url).href
    );
    const directory = join(folder, ".lethe", "ledger");
    const verified = await verifyLedger(directory).then(
      () => true,
      (error) => {
        console.error(error.message);
        return false;
      },
    );
    const ledger = await openLedger(directory, { clock: Date.now });
    const { charges: reported } = await ledger.report();
    await ledger.close();
    const url = ledgerUrl(directory);
    const store = await (url === null
      ? openSqliteStore(join(directory, "ledger.db"))
      : openPostgresStore(url));
    const charges = await withTimes(reported, store);
    const service = await start(folder, happened.clock);
    const obtained = await obtainedBy(house, service, charges);
    await service.stop();
    return { found: judge(budget, charges, happened.calls, obtained), verified, happened, charges };
  } finally {
    workspace.remove();
  }
}

/** Adds to each charge the latest time that stands in the chain up to it, of any record: an answer that is settled after midnight ends yesterday's windows for all, though the next clock is behind. */
async function withTimes(charges, store) {
  const { records } = await store.readAll();
  await store.close();
  const seen = new Map();
  let latest = 0;
  for (const { sequence, at } of records) {
    latest = Math.max(latest, at);
    seen.set(sequence, latest);
  }
  return charges.map((charge) => ({ ...charge, seen: seen.get(charge.sequence) }));
}
