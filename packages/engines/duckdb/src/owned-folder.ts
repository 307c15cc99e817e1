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
 * Called with what removes a folder, should the process end by a signal before it is removed; gives what removes it in time. An app
 * that catches signals hands it in: a library leaves them to whoever runs it.
 */
export type RemovedAtEnd = (remove: () => void) => () => void;

const aDay = 86_400_000;

/**
 * Makes a folder of this process in `parent`, which is made where there is none: `kind-PID-PLACE-random`. What dead processes left
 * there is swept away, for it may hold data; what processes of another machine or container left, once it is a day old.
 */
export function ownedFolder(
  parent: string,
  kind: string,
  removedAtEnd: RemovedAtEnd = (remove) => remove,
): OwnedFolder {
  const path = join(parent, `${kind}-${process.pid}-${placeOfProcesses()}-${randomUUID().slice(0, 8)}`);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const remove = removedAtEnd(() => rmSync(path, { recursive: true, force: true }));
  // The clock of the disk: a folder made now.
  sweepFolders(parent, kind, statSync(path).mtimeMs);
  return { path, remove };
}

/** Removes the folders of processes that are no more. Of those that cannot be asked, none unless it is said what time it is. */
export function sweepFolders(parent: string, kind: string, now: number | null = null): void {
  for (const name of foldersOf(parent, kind)) {
    const path = join(parent, name);
    try {
      if (!isOwned(path, kind, now)) rmSync(path, { recursive: true, force: true });
    } catch {
      // Removed by another at this moment, or not ours to remove: later.
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

/** A number is a process of this machine, since its last start, and of this container alone. */
function isOwned(path: string, kind: string, now: number | null): boolean {
  const [, pid, where] = /^-(\d+)-([0-9a-f]{12})-/.exec(basename(path).slice(kind.length)) ?? [];
  if (pid !== undefined && where === placeOfProcesses()) return isAlive(Number(pid));
  return now === null || newestWithin(path) > now - aDay;
}

/** A folder's own time stands still while a file inside is written. */
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

/** Where process numbers mean what they mean here: a hash of the host, its last start and the name space. */
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
