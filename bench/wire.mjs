// PostgreSQL's protocol of the built `lethe serve`, in a process of its own, by the client pg on loopback: the 534 people of the CPS of 1985, imported.
// wire.connect: a connection over TLS until its first answer, signed in by SCRAM with a token, median in ms (target 20); wire.connect.password: the same with a password; wire.connect.clear: with a token in clear, without TLS. Absent without openssl: the first two.
// The rest is without TLS.
// wire.repeat.rate: answers a second of a question that was answered, by 16 connections (target 1,500); wire.prepared.rate: the same by a prepared statement. wire.count.rate: counts that are charged, each of another question, a second.
// wire.catalog.rate: statements of tools to PostgreSQL's catalog a second, by 8 connections (target 500): each of the 353 that the tests compare with PostgreSQL, in turns; its peer is a PGlite, 59/s. wire.catalog.p99 and .slowest: the slowest hundredth, and the slowest, asked alone, in ms.
// wire.rss: memory of the process at the end, in MB.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { startService } from "../testing/src/serve/service-process.mjs";
import { figure, median } from "./figure.mjs";
import { rate } from "./serve/rate.mjs";
import { catalogStatements } from "./wire/catalog-statements.mjs";
import { makeCpsWorkspace, runLethe } from "./workspace.mjs";

const { Client } = createRequire(new URL("../apps/server/package.json", import.meta.url))("pg");
const options = "-c lethe.epsilon=0.1";
const secret = "a long password of a bench";
const repeated = "SELECT sector, COUNT(*) AS n FROM people GROUP BY sector";

export default async function bench() {
  const workspace = makeCpsWorkspace({ epsilon: "1000000" });
  const { folder } = workspace;
  try {
    const [token] = /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(runLethe(folder, ["people", "add", "ada"])) ?? [];
    await connectBySecret(folder, token);
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

/** Connects over TLS by SCRAM, with a token and with a password. */
async function connectBySecret(folder, token) {
  const [key, certificate] = ["key.pem", "certificate.pem"].map((name) => join(folder, name));
  const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout ${key} -out ${certificate} -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1`;
  if (spawnSync("openssl", made.split(" "), { stdio: "ignore" }).status !== 0) return;
  runLethe(folder, ["people", "password", "ada"], `${secret}\n`);
  const service = await startService(folder, { postgres: true, tls: { certificate, key } });
  const ssl = { ca: readFileSync(certificate, "utf8") };
  const by = (user, password) => async () => {
    const stated = { host: "127.0.0.1", port: service.postgresPort, user, password, ssl };
    const client = new Client({ ...stated, enableChannelBinding: true, scramMaxIterations: 600_000 });
    await client.connect();
    return client;
  };
  const times = await connectTimes(by(token.slice(0, "lethe_".length + 16), token), 100);
  figure("wire.connect", median(times), "ms");
  figure("wire.connect.password", median(await connectTimes(by("ada", secret), 10)), "ms");
  await service.stop();
}

/** The times of so many connections until their first answer, in ms. */
async function connectTimes(connected, turns) {
  const times = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const began = performance.now();
    const client = await connected();
    await client.query("SELECT 1");
    times.push(performance.now() - began);
    await client.end();
  }
  return times;
}

async function measure(connected) {
  figure("wire.connect.clear", median(await connectTimes(connected, 100)), "ms");
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
  await measureCatalog(clients.slice(0, 8));
  for (const client of clients) await client.end();
}

async function measureCatalog(clients) {
  const statements = await catalogStatements(clients[0]);
  const free = [...clients];
  const ask = async (at) => {
    const client = free.pop();
    await client.query(statements[at % statements.length]);
    free.push(client);
  };
  const alone = await rate(1, statements.length, ask);
  figure("wire.catalog.p99", alone.p99, "ms");
  figure("wire.catalog.slowest", alone.slowest, "ms");
  const { rate: value } = await rate(clients.length, 10 * statements.length, ask);
  figure("wire.catalog.rate", value, "1/s", 59);
}
