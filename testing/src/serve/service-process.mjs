import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { bin } from "./workspace.mjs";

const much = "{ burst: 1000000, per_second: 100000 }";
const everyKind = ["ask", "explain", "read", "change", "sign_in"]
  .map((kind) => `  ${kind}: { person: ${much}, address: ${much} }`)
  .join("\n");
const wide = `limits:\n${everyKind}\n`;

/**
 * Starts the built `lethe serve` of a folder in a process of its own, with limits that let everything in; resolves once it is ready.
 * @param options { port (0 for a free one), postgres: whether PostgreSQL's protocol is spoken too, tls: the files { certificate, key } for TLS, with which readiness is not waited for, node: words for Node before the program, env, more: further lines of the configuration, limits: its limits instead }
 */
export async function startService(
  folder,
  { port = 0, postgres = false, tls = null, node = [], env = {}, more = "", limits = wide } = {},
) {
  const files = tls ? `tls: { certificate: ${tls.certificate}, key: ${tls.key} }\n` : "";
  writeFileSync(join(folder, "lethe-serve.yaml"), `version: 1\n${limits}${files}${more}`);
  const began = performance.now();
  const ports = ["--port", String(port), ...(postgres ? ["--postgres-port", "0"] : [])];
  const program = spawn(process.execPath, [...node, bin, "serve", ...ports], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  program.stderr.on("data", (chunk) => {
    told += chunk;
  });
  const ended = new Promise((resolve) => program.once("exit", resolve));
  const isOver = () => program.exitCode !== null || program.signalCode !== null;
  const found = async (pattern) => {
    for (let tries = 0; tries < 6000; tries += 1) {
      const [match] = pattern.exec(told) ?? [];
      if (match) return match;
      if (isOver()) throw new Error(`lethe serve ended: ${told}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`lethe serve does not start: ${told}`);
  };
  const url = await found(/https?:\/\/[\d.]+:\d+/);
  const at = Number(new URL(url).port);
  const wire = postgres ? await found(/postgresql:\/\/[\d.]+:\d+/) : null;
  while (tls === null && (await send({ port: at, method: "GET", path: "/readyz" })).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return {
    url,
    port: at,
    /** The port of PostgreSQL's protocol; null where it is not spoken. */
    postgresPort: wire && Number(new URL(wire).port),
    startedIn: performance.now() - began,
    /** The token that is shown once, where nobody was let in before. */
    firstToken: () => /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(told)?.[0] ?? null,
    isOver,
    pid: program.pid,
    /** Resident memory in MB, as Linux tells it; null elsewhere. */
    rss() {
      try {
        const status = readFileSync(`/proc/${program.pid}/status`, "utf8");
        return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
      } catch {
        return null;
      }
    },
    /** Ends it at once, as a power failure would. */
    async kill() {
      program.kill("SIGKILL");
      await ended;
    },
    async stop() {
      program.kill("SIGTERM");
      await ended;
    },
  };
}

/** Sends a request, and reads its answer: { status, headers, text }. Fails where the connection ends before. */
export function send({ port, agent, method, path, token, headers = {}, body, signal }) {
  const given = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(body ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) } : {}),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, agent, method, path, headers: given, signal },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
