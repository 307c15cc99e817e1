// A storm of kills on gateways that share one ledger in PostgreSQL: see testing/src/crash/kills. Four nodes pay and settle together, two of them through a proxy that delays, cuts and drops; each process is killed by
// SIGKILL at a random moment, and so is the server, with all its processes. Every round has a chain of its own, to the end of its budget; then all is asked again, and judged by the rows and by what every process was told.
// ledger-postgres-kills.gateways, .servers: how many were killed; .at.…: where the gateways were; .unsettled: those that had paid for a question and not settled it. .proxy.…: what the way to the server did.
// .overspent, .unpaid, .lost, .doubled, .refused (what would have fitted), .odd (errors that ought not to be): promises broken (target 0 each); .chains: the share of the chains that verify (target 1).
// Options: --kills N (200), --servers N (4), --nodes N (4), --affordable N (500 parts of a budget), --seed N. --faults plays on ledgers with a planted fault instead: .fault.NAME is 1 where it was found (target 1 each).
// Ends with 1 where a target was missed.

import pg from "pg";
import { bundledGateways } from "../testing/src/crash/kills/bundled-gateways.mjs";
import { foundFault } from "../testing/src/crash/kills/found-fault.mjs";
import { killRound, stormServer } from "../testing/src/crash/kills/kill-round.mjs";
import { plantedFaults } from "../testing/src/crash/kills/planted-faults.mjs";
import { figure } from "./figure.mjs";
import { startServer } from "./postgres-server.mjs";

const name = "ledger-postgres-kills";
const defaults = { kills: 200, servers: 4, nodes: 4, affordable: 500, seed: 1 };
/** The fewest gateways of a round, so that its server dies among work. */
const fewest = 12;

export default async function bench(options) {
  const asked = Object.fromEntries(
    Object.entries(defaults).map(([name, otherwise]) => [
      name,
      numberOption(options, `--${name}`, otherwise),
    ]),
  );
  const server = await startServer(stormServer);
  if (!server) throw new Error("there are no PostgreSQL binaries for this platform");
  try {
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query("CREATE ROLE gateway LOGIN");
    await admin.end();
    await (options.includes("--faults") ? findFaults(server, asked) : storm(server, asked));
  } finally {
    await server.stop();
  }
}

async function storm(server, { kills, servers, nodes, affordable, seed }) {
  const gateways = await bundledGateways();
  const sums = { happened: {}, found: {}, rounds: 0, verified: 0 };
  const left = (name, wanted) => wanted - (sums.happened[name] ?? 0);
  try {
    while (left("gateways", kills) > 0 || left("servers", servers) > 0) {
      const gatewaysLeft = Math.max(fewest, left("gateways", kills));
      const serversLeft = left("servers", servers);
      const begin = performance.now();
      const { happened, found, verified } = await killRound(server, gateways, {
        seed: seed + sums.rounds,
        kills: gatewaysLeft,
        serverEvery: serversLeft > 0 ? gatewaysLeft / serversLeft : null,
        nodes,
        affordable,
      });
      add(sums.happened, happened);
      add(sums.happened, { seconds: (performance.now() - begin) / 1000 });
      for (const [kind, lines] of Object.entries(found)) {
        add(sums.found, { [kind]: lines.length });
        for (const line of lines.slice(0, 10)) console.error(`seed ${seed + sums.rounds}: ${kind}: ${line}`);
      }
      sums.rounds += 1;
      sums.verified += verified ? 1 : 0;
      console.error(JSON.stringify(sums));
    }
  } finally {
    gateways.remove();
  }
  const { rounds, verified } = sums;
  for (const [what, count] of Object.entries(sums.happened)) figure(`${name}.${what}`, count, unitOf(what));
  for (const [kind, count] of Object.entries(sums.found))
    figure(`${name}.${kind}`, count, `in ${rounds} rounds`);
  figure(`${name}.chains`, verified / rounds, `of ${rounds} chains verified`);
  if (verified < rounds || Object.values(sums.found).some((count) => count > 0)) process.exitCode = 1;
}

async function findFaults(server, { seed }) {
  for (const [place, fault] of Object.keys(plantedFaults).entries()) {
    const { kinds, round } = await foundFault(server, fault, { seed: seed + 100 * (place + 1) });
    console.error(`${fault}: ${kinds.join(", ") || "not found"} (round ${round})`);
    figure(`${name}.fault.${fault}`, kinds.length > 0 ? 1 : 0, "found");
    if (kinds.length === 0) process.exitCode = 1;
  }
}

/** By what they begin with; all else are processes. */
const units = {
  proxy: "pieces",
  told: "errors",
  charged: "charges",
  settled: "answers",
  resumed: "charges",
  seconds: "s",
};

function unitOf(what) {
  return units[what.split(".")[0]] ?? "processes";
}

function add(sum, part) {
  for (const [name, count] of Object.entries(part)) sum[name] = (sum[name] ?? 0) + count;
}

function numberOption(options, name, otherwise) {
  const place = options.indexOf(name);
  if (place < 0) return otherwise;
  const value = Number(options[place + 1]);
  if (!(Number.isSafeInteger(value) && value >= 1)) throw new Error(`${name} must be a whole number ≥ 1`);
  return value;
}
