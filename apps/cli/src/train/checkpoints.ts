import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Where a paid training may go on from, should its process die. As private as the rows, and kept beside them. */
export interface Checkpoints {
  /** The last that was kept; null for none. */
  last(): Uint8Array | null;
  /**
   * Makes durable the one that follows the checkpoint of step `after` (0: the start), before anything that follows from it, and tells whether it did. A checkpoint
   * has one successor: of two runs that go on from it one alone may, so that two draws of a step never both count, however far apart they keep.
   */
  keepAfter(after: number, bytes: Uint8Array): boolean;
  /** Removes all of them: the training is settled. */
  forget(): void;
}

/** The calls by which they are written: one that fails, or after which the process dies, leaves the ones before it whole. */
export interface CheckpointDisk {
  readonly write: (path: string, bytes: Uint8Array) => void;
  /** Gives a file a name that is not taken. Errors: EEXIST. */
  readonly name: (from: string, to: string) => void;
  readonly unname: (path: string) => void;
  readonly flushFolder: (path: string) => void;
  readonly empty: (path: string) => void;
}

/** The disk of this machine. */
export const disk: CheckpointDisk = {
  write(path, bytes) {
    // A draft that a dead process left may be a checkpoint by its other name: it is taken away, never written over.
    rmSync(path, { force: true });
    const file = openSync(path, "wx", 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
  name: linkSync,
  unname: unlinkSync,
  flushFolder(path) {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  },
  empty: (path) => truncateSync(path),
};

/** The request whose checkpoints they are. The public key names its ledger, since another ledger may use the id again. */
export interface CheckpointedRequest {
  readonly publicKey: string;
  readonly principal: string;
  readonly requestId: string;
}

/**
 * The checkpoints of one request of a workspace, each a file that is named by the step that it follows: a name that is taken once. Older ones are emptied and keep their names
 * until the end.
 */
export function fileCheckpoints(
  stateFolder: string,
  { publicKey, principal, requestId }: CheckpointedRequest,
  { write, name, unname, flushFolder, empty }: CheckpointDisk = disk,
): Checkpoints {
  const id = createHash("sha256")
    .update(JSON.stringify([publicKey, principal, requestId]))
    .digest("hex");
  const folder = join(stateFolder, "trainings", id);
  const pathOf = (after: number): string => join(folder, `after-${after}`);
  const kept = (): readonly number[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => /^after-\d+$/.test(file))
          .map((file) => Number(file.slice("after-".length)))
          .sort((a, b) => a - b)
      : [];
  return {
    last() {
      for (;;) {
        const after = kept().at(-1);
        if (after === undefined) return null;
        const bytes = readFileSync(pathOf(after));
        // It was emptied meanwhile where another run kept the next.
        if (bytes.length > 0 || kept().at(-1) === after) return bytes;
      }
    },
    keepAfter(after, bytes) {
      const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `draft-${process.pid}`);
      write(draft, bytes);
      try {
        name(draft, pathOf(after));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
        throw error;
      }
      unname(draft);
      flushFolder(folder);
      // A folder lasts where its name does.
      if (made !== undefined) for (const above of [dirname(folder), stateFolder]) flushFolder(above);
      for (const before of kept()) if (before < after) empty(pathOf(before));
      return true;
    },
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
}
