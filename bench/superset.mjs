// Apache Superset, really started, over PostgreSQL's protocol of the built `lethe serve`: it looks at the table, makes a data set of it and charts a COUNT and an AVG by category, as its page asks. Needs
// `bench/peers/setup superset`. Until the wire answers pg_catalog it ends as it adds the database: what follows has not run yet.
// superset.columns: columns that it found in the catalog (7). superset.chart.rows: bars of the chart (3). superset.charged: charges after the chart was asked for four times (1). superset.chart: milliseconds of a chart that is repeated.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startService } from "../testing/src/serve/service-process.mjs";
import { figure, median } from "./figure.mjs";
import { makeCpsWorkspace, runLethe } from "./workspace.mjs";

const peer = (path) => fileURLToPath(new URL(`peers/${path}`, import.meta.url));
const program = process.env.LETHE_SUPERSET ?? peer(".venv-superset/bin/superset");
const password = randomBytes(12).toString("hex");

export default async function bench() {
  if (!existsSync(program)) {
    console.error("there is no Superset: run bench/peers/setup superset");
    return;
  }
  const home = mkdtempSync(join(tmpdir(), "lethe-superset-"));
  const workspace = makeCpsWorkspace({ epsilon: "1000" });
  let service;
  let superset;
  try {
    const [token] =
      /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(runLethe(workspace.folder, ["people", "add", "ada"])) ?? [];
    service = await startService(workspace.folder, { postgres: true });
    superset = await startSuperset(home);
    await chart(superset, `postgresql+psycopg2://token:${token}@127.0.0.1:${service.postgresPort}/lethe`);
    const report = JSON.parse(runLethe(workspace.folder, ["budget", "--format", "json"]));
    figure("superset.charged", report.charges?.length ?? null, "charges");
  } finally {
    await superset?.stop();
    await service?.stop();
    workspace.remove();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Makes its own database and one user, and starts it; resolves once it answers. */
async function startSuperset(home) {
  const env = {
    ...process.env,
    FLASK_APP: "superset",
    SUPERSET_CONFIG_PATH: peer("superset_config.py"),
    SUPERSET_HOME: home,
    SUPERSET_SECRET_KEY: randomBytes(32).toString("hex"),
  };
  const run = (...words) => {
    const { status, stderr } = spawnSync(program, words, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`superset ${words[0]}: ${stderr.slice(-2000)}`);
  };
  run("db", "upgrade");
  const admin = {
    username: "admin",
    firstname: "A",
    lastname: "B",
    email: "admin@superset.example",
    password,
  };
  run("fab", "create-admin", ...Object.entries(admin).flatMap(([name, value]) => [`--${name}`, value]));
  run("init");
  const port = await freePort();
  const child = spawn(program, ["run", "--host", "127.0.0.1", "--port", String(port)], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  child.stderr.on("data", (chunk) => {
    told = `${told}${chunk}`.slice(-100_000);
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (child.exitCode !== null || tries > 600) throw new Error(`superset does not start: ${told}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function chart({ url }, uri) {
  let bearer = "";
  const call = async (path, json, method = "POST") => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: json === null ? "GET" : method,
      headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
      ...(json === null ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`superset ${path}: ${response.status} ${text.slice(0, 2000)}`);
    return JSON.parse(text);
  };
  const login = { username: "admin", password, provider: "db" };
  bearer = (await call("security/login", login)).access_token;
  const engine = { connect_args: { options: "-c lethe.epsilon=0.5" } };
  const database = await call("database/", {
    database_name: "lethe",
    sqlalchemy_uri: uri,
    expose_in_sqllab: true,
    extra: JSON.stringify({ engine_params: engine }),
  });
  const dataset = await call("dataset/", { database: database.id, schema: "public", table_name: "people" });
  const { result } = await call(`dataset/${dataset.id}`, null);
  figure("superset.columns", result.columns.length, "columns");
  const query = {
    columns: ["sector"],
    metrics: [
      "count",
      { expressionType: "SIMPLE", column: { column_name: "wage" }, aggregate: "AVG", label: "mean" },
    ],
    orderby: [["count", false]],
    row_limit: 1000,
  };
  const ask = () =>
    call("chart/data", {
      datasource: { id: dataset.id, type: "table" },
      force: true,
      queries: [query],
      result_format: "json",
      result_type: "full",
    });
  const first = await ask();
  const [answer] = first.result;
  console.error(answer.query);
  figure("superset.chart.rows", answer.rowcount, "rows");
  const times = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const began = performance.now();
    const again = await ask();
    times.push(performance.now() - began);
    if (JSON.stringify(again.result[0].data) !== JSON.stringify(answer.data))
      throw new Error("a repeat differs");
  }
  figure("superset.chart", median(times), "ms");
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
