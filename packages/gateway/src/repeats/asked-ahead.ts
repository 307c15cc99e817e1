import type { Engine, TableStorage } from "@lethe/query";

/**
 * Returns an engine that keeps what it was asked of a table for the next one to ask: the version of the data is looked up before the question is compiled, and both need to
 * know how the table lies. Who asks after that is told anew.
 */
export function askedAhead(engine: Engine): Engine {
  const kept = new Map<string, Promise<TableStorage>>();
  return {
    dialect: engine.dialect,
    storage(table) {
      const known = kept.get(table);
      if (kept.delete(table) && known) return known;
      const asked = engine.storage(table);
      kept.set(table, asked);
      return asked;
    },
    run: (query) => engine.run(query),
    rows: (query) => engine.rows(query),
    published: (query) => engine.published(query),
    close: () => engine.close(),
  };
}
