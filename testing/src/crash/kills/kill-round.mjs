import { setTimeout as pause } from "node:timers/promises";
import { cuttingProxy } from "../cutting-proxy.mjs";
import { seededRandom } from "../seeded-random.mjs";
import { startGateway } from "./gateway.mjs";
import { judgedChain } from "./judged-chain.mjs";
import { newChain } from "./new-chain.mjs";
import { numberOf, window } from "./question.mjs";
import { unsettled, whereKilled } from "./where-killed.mjs";

/** Gateways that are killed after the first refusal for want of budget, so that many die where it ends. */
const killsAtTheEnd = 8;
/** Codes that a gateway may be told while its server is killed and its way is cut. */
const allowed = ["ledger.budget", "ledger.unreadable", "ledger.busy"];

/** Settings of the server: nothing but a commit flushes what was written, so that one which does not is forgotten by a crash. */
export const stormServer = { fsync: "on", wal_writer_delay: "10s", max_connections: "100" };

/**
 * Plays one round: some nodes share a new chain. Each is one gateway after another, killed by SIGKILL at a random moment; every second node reaches the server through a proxy that
 * delays, cuts and drops. The server is killed after every `serverEvery` gateways, or never where it is null. The round ends soon after the budget does, or after `kills`. Then all is asked again
 * by a gateway that lives, and judged. `gateways` is what bundledGateways gives. Gives { found, verified, happened }.
 */
export async function killRound(
  server,
  gateways,
  { seed, kills, serverEvery = null, affordable = 500, nodes = 4, clients = 3, way = { drop: 0.001 } },
) {
  const random = seededRandom(seed);
  const chain = await newChain(server, { module: gateways.module, schema: `kills_${seed}`, affordable });
  const proxy = await cuttingProxy(Number(new URL(server.url).port), random, way);
  const happened = { gateways: 0, servers: 0, unsettled: 0, charged: 0, settled: 0, resumed: 0 };
  const count = (name, times = 1) => {
    happened[name] = (happened[name] ?? 0) + times;
  };
  const [told, odd] = [[], []];
  let [base, lastKill] = [0, kills];
  const round = {
    over: () => happened.gateways >= lastKill,
    base: () => base,
    heard({ did, id }) {
      if (did === "answered") base = Math.max(base, numberOf(id) - window / 2);
      if (did === "refused") lastKill = Math.min(lastKill, happened.gateways + killsAtTheEnd);
    },
    ended(gateway, { killed, stderr }) {
      told.push(...gateway.told);
      count("resumed", gateway.told.filter(({ resumed }) => resumed).length);
      for (const { code } of gateway.told) {
        if (code === undefined) continue;
        count(`told.${code}`);
        if (!allowed.includes(code)) odd.push(`a gateway was told ${code}`);
      }
      if (!killed && stderr !== "") odd.push(stderr);
      if (!killed) return;
      count("gateways");
      count(`at.${whereKilled(gateway.told)}`);
      if (unsettled(gateway.told).length > 0) count("unsettled");
    },
  };
  try {
    const play = Array.from({ length: nodes }, (_, node) => {
      const directory = chain.directoryOver(node % 2 === 1 ? proxy.port : null);
      const own = seededRandom(1000 * seed + node);
      const start = () =>
        startGateway(
          gateways.program,
          directory,
          { affordable, clients, seed: Math.floor(2 ** 31 * own()) },
          round.heard,
        );
      return keepKilling(start, round, own);
    });
    if (serverEvery !== null) play.push(killServer(server, serverEvery, happened, round.over, random));
    await proxy.disturb(Promise.all(play));
    const { found, verified, charged, settled } = await judgedChain(chain, gateways.module, told);
    count("charged", charged);
    count("settled", settled);
    for (const [name, times] of Object.entries(proxy.told)) count(`proxy.${name}`, times);
    return { found: { ...found, odd }, verified, happened };
  } finally {
    await proxy.close();
    chain.remove();
  }
}

/** One node: a gateway that is killed at a random moment, and the next one, which was started before. */
async function keepKilling(start, round, random) {
  for (let next = start(); ; ) {
    const gateway = next;
    gateway.go(round.base());
    next = start();
    await Promise.race([moment(gateway, random), gateway.ended]);
    gateway.kill();
    const end = await gateway.ended;
    round.ended(gateway, end);
    if (!end.killed) await pause(50);
    if (round.over()) {
      next.kill();
      await next.ended;
      return;
    }
  }
}

/**
 * A random moment of a gateway's life: now and then while it opens its ledger, mostly when it has told some lines, or waits for long. Lines, and not time: so the
 * gateways of a busy machine die in the midst of their work too.
 */
async function moment(gateway, random) {
  if (random() < 0.1) return pause(100 * random());
  const lines = Math.floor(150 * random() ** 2);
  await gateway.opened;
  await Promise.race([gateway.tells(lines), pause(700)]);
  await pause(4 * random());
}

async function killServer(server, every, happened, over, random) {
  for (let at = every * random(); !over(); at += every) {
    while (happened.gateways < at && !over()) await pause(10);
    if (over()) return;
    await pause(100 * random());
    await server.crash();
    happened.servers += 1;
  }
}
