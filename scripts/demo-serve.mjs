// npm run demo:serve: a filled service on this machine. The demo's data and policy, people of each role, questions that they asked, and the address
// with what is needed to sign in. It runs until Ctrl-C, and leaves nothing behind.
//   -- --port 8377      listen there instead of on a free port
//   -- --requests 3     stop after so many further requests that were answered
//   -- --log            show the service's log
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { toInit, writePeople } from "./demo/people.mjs";

const bin = fileURLToPath(new URL("../apps/cli/dist/bin.mjs", import.meta.url));
const { values: asked } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    requests: { type: "string" },
    log: { type: "boolean", default: false },
  },
});
const budget = `budget:
  measure: approximate
  epsilon: 5
  delta: 1e-6
  analysts:
    olga: 1
    ada: { epsilon: 2, windows: [{ per: week, epsilon: 1.2 }] }
    bob: { epsilon: 1, delta: 1e-7 }
    agent: 0.5
  projects: { pay-gap: { epsilon: 1.5, analysts: { ada: 1 } } }
`;
/** Who is let in: their role, and whether they sign in on the page. */
const everyone = [
  { name: "olga", role: "owner", page: true, says: "sees and changes everything" },
  { name: "ada", role: "analyst", page: true, says: "has asked three questions" },
  { name: "bob", role: "analyst", page: false, says: "has asked one, which took half of what may be spent" },
  {
    name: "agent",
    role: "analyst",
    page: false,
    more: ["--max-epsilon", "0.2"],
    says: "pays at most ε 0.2 a question",
  },
  { name: "max", role: "auditor", page: false, says: "reads certificates and budgets" },
  { name: "eve", role: "operator", page: false, says: "reads metrics" },
];
const questions = [
  [
    "ada",
    {
      sql: "SELECT sector, COUNT(*) AS people, AVG(wage) AS wage FROM people GROUP BY sector",
      epsilon: "0.5",
    },
  ],
  [
    "ada",
    {
      sql: "SELECT gender, AVG(wage) AS wage FROM people GROUP BY gender",
      epsilon: "0.4",
      project: "pay-gap",
    },
  ],
  ["ada", { sql: "SELECT COUNT(*) AS people FROM people WHERE education >= 16", epsilon: "0.1" }],
  ["bob", { sql: "SELECT MEDIAN(wage) AS wage FROM people", epsilon: "0.5" }],
  ["agent", { sql: "SELECT COUNT(*) AS people FROM people", epsilon: "0.1" }],
];

const folder = mkdtempSync(join(tmpdir(), "lethe-demo-serve-"));
let service = null;
let stopping = false;

/** Stops the service, which answers what is in flight, and removes the folder. */
function stop() {
  stopping = true;
  if (service === null) end(0);
  else service.kill("SIGTERM");
}

function end(status) {
  rmSync(folder, { recursive: true, force: true });
  process.exit(status);
}

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);

/** Runs one command as an owner would, and returns what it printed. */
function lethe(words, input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    cwd: folder,
    encoding: "utf8",
    input,
  });
  if (status === 0) return stdout;
  console.error(`demo:serve: lethe ${words.join(" ")} failed\n${stderr}`);
  return end(1);
}

console.log("Making a policy, its ledger and a snapshot of 534 people's wages, and letting six people in …");
writePeople(folder);
lethe(toInit);
const policy = join(folder, "lethe.yaml");
writeFileSync(policy, readFileSync(policy, "utf8").replace(/^budget: .*\n/m, budget));
lethe(["budget", "apply", "--yes", "--reason", "the demo"]);
lethe(["import", "people.csv"]);
const passes = new Map();
for (const { name, role, page, more = [] } of everyone) {
  const told = lethe(["people", "add", name, "--role", role, "--days", "1", ...more]);
  const password = page ? randomBytes(15).toString("base64url") : null;
  if (password !== null) lethe(["people", "password", name], password);
  passes.set(name, { token: /lethe_\S+/.exec(told)?.[0], password });
}
if (stopping) end(0);

// A group of its own: Ctrl-C reaches this program alone, which then stops the service in order.
service = spawn(process.execPath, [bin, "serve", "--port", asked.port], { cwd: folder, detached: true });
service.on("exit", (status) => end(stopping ? 0 : (status ?? 1)));
// The lines of the log come when they come: those of the demo's own questions are counted too.
let logged = 0;
let last = Number.POSITIVE_INFINITY;
createInterface({ input: service.stdout }).on("line", (line) => {
  if (asked.log) console.log(line);
  const { route, status } = JSON.parse(line);
  if (!route.startsWith("/v1/") || status >= 300) return;
  logged += 1;
  if (logged === last) stop();
});
const url = await new Promise((resolve) => {
  createInterface({ input: service.stderr }).on("line", (line) => {
    if (asked.log || line.startsWith("error")) console.error(line);
    const [, at] = /^Lethe answers at (\S+)$/.exec(line) ?? [];
    if (at !== undefined) resolve(at);
  });
});
while ((await fetch(`${url}/readyz`)).status !== 200)
  await new Promise((resolve) => setTimeout(resolve, 100));
let answered = 0;
for (const [name, question] of questions) {
  const headers = { authorization: `Bearer ${passes.get(name).token}`, "content-type": "application/json" };
  const { status } = await fetch(`${url}/v1/query`, {
    method: "POST",
    headers,
    body: JSON.stringify(question),
  });
  if (status < 300) answered += 1;
}
if (asked.requests !== undefined) last = answered + Number(asked.requests);

const lines = everyone.map(({ name, role, says }) => {
  const { token, password } = passes.get(name);
  const pass = password === null ? "" : `\n      password  ${password}`;
  return `  ${name}, ${role}: ${says}${pass}\n      token     ${token}`;
});
console.log(`
Lethe answers at ${url}

Open it, and sign in as ada or olga. Programs send a token:
  curl -H "Authorization: Bearer TOKEN" ${url}/v1/budget
Agents that speak the model context protocol send it to ${url}/mcp

${lines.join("\n")}

Tokens and passwords are shown once, here, and end with this program: Ctrl-C stops it and removes everything.`);
