// A storm on several processes of one service over one PostgreSQL that the bench starts, behind one address, which are killed in turns: see testing/src/serve/storm and testing/src/serve/nodes.
// serve-nodes.calls, .answered, .refused, .kills: how much happened. serve-nodes.overspent, .unpaid, .lost, .doubled, .refused-wrongly: promises broken (target 0 each). serve-nodes.chain: 1 where the whole chain verifies (target 1).
// Options: --questions N (2,000), --nodes N (4), --clients N (32), --every N: questions between two kills (200), --seed N.

import { seededRandom } from "../testing/src/crash/seeded-random.mjs";
import { makeCluster } from "../testing/src/serve/nodes/start-cluster.mjs";
import { runStorm } from "../testing/src/serve/storm/run-storm.mjs";
import { figure } from "./figure.mjs";
import { startServer } from "./postgres-server.mjs";

export default async function bench(options) {
  const option = (name, otherwise) => {
    const place = options.indexOf(name);
    return place < 0 ? otherwise : Number(options[place + 1]);
  };
  const nodes = option("--nodes", 4);
  const seed = option("--seed", 1);
  const asked = {
    questions: option("--questions", 2_000),
    clients: option("--clients", 32),
    every: option("--every", 200),
    seed,
    commands: 0,
    told: (line) => console.error(line),
  };
  const server = await startServer({ fsync: "on", max_connections: "300" });
  if (server === null) throw new Error("there are no binaries of PostgreSQL for this platform");
  const cluster = await makeCluster(server, nodes, seededRandom(seed + 1));
  try {
    const { found, verified, happened, charges } = await runStorm(asked, cluster);
    for (const [kind, lines] of Object.entries(found))
      for (const line of lines.slice(0, 10)) console.error(`${kind}: ${line}`);
    console.error(JSON.stringify(happened.codes));
    figure("serve-nodes.nodes", nodes, "processes");
    figure("serve-nodes.calls", happened.calls.length, "calls");
    for (const outcome of ["answered", "refused", "unknown"])
      figure(
        `serve-nodes.${outcome}`,
        happened.calls.filter((call) => call.outcome === outcome).length,
        "calls",
      );
    figure("serve-nodes.kills", happened.kills, "times");
    const { refused, ...promises } = found;
    for (const [kind, lines] of Object.entries(promises))
      figure(`serve-nodes.${kind}`, lines.length, `of ${charges.length} charges`);
    figure("serve-nodes.refused-wrongly", refused.length, "refusals");
    figure("serve-nodes.chain", verified ? 1 : 0, "chains");
  } finally {
    await cluster.close();
    await server.stop();
  }
}
