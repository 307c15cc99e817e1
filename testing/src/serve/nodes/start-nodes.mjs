import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { send, startService } from "../service-process.mjs";
import { makeWorkspace, runLethe } from "../workspace.mjs";
import { moveLedgerTo } from "./move-ledger-to.mjs";
import { newDatabase } from "./new-database.mjs";
import { roundRobin } from "./round-robin.mjs";
import { stored } from "./start-cluster.mjs";

const people = `wage,education\n${Array.from({ length: 600 }, (_, at) => `${(at * 7) % 60}.5,${at % 21}`).join("\n")}\n`;
const tokenIn = (text) => /lethe_[0-9a-f]{16}_[\w-]{43}/.exec(text)?.[0];

/**
 * Makes a folder with data, policy and a ledger, and an empty database on a server for a service of several processes: { folder, env, tokens, start(options), close() }.
 * @param options { names: the analysts, policy: changes its text, ledger: where its records lie, "a file" or "PostgreSQL", in a database of their own on the same server }
 */
export async function makeNodes(
  server,
  { names = ["ann", "ben"], policy = (text) => text, ledger = "a file" } = {},
) {
  const env = { LETHE_SERVICE_URL: await newDatabase(server) };
  const workspace = makeWorkspace(people, [
    ...["--bounds", "wage=0..60", "--bounds", "education=int:0..20"],
    ...["--measure", "pure", "--epsilon", "1000", "--delta", "0"],
  ]);
  const { folder } = workspace;
  const path = join(folder, "lethe.yaml");
  writeFileSync(path, policy(readFileSync(path, "utf8")));
  if (ledger === "PostgreSQL") await moveLedgerTo(server, folder);
  Object.assign(process.env, env);
  writeFileSync(join(folder, "lethe-serve.yaml"), `version: 1\n${stored}`);
  const tokens = {};
  for (const name of names) tokens[name] = tokenIn(runLethe(folder, ["people", "add", name]));
  tokens.owner = tokenIn(runLethe(folder, ["people", "add", "boss", "--role", "owner"]));
  const started = [];
  return {
    folder,
    env,
    tokens,
    async start(options = {}) {
      const node = await startService(folder, {
        ...options,
        more: stored,
        env: { ...env, ...options.env },
      });
      started.push(node);
      return node;
    },
    /** One address before all nodes. */
    behind: (nodes) => roundRobin(nodes.map(({ port }) => port)),
    async close() {
      for (const node of started) if (!node.isOver()) await node.stop();
      workspace.remove();
    },
  };
}

/** Asks a question over HTTP; returns { status, text, told }. */
export async function asks(port, token, sql, { key = null, epsilon = "1/4" } = {}) {
  const body = JSON.stringify({ sql, epsilon, acceptUninformative: true });
  const headers = key === null ? {} : { "idempotency-key": key };
  const { status, text } = await send({ port, method: "POST", path: "/v1/query", token, body, headers });
  return { status, text, told: JSON.parse(text) };
}
