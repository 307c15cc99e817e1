import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** Superset's program: that of `bench/peers/setup superset`, or of $LETHE_SUPERSET. */
export const program =
  process.env.LETHE_SUPERSET ??
  fileURLToPath(new URL("../peers/.venv-superset/bin/superset", import.meta.url));
const config = fileURLToPath(new URL("../peers/superset_config.py", import.meta.url));

/**
 * Makes Superset's own database in a folder, with one user who is signed in, and starts it on loopback; resolves once it answers.
 * @returns call(path, json): what a path under /api/v1 or /datasource answers, as { status, body }; GET where there is no json · stop()
 */
export async function startSuperset(home) {
  const password = randomBytes(12).toString("hex");
  const env = {
    ...process.env,
    FLASK_APP: "superset",
    SUPERSET_CONFIG_PATH: config,
    SUPERSET_HOME: home,
    SUPERSET_SECRET_KEY: randomBytes(32).toString("hex"),
  };
  const run = (...words) => {
    const { status, stderr } = spawnSync(program, words, { env, encoding: "utf8" });
    if (status !== 0) throw new Error(`superset ${words[0]}: ${stderr.slice(-2000)}`);
  };
  run("db", "upgrade");
  const admin = { username: "admin", firstname: "A", lastname: "B", email: "admin@superset.example" };
  const words = Object.entries({ ...admin, password }).flatMap(([name, value]) => [`--${name}`, value]);
  run("fab", "create-admin", ...words);
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
  const headers = { "content-type": "application/json" };
  const call = async (path, json) => {
    const sent = json === undefined ? {} : { method: "POST", body: JSON.stringify(json) };
    const response = await fetch(`${url}${path}`, { ...sent, headers });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  };
  const { body } = await call("/api/v1/security/login", { username: "admin", password, provider: "db" });
  headers.authorization = `Bearer ${body.access_token}`;
  return {
    call,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
