import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";

/** A folder for files that nobody needs once its process is done with them. */
export interface OwnedFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Takes a function that removes a folder, to be called should the process end by a signal before the folder is removed. Returns a
 * function that removes the folder in time. An app that catches signals hands it in: a library leaves them to whoever runs it.
 */
export type RemovedAtEnd = (remove: () => void) => () => void;

const aDay = 86_400_000;

/**
 * Makes a folder of this process in `parent`, which is made where there is none: `kind-PID-PLACE-random`. Folders that dead
 * processes left there are swept away, for they may hold data; those of processes of another machine or container, once they are
 * a day old.
 */
export function ownedFolder(
  parent: string,
  kind: string,
  removedAtEnd: RemovedAtEnd = (remove) => remove,
): OwnedFolder {
  const path = join(parent, `${kind}-${process.pid}-${placeOfProcesses()}-${randomUUID().slice(0, 8)}`);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const remove = removedAtEnd(() => rmSync(path, { recursive: true, force: true }));
  // A folder made now has the time of the disk's own clock.
  sweepFolders(parent, kind, statSync(path).mtimeMs);
  return { path, remove };
}

/**
 * Removes the folders of processes that have ended. Folders of processes that cannot be asked are removed only where `now` is
 * given, once they are a day old.
 */
export function sweepFolders(parent: string, kind: string, now: number | null = null): void {
  for (const name of foldersOf(parent, kind)) {
    const path = join(parent, name);
    try {
      if (!isOwned(path, kind, now)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process removed it at this moment, or it is not ours to remove: a later sweep tries again.
    }
  }
}

/** Whether a process other than `but` may still write into one of these folders. */
export function hasOwnedFolders(parent: string, kind: string, but: string): boolean {
  return foldersOf(parent, kind).some((name) => {
    const path = join(parent, name);
    return path !== but && isOwned(path, kind, null);
  });
}

function foldersOf(parent: string, kind: string): string[] {
  try {
    return readdirSync(parent).filter((name) => name.startsWith(`${kind}-`));
  } catch {
    // There is none, or it is not ours to look into: nothing to sweep.
    return [];
  }
}

/**
 * Whether a process may still use a folder. A process number has a meaning on this machine, since its last start, and in this
 * container alone.
 */
function isOwned(path: string, kind: string, now: number | null): boolean {
  const [, pid, where] = /^-(\d+)-([0-9a-f]{12})-/.exec(basename(path).slice(kind.length)) ?? [];
  if (pid !== undefined && where === placeOfProcesses()) return isAlive(Number(pid));
  return now === null || newestWithin(path) > now - aDay;
}

/** Returns the newest time of a folder and its files, since a folder's own time does not change while a file inside is written. */
function newestWithin(path: string): number {
  const times = readdirSync(path).map((name) => statSync(join(path, name)).mtimeMs);
  return Math.max(statSync(path).mtimeMs, ...times);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

let place: string | null = null;

/** Returns the place in which process numbers have one meaning: a hash of the host, its last start and the name space. */
function placeOfProcesses(): string {
  place ??= createHash("sha256")
    .update([hostname(), startOfMachine(), nameSpace()].join("\n"))
    .digest("hex")
    .slice(0, 12);
  return place;
}

/** Empty where the system does not say. */
function startOfMachine(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  } catch {
    return "";
  }
}

function nameSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
