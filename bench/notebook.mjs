// The programs of docs/how-to/connect/jupyter.md as the cells of a notebook, run in Jupyter's own kernel against PostgreSQL's protocol of the built `lethe serve`, over TLS. Needs `bench/peers/setup jupyter` and openssl.
// notebook.cells: cells that ran (3). notebook.shown: cells that show an answer (3). notebook.differs: numbers by pandas and by Arrow that are not those of psycopg (0). notebook.charged: charges of it all (1).
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startService } from "../testing/src/serve/service-process.mjs";
import { figure } from "./figure.mjs";
import { makeCpsWorkspace, runLethe } from "./workspace.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const python = process.env.LETHE_JUPYTER ?? at("peers/.venv-jupyter/bin/python");
const compared = `import json
print(json.dumps([[row[1] for row in connection.execute("SELECT sector, AVG(wage) AS mean FROM people GROUP BY sector")], frame["mean"].tolist(), table.column("mean").to_pylist()]))`;

export default async function bench() {
  if (!existsSync(python)) {
    console.error("there is no Jupyter: run bench/peers/setup jupyter");
    return;
  }
  const { folder, remove } = makeCpsWorkspace({ epsilon: "1000" });
  let service;
  try {
    const [token] = /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(runLethe(folder, ["people", "add", "ada"])) ?? [];
    const [key, certificate] = ["key.pem", "ca.pem"].map((name) => join(folder, name));
    const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout ${key} -out ${certificate} -subj /CN=localhost -addext subjectAltName=DNS:localhost`;
    if (spawnSync("openssl", made.split(" "), { stdio: "ignore" }).status !== 0)
      throw new Error("openssl makes no certificate");
    service = await startService(folder, { postgres: true, tls: { certificate, key } });
    const page = readFileSync(at("../docs/how-to/connect/jupyter.md"), "utf8");
    const cells = [...page.matchAll(/^```python\n(.*?)^```/gms)].map(([, program]) =>
      program.replaceAll("lethe.example", "localhost").replaceAll("5432", String(service.postgresPort)),
    );
    const { status, stdout, stderr } = spawnSync(python, [at("peers/run_notebook.py")], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, LETHE_TOKEN: token },
      input: JSON.stringify([...cells, compared]),
    });
    if (status !== 0) throw new Error(`the notebook failed: ${stderr.slice(-3000)}`);
    const outputs = JSON.parse(stdout.trim().split("\n").at(-1));
    const last = outputs.pop();
    console.error(outputs.map((shown) => JSON.stringify(shown).slice(0, 500)).join("\n"));
    figure("notebook.cells", outputs.length, "cells");
    const isShown = (shown) => shown.some(({ output_type: kind }) => kind === "execute_result");
    figure("notebook.shown", outputs.filter(isShown).length, "cells");
    const [first, ...others] = JSON.parse(
      last
        .find(({ name }) => name === "stdout")
        .text.trim()
        .split("\n")
        .at(-1),
    );
    const differing = others.flatMap((values) => first.filter((value, place) => values[place] !== value));
    figure("notebook.differs", differing.length, "numbers");
    const report = JSON.parse(runLethe(folder, ["budget", "--format", "json"]));
    figure("notebook.charged", report.charges.length, "charges");
  } finally {
    await service?.stop();
    remove();
  }
}
