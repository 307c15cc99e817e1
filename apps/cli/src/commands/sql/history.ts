import { appendFileSync, chmodSync, closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The most statements that are kept. */
export const longestHistory = 1000;

/** The statements that were typed before, in a file that its owner alone may read. */
export interface History {
  /** The newest first, as Node's readline keeps them. */
  readonly lines: readonly string[];
  /** Adds a statement. A file that cannot be written costs the history, and nothing else. */
  add(statement: string): void;
}

/** Returns the place of the history: LETHE_HISTORY, else ~/.lethe_history; null where LETHE_HISTORY is empty. */
export function historyPath(env: NodeJS.ProcessEnv = process.env): string | null {
  const { LETHE_HISTORY: stated } = env;
  if (stated !== undefined) return stated === "" ? null : stated;
  return join(homedir(), ".lethe_history");
}

/** Opens the history of a file with mode 0600, which is made where there is none. */
export function openHistory(path: string | null): History {
  if (path === null) return { lines: [], add: () => undefined };
  const kept = statementsIn(path);
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
    if (kept.length > 2 * longestHistory)
      writeFileSync(
        path,
        kept
          .slice(-longestHistory)
          .map((line) => `${line}\n`)
          .join(""),
      );
  } catch {
    return { lines: [...kept].reverse(), add: () => undefined };
  }
  return {
    lines: kept.slice(-longestHistory).reverse(),
    add(statement) {
      try {
        appendFileSync(path, `${statement}\n`);
      } catch {
        // The disk is full, or the file is gone: questions go on.
      }
    },
  };
}

function statementsIn(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "");
  } catch {
    return [];
  }
}

/** Returns a statement of several lines as one, which an editor of lines can show; null where a comment to a line's end forbids that. */
export function asOneLine(statement: string): string | null {
  const isOne = !statement.trimEnd().includes("\n");
  return isOne || !statement.includes("--") ? statement.replace(/\s*\n\s*/g, " ").trim() : null;
}
