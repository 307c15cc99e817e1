import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { figure } from "../figure.mjs";
import { bin, makeCpsWorkspace } from "../workspace.mjs";
import { rate } from "./rate.mjs";

const much = "{ burst: 1000000, per_second: 100000 }";
const everyKind = ["ask", "explain", "read", "change", "sign_in"]
  .map((kind) => `  ${kind}: { person: ${much}, address: ${much} }`)
  .join("\n");
const configuration = `version: 1\nlimits:\n${everyKind}\n`;

const count = (at) => `SELECT COUNT(*) AS n FROM people WHERE wage > ${(at % 59_000) / 1000}`;

/** Starts the built service in a folder; resolves once it is ready. */
async function startService(folder) {
  writeFileSync(join(folder, "lethe-serve.yaml"), configuration);
  const began = performance.now();
  const process_ = spawn(process.execPath, [bin, "serve", "--port", "0"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  process_.stderr.on("data", (chunk) => {
    told += chunk;
  });
  const found = async (pattern) => {
    for (let tries = 0; tries < 3000; tries += 1) {
      const [match] = pattern.exec(told) ?? [];
      if (match) return match;
      if (process_.exitCode !== null) throw new Error(`lethe serve ended: ${told}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`lethe serve does not start: ${told}`);
  };
  const url = await found(/http:\/\/[\d.]+:\d+/);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const send = (method, path, { token, body } = {}) =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) } : {}),
      };
      const sent = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode, text }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  while ((await send("GET", "/readyz")).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const startedIn = performance.now() - began;
  const token = await found(/lethe_[0-9a-f]{16}_[\w-]{43}/);
  const post = async (path, stated) => {
    const body = JSON.stringify({ epsilon: "0.1", acceptUninformative: true, ...stated });
    const { status, text } = await send("POST", path, { token, body });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return text;
  };
  return {
    startedIn,
    explain: (sql) => post("/v1/explain", { sql }),
    ask: (sql) => post("/v1/query", { sql }),
    /** Resident memory in MB, as Linux tells it; null elsewhere. */
    rss() {
      try {
        const status = readFileSync(`/proc/${process_.pid}/status`, "utf8");
        return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
      } catch {
        return null;
      }
    },
    async close() {
      agent.destroy();
      const ended = new Promise((resolve) => process_.once("exit", resolve));
      process_.kill("SIGTERM");
      await ended;
    },
  };
}

/** Measures the service as its clients see it. */
export async function benchOverHttp() {
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  const service = await startService(workspace.folder);
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
}

/** The time that each statement is given, in ms. */
const each = 1000;

/** Measures how long after its slot an answer is there: the slot follows from the certificate, which states when the charge was made and how many statements the plan has. */
async function benchSlots() {
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  appendFileSync(join(workspace.folder, "lethe.yaml"), `\nrelease_schedule: ${each}ms\n`);
  const service = await startService(workspace.folder);
  try {
    const after = [];
    await rate(16, 320, async (at) => {
      const { certificate } = JSON.parse(await service.ask(count(at)));
      const { schedule } = certificate;
      if (!schedule) throw new Error("the certificate states no schedule");
      after.push(Date.now() - (Date.parse(certificate.at) + schedule.each * schedule.statements));
    });
    after.sort((a, b) => a - b);
    figure("serve.count.after-slot.p99", after[Math.floor(after.length * 0.99)], "ms");
    figure("serve.count.after-slot.least", after[0], "ms");
  } finally {
    await service.close();
    workspace.remove();
  }
}
