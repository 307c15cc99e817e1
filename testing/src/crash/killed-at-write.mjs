import { rmSync } from "node:fs";
import { join } from "node:path";
import { killedProcess } from "./killed-process.mjs";

/**
 * Runs a program below the disk shim (testing/src/disk) and kills it at its K-th write or flush below one of two `folders`: "whole",
 * before it, or "torn", after half of its bytes. Gives what killedProcess gives.
 */
export async function killedAtWrite(library, folders, [command, args], { at, how, cwd }) {
  const [root, also] = folders;
  const log = join(`${root}.log`);
  const env = {
    ...process.env,
    LD_PRELOAD: library,
    LETHE_DISK_ROOT: root,
    LETHE_DISK_ALSO: also,
    LETHE_DISK_LOG: log,
    LETHE_DISK_DIE: `${at} ${how}`,
  };
  const run = await killedProcess(command, args, { delayMs: null, cwd, env });
  rmSync(log, { force: true });
  return run;
}
