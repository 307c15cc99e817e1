import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { askAs } from "./ask.mjs";
import { loopback, writeConfig } from "./config.mjs";
import { isFetched, javaProgram, serverFolder, trinoHome } from "./home.mjs";

/** A coordinator that also works takes 1.5 GiB of heap, and so does a worker; a coordinator that does not takes 1 GiB. */
const heaps = { works: 1536, coordinates: 1024 };

/**
 * Starts a Trino of its own on this machine's loopback, its tables below a folder that goes with it. Without workers the coordinator works too.
 * `extra` are settings of every node, `coordinators` of the coordinator alone. The nodes end when `stop` is called, and when this process ends, however it ends.
 * @returns url · port · nodes: the process of each node, the coordinator first · revive(at): starts the node of this place again, whose process is another then · stop()
 * @example const trino = await startTrino({ workers: 2 }); … await trino.stop();
 */
export async function startTrino({
  workers = 0,
  port,
  heapMiB,
  warehouse,
  extra = {},
  coordinators = {},
  limitMs = 240_000 * (1 + workers),
} = {}) {
  const home = trinoHome();
  if (!isFetched(home)) throw new Error("Trino was not fetched: npm run trino:get");
  const folder = mkdtempSync(join(tmpdir(), "lethe-trino-"));
  const nodes = [];
  const stop = async () => {
    await Promise.all(nodes.map(({ process }) => process.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const coordinator = port ?? (await freePort());
    const url = `http://${loopback}:${coordinator}`;
    for (let at = 0; at <= workers; at += 1) {
      const isCoordinator = at === 0;
      const works = !isCoordinator || workers === 0;
      const own = {
        folder: join(folder, `node-${at}`),
        warehouse: warehouse ?? join(folder, "warehouse"),
        server: serverFolder(home),
        port: isCoordinator ? coordinator : await freePort(),
        discovery: url,
        isCoordinator,
        works,
        heapMiB: heapMiB ?? (works ? heaps.works : heaps.coordinates),
        extra: isCoordinator ? { ...extra, ...coordinators } : extra,
      };
      const start = () => spawnNode(javaProgram(home), writeConfig(own), own.folder);
      nodes.push({ url: `http://${loopback}:${own.port}`, start, process: start() });
    }
    const isReady = () => ready(url, Math.max(workers, 1), nodes, limitMs);
    await isReady();
    const pids = await Promise.all(nodes.map(({ process }) => process.pid));
    const revive = async (at) => {
      await nodes[at].process.stop();
      nodes[at].process = nodes[at].start();
      pids[at] = await nodes[at].process.pid;
      await isReady();
    };
    return { url, port: coordinator, nodes: pids, revive, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A node ends with its standard input: when it is closed, and when the process that holds it dies. The first line that the watching shell prints is the node's own process. */
function spawnNode(java, words, folder) {
  const watch =
    '"$@" 1>&2 & node=$!; echo $node; while read -r _; do :; done; kill -KILL $node; wait $node; exit 0';
  const shell = spawn("sh", ["-c", watch, "sh", java, ...words], {
    cwd: folder,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  let ended = false;
  const gone = new Promise((resolve) => shell.once("exit", resolve)).then(() => {
    ended = true;
  });
  const pid = new Promise((resolve) => shell.stdout.once("data", (line) => resolve(Number(String(line)))));
  shell.stderr.setEncoding("utf8").on("data", (text) => {
    said = (said + text).slice(-20_000);
  });
  shell.stdin.on("error", () => undefined);
  return {
    pid,
    hasEnded: () => ended,
    said: () => said,
    stop: async () => {
      shell.stdin.end();
      await gone;
    },
  };
}

/** Waits until every node answers and the coordinator knows of so many that work. */
async function ready(url, working, nodes, limitMs) {
  const last = Date.now() + limitMs;
  for (;;) {
    const dead = nodes.find(
      ({ process }) => process.hasEnded() || / ERROR\t.*Errors: |^ERROR: /m.test(process.said()),
    );
    if (dead) throw new Error(`a node of Trino ended: ${dead.process.said().slice(-3000)}`);
    if (Date.now() > last) throw new Error(`Trino was not there after ${limitMs / 1000} s`);
    const started = await Promise.all(nodes.map((node) => isStarted(node.url)));
    if (started.every(Boolean) && (await countNodes(url)) >= working) return;
    await pause(300);
  }
}

async function isStarted(url) {
  try {
    const { starting } = await (await fetch(`${url}/v1/info`)).json();
    return starting === false;
  } catch {
    return false;
  }
}

/** Counts the nodes that a query would be split over; none while the coordinator cannot say. */
async function countNodes(url) {
  const working =
    "SELECT count(*) FROM system.runtime.nodes WHERE state = 'active' AND (NOT coordinator OR (SELECT count(*) FROM system.runtime.nodes) = 1)";
  const [[count]] = await askAs("owner", url, working).catch(() => [[0]]);
  return count;
}

/** A port of the loopback that nobody listens on. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, loopback, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
