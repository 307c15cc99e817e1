import { appendFileSync } from "node:fs";
import type { Workspace } from "./workspace.ts";

/**
 * Returns a function that writes to the owner's log. The database's own words go there: they may contain data, so only the owner reads them. A log
 * that cannot be written stops nothing.
 */
export function ownersLog({ log }: Workspace): (detail: string) => void {
  return (detail) => {
    try {
      appendFileSync(log, `${new Date().toISOString()} ${detail}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not turn into an answer that differs.
    }
  };
}
