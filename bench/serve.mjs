// In this process, over worker threads and DuckDB, without a protocol: what the door itself can do. People are the 534 of the CPS of 1985, imported.
// serve.stall: the longest that the main thread's loop stands still while 16 medians are asked at once, in ms (target 50). Peer: the same questions by a house of this thread, as
//   lethe query asks them.
// serve.explain.fresh.rate, serve.explain.rate: explanations a second, each of another question, and of one asked again.
// serve.count.rate, serve.count.p99: counts that are charged, each of another question, a second, by 16 who wait for theirs; and the time of the slowest hundredth, in ms.
// serve.repeat.rate: answers a second of a question that was answered.
// serve.start, serve.rss: until every worker is ready, in ms; memory of the process at the end, in MiB.
// --workers N: the threads (one more than cores, unless stated).
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { figure } from "./figure.mjs";
import { makeCpsWorkspace } from "./workspace.mjs";

const owner = { principal: "owner" };
const median = (at) => `SELECT MEDIAN(wage) AS m FROM people WHERE education > ${at}`;
const count = (at) => `SELECT COUNT(*) AS n FROM people WHERE wage > ${(at % 59_000) / 1000}`;

export default async function bench(options) {
  const place = options.indexOf("--workers");
  const size = place < 0 ? availableParallelism() + 1 : Number(options[place + 1]);
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  const service = await openService(workspace.folder, size);
  try {
    figure("serve.start", service.startedIn, "ms");
    const stalled = await stallOf(() =>
      Promise.all(Array.from({ length: 16 }, (_, at) => service.ask(median(at)))),
    );
    figure("serve.stall", stalled, "ms", await stallOf(() => service.alone(median)));
    const fresh = await rate(16, 400, (at) => service.explain(count(100_000 + at)));
    figure("serve.explain.fresh.rate", fresh.rate, "1/s");
    figure("serve.explain.p99", fresh.p99, "ms");
    figure("serve.explain.rate", (await rate(16, 5000, () => service.explain(count(100_000)))).rate, "1/s");
    const counts = await rate(16, 600, (at) => service.ask(count(at)));
    figure("serve.count.rate", counts.rate, "1/s");
    figure("serve.count.p99", counts.p99, "ms");
    figure("serve.repeat.rate", (await rate(16, 5000, () => service.ask(count(1)))).rate, "1/s");
    figure("serve.rss", process.memoryUsage().rss / 2 ** 20, "MiB");
  } finally {
    await service.close();
    workspace.remove();
  }
}

/** Opens the service's parts as they are built. */
async function openService(folder, size) {
  const built = (path) => import(new URL(`../${path}/dist/index.mjs`, import.meta.url).href);
  const [serve, server, ledgers, query, core, gateway, duckdb] = await Promise.all(
    [
      ...["packages/serve", "apps/server", "packages/ledger", "packages/query", "packages/core"],
      ...["packages/gateway", "packages/engines/duckdb"],
    ].map(built),
  );
  const policyText = readFileSync(join(folder, "lethe.yaml"), "utf8");
  const policy = query.readPolicy(policyText);
  const state = join(folder, ".lethe");
  const ledger = await ledgers.openLedger(join(state, "ledger"), { clock: Date.now });
  const directories = { baseDirectory: folder, stateDirectory: state };
  const log = (detail) => console.error(detail);
  const began = performance.now();
  const start = server.threadStarter({
    entry: server.askWorkerUrl(new URL("../apps/server/dist/index.mjs", import.meta.url).href),
    log,
    settings: {
      policyText,
      publicKey: ledger.publicKey,
      logFile: join(state, "owner.log"),
      engine: { kind: "duckdb", seed: "a seed", ...directories, limits: { threads: 1 } },
    },
  });
  const pool = serve.startPool({ start, size, queue: 1000 });
  await pool.ready();
  const startedIn = performance.now() - began;
  const newId = () => `random ${randomUUID()}`;
  const timer = server.systemTimer;
  const door = serve.openDoor({ policy, ledger, pool, timer, declared: () => ({}), newId });
  const options = {
    epsilon: core.parseRational("0.1"),
    delta: core.parseRational("1e-9"),
    confidence: 0.95,
    acceptUninformative: true,
  };
  return {
    startedIn,
    ask: (text) => door.ask(owner, { text, options }),
    explain: (text) => door.explain(owner, { text, options }),
    /** The same by a house of this thread: other questions, so that no plan is there. */
    async alone(question) {
      const engine = await duckdb.openDuckDb({ policy, seed: "a seed", log, ...directories });
      const house = { policy, ledger, engine, entropy: core.secureEntropy(), clock: Date.now };
      const texts = Array.from({ length: 16 }, (_, at) => question(at).replace("AS m", "AS other"));
      const answers = texts.map((text) =>
        gateway.answer({ text, principal: "owner", requestId: randomUUID(), options }, house),
      );
      await Promise.all(answers);
      await engine.close();
    },
    async close() {
      await pool.close();
      await ledger.close();
    },
  };
}

/** The longest that the loop stands still while something runs, in ms. */
async function stallOf(run) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  delay.enable();
  await run();
  await new Promise((resolve) => setTimeout(resolve, 20));
  delay.disable();
  return delay.max / 1e6;
}

/** Runs `total` pieces of work, `clients` at a time; returns how many a second, and the time of the slowest hundredth in ms. */
async function rate(clients, total, run) {
  const times = [];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < total) {
        const at = next++;
        const since = performance.now();
        await run(at);
        times.push(performance.now() - since);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  return { rate: total / seconds, p99: times[Math.floor(times.length * 0.99)] };
}
