import type { ParseResult } from "@pgsql/types";

export interface Grammar {
  loadModule(): Promise<void>;
  parseSync(text: string): ParseResult;
}

let loading: Promise<Grammar> | null = null;
let loaded: Grammar | null = null;

/** Loads the PostgreSQL 18 grammar in WASM: 1.7 MB, so it is loaded once and only when a question is asked. */
export function loadGrammar(): Promise<Grammar> {
  loading ??= import("libpg-query").then(async (grammar) => {
    await grammar.loadModule();
    loaded = grammar;
    return grammar;
  });
  return loading;
}

/** Returns the grammar once a question was parsed; null before. */
export function grammarAtHand(): Grammar | null {
  return loaded;
}

/**
 * Starts to load the grammar and waits for nothing: a process that is about to ask can read its policy meanwhile. A
 * failure shows at the first question.
 */
export function preloadGrammar(): void {
  loadGrammar().catch(() => {
    loading = null;
  });
}
