// npm run bench -- ledger-shards [--seconds 4] [--clients 32] [--only model] [--commit S --record S --think S --hand S]
// Where the ledger becomes the limit, and what blocks of units change: a discrete-event model of gateways, ledgers and questions that read
// k of B blocks. Its four times are fitted to a ledger in PostgreSQL asked by one client, by one process, and by two. ledger-shards.measured.N is what N processes really
// did, over what the model says of them (1 is right); that of four was not fitted. ledger-shards.G.B.k: questions a second of G gateways with 32 clients each (3,200 in all at most), B blocks, k of them a question.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { seededRandom } from "../testing/src/crash/seeded-random.mjs";
import { figure } from "./figure.mjs";
import { together } from "./ledger-postgres.mjs";
import { simulate } from "./ledger-shards/simulate.mjs";
import { startServer } from "./postgres-server.mjs";

const moduleUrl = new URL("../packages/ledger/dist/index.mjs", import.meta.url).href;
/** Processes and clients of each, as measured. */
const measured = (clients) => [
  [1, 1],
  [1, clients],
  [2, clients],
  [4, clients],
];

export default async function bench(args) {
  const { values } = parseArgs({
    args,
    options: {
      ...Object.fromEntries(
        ["commit", "record", "think", "hand", "only"].map((name) => [name, { type: "string" }]),
      ),
      seconds: { type: "string", default: "4" },
      clients: { type: "string", default: "32" },
    },
  });
  const clients = Number(values.clients);
  const stated = Object.fromEntries(
    ["commit", "record", "think", "hand"].map((name) => [name, Number(values[name])]),
  );
  const costs = values.only === "model" ? stated : await calibrated(Number(values.seconds), clients);
  for (const [name, value] of Object.entries(costs))
    figure(`ledger-shards.fitted.${name}`, 1000 * value, "ms");
  for (const gateways of [1, 2, 4, 10, 100, 1000])
    for (const [blocks, touched] of [
      [1, 1],
      [10, 1],
      [10, 3],
      [10, 10],
      [100, 1],
      [100, 10],
      [100, 100],
    ])
      figure(
        `ledger-shards.${gateways}.${blocks}.${touched}`,
        rate({ gateways, clients, blocks, touched, costs }),
        "questions/s",
      );
}

/** The most questions under way at once in the model; measured settings have fewer. */
const mostUnderWay = 3200;

/** Lets each client be answered about once before it counts, and four times while it does. */
function rate({ gateways, clients: most, blocks, touched, costs }) {
  const clients = Math.min(most, Math.floor(mostUnderWay / gateways));
  const load = (2 * touched) / blocks;
  const work =
    load * gateways * (clients * costs.record + Math.min(clients, 8) * (costs.commit + costs.hand));
  const turn = work + 2 * touched * (costs.commit + costs.hand) + costs.think;
  const setting = { gateways, clients, blocks, touched, costs, random: seededRandom(7) };
  return simulate({ ...setting, warmUp: turn, seconds: Math.max(2, 4 * turn) });
}

async function calibrated(seconds, clients) {
  const found = await measure(seconds, measured(clients));
  const fitted = timesFor(found.slice(0, 3));
  for (const each of found) {
    const said = modelled(each, fitted);
    figure(
      `ledger-shards.measured.${each.processes}${each.clients === 1 ? ".alone" : ""}`,
      each.rate,
      "questions/s",
      said,
    );
  }
  return fitted;
}

const modelled = ({ processes, clients }, costs) =>
  rate({ gateways: processes, clients, blocks: 1, touched: 1, costs });

/** The times under which the model says what was measured: coordinates are halved and doubled by ever smaller steps. */
function timesFor(found) {
  const badness = (costs) =>
    found.reduce((sum, each) => sum + Math.log(modelled(each, costs) / each.rate) ** 2, 0);
  let best = { commit: 0.002, record: 0.0005, think: 0.001, hand: 0.001 };
  let least = badness(best);
  for (let step = 2; step > 1.02; step = Math.sqrt(step))
    for (let round = 0; round < 6; round++)
      for (const name of Object.keys(best))
        for (const factor of [step, 1 / step]) {
          const tried = { ...best, [name]: best[name] * factor };
          const bad = badness(tried);
          if (bad < least) [best, least] = [tried, bad];
        }
  return best;
}

/** Asks a ledger in a PostgreSQL of its own, with fsync on, and returns the questions a second of each setting. */
async function measure(seconds, settings) {
  const server = await startServer({ fsync: "on" });
  if (!server) throw new Error("there are no PostgreSQL binaries for this platform");
  const folder = mkdtempSync(join(tmpdir(), "lethe-ledger-shards-"));
  try {
    const { createLedger, postgresSchema } = await import(moduleUrl);
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`CREATE ROLE gateway LOGIN; ${postgresSchema("lethe", "gateway")}`);
    await admin.end();
    const directory = join(folder, "ledger");
    const [zero, lot] = [0n, 1_000_000n].map((num) => ({ num, den: 1n }));
    const budget = { measure: "pure", epsilon: lot, delta: zero, rho: null, analysts: {} };
    const made = { budget, policyHash: "", source: "s", clock: Date.now, failureCap: 10_000 };
    await (await createLedger(directory, { ...made, url: server.urlOf("gateway") })).close();
    const found = [];
    for (const [processes, clients] of settings) {
      const name = `${processes}-${clients}`;
      const pairs = await together(directory, { name, processes, clients, seconds });
      found.push({ processes, clients, rate: pairs / seconds });
    }
    return found;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
