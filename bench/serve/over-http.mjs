import { appendFileSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { send, startService } from "../../testing/src/serve/service-process.mjs";
import { figure } from "../figure.mjs";
import { makeCpsWorkspace } from "../workspace.mjs";
import { rate } from "./rate.mjs";

const count = (at) => `SELECT COUNT(*) AS n FROM people WHERE wage > ${(at % 59_000) / 1000}`;

/** The environment that the systemd unit gives the service. */
function environment() {
  const unit = readFileSync(new URL("../../deploy/lethe-serve.service", import.meta.url), "utf8");
  return Object.fromEntries([...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, ...set]) => set));
}

/** Starts the built service in a folder, with clients that keep their connections. */
async function openService(folder, env = {}) {
  const { port, startedIn, firstToken, rss, stop } = await startService(folder, { env });
  const token = firstToken();
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const post = async (path, stated) => {
    const body = JSON.stringify({ epsilon: "0.1", acceptUninformative: true, ...stated });
    const { status, text } = await send({ port, agent, method: "POST", path, token, body });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return text;
  };
  return {
    startedIn,
    rss,
    explain: (sql) => post("/v1/explain", { sql }),
    ask: (sql) => post("/v1/query", { sql }),
    /** The requests so far: { requestId, at }. */
    async requests() {
      const items = [];
      for (let before = ""; before !== null; ) {
        const path = `/v1/releases?limit=200${before === "" ? "" : `&before=${before}`}`;
        const page = JSON.parse((await send({ port, agent, method: "GET", path, token })).text);
        items.push(...page.items);
        before = page.before;
      }
      return items;
    },
    async close() {
      agent.destroy();
      await stop();
    },
  };
}

/** Measures the service as its clients see it. */
export async function benchOverHttp() {
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  const service = await openService(workspace.folder);
  try {
    figure("serve.start", service.startedIn, "ms");
    const fresh = await rate(16, 600, (at) => service.explain(count(100_000 + at)));
    figure("serve.explain.fresh.rate", fresh.rate, "1/s");
    const again = await rate(16, 10_000, () => service.explain(count(100_000)));
    figure("serve.explain.rate", again.rate, "1/s");
    figure("serve.explain.p99", again.p99, "ms");
    figure("serve.explain.fresh.p99", fresh.p99, "ms");
    const counts = await rate(16, 1000, (at) => service.ask(count(at)));
    figure("serve.count.rate", counts.rate, "1/s");
    figure("serve.count.p99", counts.p99, "ms");
    figure("serve.repeat.rate", (await rate(16, 10_000, () => service.ask(count(1)))).rate, "1/s");
    let next = 2000;
    for (const clients of [1, 4, 16, 64, 256]) {
      const repeats = await rate(clients, 5000, () => service.ask(count(1)));
      figure(`serve.clients.${clients}.rate`, repeats.rate, "1/s");
      const counts = await rate(clients, Math.max(100, 3 * clients), () => service.ask(count(next++)));
      figure(`serve.clients.${clients}.count.rate`, counts.rate, "1/s");
      figure(`serve.clients.${clients}.count.p99`, counts.p99, "ms");
    }
    figure("serve.rss", service.rss(), "MB");
  } finally {
    await service.close();
    workspace.remove();
  }
  await benchSlots();
  await benchInUnit();
}

/** Measures the memory of the service in the environment of the unit and the container, after a load of each kind of question. */
async function benchInUnit() {
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  const service = await openService(workspace.folder, environment());
  try {
    await rate(16, 600, (at) => service.explain(count(100_000 + at)));
    await rate(16, 10_000, () => service.explain(count(100_000)));
    await rate(16, 1000, (at) => service.ask(count(at)));
    for (const clients of [16, 64, 256]) await rate(clients, 5000, () => service.ask(count(1)));
    figure("serve.rss.unit", service.rss(), "MB");
  } finally {
    await service.close();
    workspace.remove();
  }
}

/** The time that each statement is given, in ms. */
const each = 1000;

/** Measures how long after its slot an answer is there: the slot follows from the moment of the charge and from the statements that the certificate states. */
async function benchSlots() {
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  appendFileSync(join(workspace.folder, "lethe.yaml"), `\nrelease_schedule: ${each}ms\n`);
  const service = await openService(workspace.folder);
  try {
    const arrived = new Map();
    await rate(16, 320, async (at) => {
      const { certificate } = JSON.parse(await service.ask(count(at)));
      const { schedule, requestId } = certificate;
      if (!schedule) throw new Error("the certificate states no schedule");
      arrived.set(requestId, Date.now() - schedule.each * schedule.statements);
    });
    // The moment of a charge is that of its record, a little before it was durable and the slot was set.
    const charged = await service.requests();
    const after = charged.map(({ requestId, at }) => arrived.get(requestId) - Date.parse(at));
    after.sort((a, b) => a - b);
    figure("serve.count.after-slot.p99", after[Math.floor(after.length * 0.99)], "ms");
    figure("serve.count.after-slot.least", after[0], "ms");
  } finally {
    await service.close();
    workspace.remove();
  }
}
