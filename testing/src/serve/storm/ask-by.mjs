import { spawn } from "node:child_process";
import { createRequire } from "node:module";

const { Client } = createRequire(new URL("../../../../apps/server/package.json", import.meta.url))("pg");

/*
 * One question by one protocol. Each resolves with { outcome: "answered", id, rows }, { outcome: "refused" } where the budget had no room, or { outcome: "unknown" } where no answer came or the service could not
 * give one now. Anything else is an error: the storm asks nothing that may be refused otherwise.
 */

/** Flat rows, as every protocol can tell them: an estimate is its value and the ends of its interval. */
export const rowsOf = ({ rows }) =>
  JSON.stringify(
    rows.map((row) => Object.values(row).flatMap((cell) => [cell.value, cell.lower, cell.upper])),
  );
const unknown = { outcome: "unknown" };
const epsilonOf = (price) => `${price}/4`;

/** What may pass later, or failed on the way. */
const passing = new Set(["serve.busy", "serve.worker", "engine.failed", "ledger.busy", "ledger.unavailable"]);

function refusalOf(code, told) {
  if (code === "ledger.budget") return { outcome: "refused" };
  if (passing.has(code)) return { ...unknown, code };
  throw new Error(`a question was refused: ${told}`);
}

/** Asks over HTTP, by JSON. */
export async function overHttp(send, { text, price, project, key }, { token, signal }) {
  const body = JSON.stringify({
    sql: text,
    epsilon: epsilonOf(price),
    acceptUninformative: true,
    ...(project === null ? {} : { project }),
  });
  const headers = key === null ? {} : { "idempotency-key": key };
  const answer = await send({ method: "POST", path: "/v1/query", token, body, headers, signal }).catch(
    () => null,
  );
  if (answer === null) return unknown;
  const told = JSON.parse(answer.text);
  if (answer.status !== 200) return refusalOf(told.code, answer.text);
  return { outcome: "answered", id: told.answer.requestId, rows: rowsOf(told.answer) };
}

/** Asks by the model context protocol. */
export async function overMcp(send, { text, price, project, key }, { token, signal }) {
  const asked = {
    sql: text,
    epsilon: epsilonOf(price),
    ...(project === null ? {} : { project }),
    ...(key === null ? {} : { idempotency_key: key }),
  };
  const params = { name: "query", arguments: asked };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { accept: "application/json, text/event-stream" };
  const answer = await send({ method: "POST", path: "/mcp", token, body, headers, signal }).catch(() => null);
  if (answer === null || answer.text === "") return unknown;
  if (answer.status !== 200) throw new Error(`the protocol answered ${answer.status}: ${answer.text}`);
  const line = answer.text.split("\n").find((each) => each.startsWith("data: "));
  const { result, error } = JSON.parse(line ? line.slice(6) : answer.text);
  if (error) throw new Error(`the protocol answered ${JSON.stringify(error)}`);
  const told = JSON.parse(result.content[0].text);
  if (result.isError) return refusalOf(told.code, result.content[0].text);
  return { outcome: "answered", id: told.requestId, rows: rowsOf(told) };
}

/** Asks by PostgreSQL's protocol, on a connection of its own; a client that leaves ends it. */
export async function overWire(port, { text, price, project }, { token, signal }) {
  const options = `-c lethe.epsilon=${epsilonOf(price)}${project === null ? "" : ` -c lethe.project=${project}`}`;
  const client = new Client({ host: "127.0.0.1", port, user: "token", password: token, options });
  const leave = () => client.connection.stream.destroy();
  signal.addEventListener("abort", leave);
  let id;
  client.on("error", () => undefined);
  client.on("notice", ({ message }) => {
    id ??= /request ([\w-]+)/.exec(message)?.[1];
  });
  try {
    await client.connect();
    const { rows } = await client.query({ text, rowMode: "array" });
    return { outcome: "answered", id, rows: JSON.stringify(rows) };
  } catch (error) {
    // PostgreSQL's routine is the code; a connection that ended has none.
    if (error.severity === undefined || error.code?.startsWith("08") || error.code?.startsWith("57"))
      return unknown;
    return refusalOf(error.routine, `${error.message} (${error.routine})`);
  } finally {
    signal.removeEventListener("abort", leave);
    leave();
  }
}

/** Asks by `lethe query` in a process of its own, on the same ledger; it is killed where `leavesMs` is a number. */
export function byCommand({ node, bin, folder, env }, { principal, text, price, project }, leavesMs) {
  const words = [
    ...node,
    bin,
    "query",
    text,
    "--as",
    principal,
    "--epsilon",
    epsilonOf(price),
    "--format",
    "json",
  ];
  if (project !== null) words.push("--project", project);
  return new Promise((resolve, reject) => {
    const program = spawn(process.execPath, words, { cwd: folder, env: { ...process.env, ...env } });
    let [out, error] = ["", ""];
    program.stdout.on("data", (chunk) => {
      out += chunk;
    });
    program.stderr.on("data", (chunk) => {
      error += chunk;
    });
    const timer = leavesMs === null ? null : setTimeout(() => program.kill("SIGKILL"), leavesMs);
    program.on("close", (code) => {
      clearTimeout(timer);
      if (code === null) return resolve(unknown);
      try {
        if (code !== 0)
          return resolve(
            refusalOf(/"?code"?:? "?([a-z]+\.[a-z-]+)/.exec(`${error}${out}`)?.[1], `${error}${out}`),
          );
        const { answer } = JSON.parse(out);
        resolve({ outcome: "answered", id: answer.requestId, rows: rowsOf(answer) });
      } catch (failure) {
        reject(failure);
      }
    });
  });
}
