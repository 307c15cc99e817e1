import { resolve } from "node:path";
import { requireHeadFile, writeHead } from "../directory/head-file.ts";
import { requireKept } from "../records/kept-head.ts";
import type { Store, StoredRecord } from "./store.ts";

/**
 * The same store, whose head is kept in a file elsewhere: refused where the file knows of a later record, and written
 * down there before anybody is told of a new one. A process that dies in between leaves the file behind the store,
 * never before it.
 */
export function keepHead(store: Store, file: string): Store {
  const path = resolve(file);
  return {
    async transact(request, decide) {
      const result = await store.transact(request, (snapshot) => {
        requireNotOlder(snapshot.head, path);
        return decide(snapshot);
      });
      await advanceHead(store, path);
      return result;
    },
    atHead: (work) => store.atHead(work),
    look: (request, look) => store.look(request, look),
    record: (sequence) => store.record(sequence),
    readAll: () => store.readAll(),
    sound: () => store.sound(),
    close: () => store.close(),
  };
}

/** Errors: ledger.restored when the store does not hold the head in the file; ledger.unreadable without a file. */
export async function requireKeptHead(store: Store, file: string): Promise<void> {
  const kept = requireHeadFile(resolve(file));
  requireKept(await store.record(kept.sequence), kept);
}

/** Writes the store's head to the file, under the store's lock, so that of two processes the later one writes last. */
export async function advanceHead(store: Store, file: string): Promise<void> {
  const path = resolve(file);
  await store.atHead((head) => {
    if (head) writeHead(path, head);
  });
}

/** Refuses a store that is older than the kept head. This is cheap enough for every record; opening has compared the record itself. */
function requireNotOlder(head: StoredRecord | null, path: string): void {
  const kept = requireHeadFile(path);
  if (!head || head.sequence <= kept.sequence) requireKept(head, kept);
}
