// Over HTTP, by the built `lethe serve` in a process of its own, and clients that keep their connections: the 534 people of the CPS of 1985, imported.
// serve.start: until /readyz says so, in ms (target 1,500). serve.rss: memory of that process at the end, in MB (target 250); serve.rss.unit: the same in the environment of deploy/lethe-serve.service, after a shorter load.
// serve.explain.fresh.rate, serve.explain.rate, serve.explain.p99: explanations a second, each of another question (target 100), and of one asked again (2,000); the slowest hundredth of all in ms (50).
// serve.count.rate, serve.count.p99: counts that are charged, each of another question, a second, by 16 who wait for theirs (150); and the time of the slowest hundredth, in ms (250).
// serve.repeat.rate: answers a second of a question that was answered (2,000). serve.clients.N.rate: the same by 1, 16, 64 and 256 clients.
// serve.door.*: the same in this process, over worker threads and DuckDB, without a protocol. serve.stall: the longest that the main thread's loop stands still while 16 medians are asked at
// once, in ms (target 50). Peer: the same questions by a house of this thread, as lethe query asks them.
// serve.clients.N.count.rate and .p99: counts that are charged, by as many. serve.count.after-slot.p99: under a release_schedule of 1 s, how long after its slot the slowest hundredth of answers is there, in ms (250).
// serve.reserve.N: one charge and its settlement in a ledger with N analysts, median in ms; its ratio is to the ledger with 10 (target at 5,000: 10 ms).
// --workers N: the threads of the door (one more than cores, unless stated). --only http, --only door, --only reserve: one part.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { figure } from "./figure.mjs";
import { benchOverHttp } from "./serve/over-http.mjs";
import { rate } from "./serve/rate.mjs";
import { benchReserve } from "./serve/reserve.mjs";
import { makeCpsWorkspace } from "./workspace.mjs";

const owner = { principal: "owner" };
const median = (at) => `SELECT MEDIAN(wage) AS m FROM people WHERE education > ${at}`;
const count = (at) => `SELECT COUNT(*) AS n FROM people WHERE wage > ${(at % 59_000) / 1000}`;

export default async function bench(options) {
  const only = options.includes("--only") ? options[options.indexOf("--only") + 1] : null;
  const takes = (part) => only === null || only === part;
  if (takes("reserve")) await benchReserve();
  if (takes("http")) await benchOverHttp();
  if (takes("door")) await benchDoor(options);
}

async function benchDoor(options) {
  const place = options.indexOf("--workers");
  const size = place < 0 ? availableParallelism() + 1 : Number(options[place + 1]);
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  const service = await openService(workspace.folder, size);
  try {
    figure("serve.door.start", service.startedIn, "ms");
    const stalled = await stallOf(() =>
      Promise.all(Array.from({ length: 16 }, (_, at) => service.ask(median(at)))),
    );
    figure("serve.stall", stalled, "ms", await stallOf(() => service.alone(median)));
    const fresh = await rate(16, 400, (at) => service.explain(count(100_000 + at)));
    figure("serve.door.explain.fresh.rate", fresh.rate, "1/s");
    figure("serve.door.explain.p99", fresh.p99, "ms");
    figure(
      "serve.door.explain.rate",
      (await rate(16, 5000, () => service.explain(count(100_000)))).rate,
      "1/s",
    );
    const counts = await rate(16, 600, (at) => service.ask(count(at)));
    figure("serve.door.count.rate", counts.rate, "1/s");
    figure("serve.door.count.p99", counts.p99, "ms");
    figure("serve.door.repeat.rate", (await rate(16, 5000, () => service.ask(count(1)))).rate, "1/s");
    figure("serve.door.rss", process.memoryUsage().rss / 2 ** 20, "MiB");
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
