const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const standing = new Set<() => void>();

/**
 * Returns a function that removes a folder, to be called when its work is done. Should the process end before, by an error or a signal (Ctrl-C), the
 * folder is removed then. Signals are caught only while a folder is registered, so that nothing else takes longer to stop.
 */
export function removedAtEnd(remove: () => void): () => void {
  if (standing.size === 0) {
    process.on("exit", removeAll);
    for (const signal of signals) process.on(signal, stop);
  }
  standing.add(remove);
  return () => {
    if (!standing.delete(remove)) return;
    if (standing.size === 0) letGo();
    remove();
  };
}

function removeAll(): void {
  for (const remove of standing) {
    try {
      remove();
    } catch {
      // A file that is still being written may be in the way: the others go nevertheless.
    }
  }
  standing.clear();
}

/** Ends the process as the signal ends one that does not catch it. */
function stop(signal: NodeJS.Signals): void {
  removeAll();
  letGo();
  process.kill(process.pid, signal);
}

function letGo(): void {
  process.off("exit", removeAll);
  for (const signal of signals) process.off(signal, stop);
}
