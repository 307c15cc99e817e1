// query.latency: ms from text to release on the CPS wages, the durable charge included, warm median (target ≤ 15).
// query.cold: ms for one whole `lethe query` process, median (target ≤ 700).
// query.commit: ms of one durable commit on this disk, for reading the two above: each answer needs two.
import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { open } from "lethe";
import { figure, median } from "./figure.mjs";
import { makeCpsWorkspace, runLethe } from "./workspace.mjs";

const question = "SELECT sector, COUNT(*), AVG(wage) FROM people GROUP BY sector";
const privateKeys = "SELECT occupation, COUNT(*) FROM people GROUP BY occupation";

export default async function bench() {
  const workspace = makeCpsWorkspace({ epsilon: "100000", delta: "0.01" });
  try {
    figure("query.commit", median(commits(join(workspace.folder, "probe"))), "ms");
    const lethe = await open(join(workspace.folder, "lethe.yaml"));
    for (const [name, sql, options] of [
      ["query.latency", question, { epsilon: 0.5 }],
      ["query.latency.private-keys", privateKeys, { epsilon: 0.5, delta: 1e-6 }],
    ]) {
      const times = [];
      for (let run = 0; run < 60; run += 1) {
        const start = performance.now();
        // An id of its own: without one, all but the first would be repeats.
        await lethe.query(sql, { ...options, requestId: `${name} ${run}` });
        times.push(performance.now() - start);
      }
      figure(name, median(times.slice(10)), "ms");
    }
    await lethe.close();
    const cold = [];
    for (let run = 0; run < 9; run += 1) {
      const start = performance.now();
      runLethe(workspace.folder, ["query", question, "--epsilon", "0.5", "--request", `cold ${run}`]);
      cold.push(performance.now() - start);
    }
    figure("query.cold", median(cold), "ms");
  } finally {
    workspace.remove();
  }
}

function commits(path) {
  const file = openSync(path, "w");
  const times = [];
  for (let run = 0; run < 50; run += 1) {
    const start = performance.now();
    writeSync(file, Buffer.alloc(4096), 0, 4096, run * 4096);
    fdatasyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  return times;
}
