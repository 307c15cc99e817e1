import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startService } from "../service-process.mjs";
import { moveLedgerTo } from "./move-ledger-to.mjs";
import { newDatabase } from "./new-database.mjs";
import { roundRobin } from "./round-robin.mjs";

/** The line of a configuration that names the service's database by its variable. */
export const stored = "store: { kind: postgres, url_env: LETHE_SERVICE_URL }\n";

/**
 * Returns what starts `size` processes of one service over a server of PostgreSQL, behind one address, as `startService` starts one: `kill` and `stop` end one of them, and the next start replaces it. Also: `prepare(folder)`, before anything else of the service, and `close()`,
 * which ends all.
 * @param options { ledger: where its records lie, "a file" or "PostgreSQL", in a database of their own on the same server }
 */
export async function makeCluster(server, size, random, { ledger = "a file" } = {}) {
  process.env.LETHE_SERVICE_URL = await newDatabase(server);
  const nodes = new Array(size).fill(null);
  const ports = new Array(size).fill(0);
  const wirePorts = new Array(size).fill(0);
  const [http, wire] = [await roundRobin(ports), await roundRobin(wirePorts)];
  // What browsers and agents call the service.
  const more = `${stored}origin: http://127.0.0.1:${http.port}\n`;
  const one = () => nodes[Math.floor(random() * size)];
  return {
    async prepare(folder) {
      writeFileSync(join(folder, "lethe-serve.yaml"), `version: 1\n${stored}`);
      if (ledger === "PostgreSQL") await moveLedgerTo(server, folder);
    },
    async start(folder, { port: _, ...options } = {}) {
      const missing = [...nodes.keys()].filter((at) => nodes[at] === null || nodes[at].isOver());
      await Promise.all(
        missing.map(async (at) => {
          nodes[at] = await startService(folder, { ...options, postgres: true, more });
          ports[at] = nodes[at].port;
          wirePorts[at] = nodes[at].postgresPort;
        }),
      );
      return {
        port: http.port,
        postgresPort: wire.port,
        kill: () => one().kill(),
        stop: () => one().stop(),
      };
    },
    async close() {
      await Promise.all(nodes.map((node) => (node === null || node.isOver() ? null : node.stop())));
      await http.close();
      await wire.close();
    },
  };
}
