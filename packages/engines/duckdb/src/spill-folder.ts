import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * A folder for one instance's spilled blocks. Two DuckDB instances must not share one: both name their files alike.
 * Folders of processes that died are swept away, for they hold data.
 */
export function spillFolder(parent: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent)) {
    const pid = /^spill-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true });
  }
  return join(parent, `spill-${process.pid}-${randomUUID().slice(0, 8)}`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
