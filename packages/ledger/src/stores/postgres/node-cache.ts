import { LetheError } from "@lethe/core";

/** The most nodes that a process keeps. */
const most = 100_000;

/** The place and hash of a record that is durable. */
export interface Seen {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * Nodes of the tree as they are after one record. Whoever looks later brings it up to date by what changed since: the tables say after which
 * record each node changed. It also remembers the record itself, so that a server that went back is found out.
 */
export class NodeCache {
  #seen: Seen | null = null;
  readonly #nodes = new Map<string, string>();

  get seen(): Seen | null {
    return this.#seen;
  }

  get(path: string): string | undefined {
    return this.#nodes.get(path);
  }

  keep(path: string, content: string): void {
    if (this.#nodes.size >= most) this.#nodes.clear();
    this.#nodes.set(path, content);
  }

  /** The nodes are those after this record. */
  moveTo(seen: Seen | null, changed: Iterable<readonly [string, string]>): void {
    for (const [path, content] of changed) this.keep(path, content);
    this.#seen = seen;
  }

  /** Keeps the record and forgets the nodes: what changed since is not known. */
  restartAt(seen: Seen | null): void {
    this.#nodes.clear();
    this.#seen = seen;
  }
}

/** The server holds an older state than it did a moment ago: a replica took over that had not heard all, or a backup was put back. */
export function wentBack({ sequence }: Seen): LetheError {
  return new LetheError(
    "ledger.restored",
    `the server no longer holds record ${sequence} of the ledger, which it held before`,
    {
      fix: "bring the server back that has it; one that forgets what was spent would spend it again. Asked again by another process, this would not be found without a head file",
      fields: { sequence },
    },
  );
}
