import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Binds this process, all its threads and the processes that it will start to one processor. Says so where the machine has no `taskset`. */
export function bindToOneProcessor() {
  const last = String(availableParallelism() - 1);
  const { error, status } = spawnSync("taskset", ["-a", "-c", "-p", last, String(process.pid)]);
  if (error || status !== 0) console.error("not bound to one processor: there is no taskset here");
}
