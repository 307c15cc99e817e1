// Random requests to the built `lethe serve` in a process of its own: methods, paths, headers, bodies, frames of the model context protocol, half requests, bytes that are none. See apps/server/src/testing/fuzz.
// serve-fuzz.requests: requests sent. serve-fuzz.violations: answers of another status, without a problem document, with what is hidden, answered and not paid, charged and told to nobody (target 0).
// serve-fuzz.rss: memory of the process at the end, in MB; its ratio is to that after a fifth (target: flat, at most 1.25).
// Options: --requests N (100,000), --clients N (16), --seed N.
import { join } from "node:path";
import { fuzz, unpaidOrUntold } from "../apps/server/src/testing/fuzz/fuzz.mjs";
import { seededRandom } from "../testing/src/crash/seeded-random.mjs";
import { startService } from "../testing/src/serve/service-process.mjs";
import { figure } from "./figure.mjs";
import { makeWorkspace, runLethe } from "./workspace.mjs";

const secret = "Zebedee-Quixote";
const tokenIn = (text) => /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(text)?.[0];

export default async function bench(options) {
  const [count, clients, seed] = [
    option(options, "--requests", 100_000),
    option(options, "--clients", 16),
    option(options, "--seed", 1),
  ];
  const rows = Array.from(
    { length: 600 },
    (_, at) => `${at % 100},${["north", "south"][at % 2]},${secret}-${at}`,
  );
  const workspace = makeWorkspace(`age,town,name\n${rows.join("\n")}\n`, [
    ...["--bounds", "age=int:0..100", "--categories", "town=north,south", "--epsilon", "1000000"],
  ]);
  const { folder } = workspace;
  try {
    const [ada, bob] = ["ada", "bob"].map((name) => tokenIn(runLethe(folder, ["people", "add", name])));
    runLethe(folder, [
      "query",
      "SELECT COUNT(*) AS of_bob_alone FROM people",
      "--as",
      "bob",
      "--epsilon",
      "1",
    ]);
    const service = await startService(folder);
    const hidden = [secret, folder, "of_bob_alone", "node_modules", bob];
    let warm = null;
    const every = async (sent) => {
      if (warm === null && sent >= count / 5) warm = service.rss();
      if (service.isOver()) throw new Error("the service ended");
      if (sent % (10 * Math.max(1, Math.floor(count / 100))) === 0)
        console.error(`${sent} sent, ${service.rss()} MB`);
    };
    const found = await fuzz(
      { port: service.port, token: ada, hidden },
      { count, clients, random: seededRandom(seed), every },
    );
    const rss = service.rss();
    await service.stop();
    const violations = [...found.violations, ...unpaidOrUntold(found, await chargesOf(folder, "ada"))];
    for (const violation of violations.slice(0, 20)) console.error(violation);
    console.error(JSON.stringify(found.statuses));
    figure("serve-fuzz.requests", count, "requests");
    figure("serve-fuzz.charged", found.told.size, "answers");
    figure("serve-fuzz.violations", violations.length, `of ${count} requests`);
    figure("serve-fuzz.rss", rss, "MB", warm);
  } finally {
    workspace.remove();
  }
}

async function chargesOf(folder, name) {
  const { openLedger } = await import(new URL("../packages/ledger/dist/index.mjs", import.meta.url).href);
  const ledger = await openLedger(join(folder, ".lethe", "ledger"), { clock: Date.now });
  const { charges } = await ledger.report();
  await ledger.close();
  return charges.filter(({ principal }) => principal === name);
}

function option(options, name, otherwise) {
  const place = options.indexOf(name);
  return place < 0 ? otherwise : Number(options[place + 1]);
}
