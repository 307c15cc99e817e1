// PostgreSQL's protocol of the built `lethe serve`, in a process of its own, by the client pg on loopback without TLS: the 534 people of the CPS of 1985, imported.
// wire.connect: a connection until its first answer, signed in by a token, median in ms (target 20, with TLS).
// wire.repeat.rate: answers a second of a question that was answered, by 16 connections (target 1,500); wire.prepared.rate: the same by a prepared statement. wire.count.rate: counts that are charged, each of another question, a second.
// wire.rss: memory of the process at the end, in MB.
import { createRequire } from "node:module";
import { startService } from "../testing/src/serve/service-process.mjs";
import { figure, median } from "./figure.mjs";
import { rate } from "./serve/rate.mjs";
import { makeCpsWorkspace, runLethe } from "./workspace.mjs";

const { Client } = createRequire(new URL("../apps/server/package.json", import.meta.url))("pg");
const options = "-c lethe.epsilon=0.1";
const repeated = "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector";

export default async function bench() {
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  const { folder } = workspace;
  try {
    const [token] = /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(runLethe(folder, ["people", "add", "ada"])) ?? [];
    const service = await startService(folder, { postgres: true });
    const connected = async () => {
      const stated = {
        host: "127.0.0.1",
        port: service.postgresPort,
        user: "token",
        password: token,
        options,
      };
      const client = new Client(stated);
      await client.connect();
      return client;
    };
    await measure(connected);
    figure("wire.rss", service.rss(), "MB");
    await service.stop();
  } finally {
    workspace.remove();
  }
}

async function measure(connected) {
  const times = [];
  for (let turn = 0; turn < 100; turn += 1) {
    const began = performance.now();
    const client = await connected();
    await client.query("SELECT 1");
    times.push(performance.now() - began);
    await client.end();
  }
  figure("wire.connect", median(times), "ms");
  const clients = await Promise.all(Array.from({ length: 16 }, connected));
  const free = [...clients];
  const by = async (ask) => {
    const client = free.pop();
    await ask(client);
    free.push(client);
  };
  await by((client) => client.query(repeated));
  const repeat = await rate(16, 10_000, () => by((client) => client.query(repeated)));
  figure("wire.repeat.rate", repeat.rate, "1/s");
  const prepared = { name: "repeated", text: repeated };
  figure(
    "wire.prepared.rate",
    (await rate(16, 10_000, () => by((client) => client.query(prepared)))).rate,
    "1/s",
  );
  const count = (at) => `SELECT COUNT(*) AS n FROM people WHERE wage > ${at / 1000}`;
  figure(
    "wire.count.rate",
    (await rate(16, 400, (at) => by((client) => client.query(count(at))))).rate,
    "1/s",
  );
  for (const client of clients) await client.end();
}
