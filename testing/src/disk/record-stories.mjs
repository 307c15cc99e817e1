import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const shimSource = fileURLToPath(new URL("./disk-shim.c", import.meta.url));
const child = fileURLToPath(new URL("./story.mjs", import.meta.url));

/** The shim, compiled into `folder`; null where there is no Linux or no C compiler. */
export function compileShim(folder) {
  if (process.platform !== "linux") return null;
  const library = join(folder, "disk-shim.so");
  const { status } = spawnSync("cc", [
    "-shared",
    "-fPIC",
    "-O1",
    "-o",
    library,
    shimSource,
    "-ldl",
    "-lpthread",
  ]);
  return status === 0 ? library : null;
}

/** A folder that is gone when `use` is done; in memory where the machine has such a place. */
export async function withScratch(use) {
  const folder = realpathSync(mkdtempSync(join(inMemory() ?? tmpdir(), "lethe-disk-")));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inMemory() {
  try {
    return statSync("/dev/shm").isDirectory() ? "/dev/shm" : null;
  } catch {
    return null;
  }
}

/**
 * Runs stories ({ name, fault }) in one process below the shim. Gives for each { name, fault, operations, calls }: what
 * it did to the disk and what it told, in order, and how many calls of each class it made. Its folder is left in
 * `root/name`, as the process saw it at the end.
 */
export function recordStories(library, moduleUrl, root, stories) {
  for (const { name } of stories) mkdirSync(join(root, name));
  const log = join(root, "..", `${root.split("/").at(-1)}.log`);
  const run = spawnSync(process.execPath, [child, moduleUrl, root, JSON.stringify(stories)], {
    env: { ...process.env, LD_PRELOAD: library, LETHE_DISK_ROOT: root, LETHE_DISK_LOG: log },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (run.status !== 0) throw new Error(`the story did not end: ${run.signal ?? run.status} ${run.stderr}`);
  const lines = readFileSync(log, "utf8").trimEnd().split("\n").map(parseLine);
  rmSync(log);
  return split(lines, stories);
}

function parseLine(line) {
  const operation = JSON.parse(line);
  return operation.op === "write" ? { ...operation, bytes: Buffer.from(operation.bytes, "hex") } : operation;
}

function split(lines, stories) {
  const told = [];
  for (const line of withoutSharedMemory(lines)) {
    if (line.op === "told" && line.what.did === "began") {
      const { fault } = stories[told.length];
      told.push({ name: line.what.story, fault, operations: [], calls: null });
    } else if (line.op === "calls") told.at(-1).calls = line;
    else told.at(-1)?.operations.push(line);
  }
  return told;
}

/** SQLite's shared memory is a file that holds nothing: who opens the ledger first makes it anew, whatever is in it. */
function* withoutSharedMemory(lines) {
  const shared = new Set();
  for (const line of lines) {
    const isShared = line.path?.endsWith("-shm");
    if (line.op === "open") shared[isShared ? "add" : "delete"](line.file);
    if (!isShared && !shared.has(line.file)) yield line;
  }
}
