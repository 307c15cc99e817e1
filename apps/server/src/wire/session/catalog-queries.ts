import type { PreparedCatalogQuery } from "../../catalog/index.ts";

/** A query as it was read, and the catalog whose names it holds. */
export interface ReadQuery {
  readonly prepared: PreparedCatalogQuery;
  readonly catalog: object;
  /** The steps that reading it took: what it holds grows with them. */
  readonly steps: number;
}

const mostQueries = 1_000;
const mostSteps = 1_000_000;

/**
 * Remembers the queries of the catalog that one person's connections have read, and forgets those that were asked longest ago. The names within
 * are resolved for that person, and nobody else learns by a time what they ask.
 */
export class CatalogQueries {
  readonly #queries = new Map<string, ReadQuery>();
  #steps = 0;

  /** Returns a query that was read with the same catalog, or null. */
  known(key: string, catalog: object): PreparedCatalogQuery | null {
    const query = this.#queries.get(key);
    if (query?.catalog !== catalog) return null;
    this.#queries.delete(key);
    this.#queries.set(key, query);
    return query.prepared;
  }

  keep(key: string, query: ReadQuery): void {
    this.#drop(key);
    this.#queries.set(key, query);
    this.#steps += query.steps;
    for (const oldest of this.#queries.keys()) {
      if (this.#queries.size <= mostQueries && this.#steps <= mostSteps) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#steps -= this.#queries.get(key)?.steps ?? 0;
    this.#queries.delete(key);
  }
}
