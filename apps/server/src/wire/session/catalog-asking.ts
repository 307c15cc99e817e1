import { LetheError } from "@lethe/core";
import type { Principal, Service } from "@lethe/serve";
import type { SelectStmt } from "@pgsql/types";
import {
  type Catalog,
  type CatalogSession,
  namedRelations,
  openCatalog,
  type PreparedCatalogQuery,
  prepareCatalogQuery,
} from "../../catalog/index.ts";
import type { SessionState } from "./session-state.ts";
import { Settings } from "./settings.ts";
import { statementsOf, type Word } from "./words.ts";

/** A query of the catalog, with what it is answered from. */
export interface CatalogQuery {
  readonly prepared: PreparedCatalogQuery;
  readonly catalog: Catalog;
  readonly session: CatalogSession;
}

const mostQueries = 100;
const longestKept = 8_192;

/** The tables of a service are one list for as long as it runs, and so is their catalog. */
const catalogs = new WeakMap<object, Promise<Catalog>>();

/** Answers what a connection asks of PostgreSQL's catalog. What it remembers of queries is that connection's own. */
export class CatalogAsking {
  readonly #service: Service;
  readonly #session: CatalogSession;
  readonly #queries = new Map<string, CatalogQuery>();

  constructor(service: Service, session: SessionState, now: () => number) {
    this.#service = service;
    const { settings } = session;
    this.#session = {
      ...{ user: session.user, database: session.database, process: session.process, now },
      setting: (name) => settings.value(name),
      settings: () => Settings.names,
      configure: (name, value) => {
        settings.set(name, value);
        return settings.value(name) ?? "";
      },
    };
  }

  /**
   * Reads a text as a query of the catalog: null where it asks something else.
   * @param types the types of its parameters that the client states; 0 of those that it leaves open
   * Errors: those of `prepareCatalogQuery`; query.unsupported where it asks tables beside the catalog.
   */
  async read(text: string, types: readonly number[], who: Principal): Promise<CatalogQuery | null> {
    const key = `${types.join()} ${text}`;
    const known = this.#queries.get(key);
    if (known) return known;
    const catalog = await this.#catalog(who);
    const select = parsed(text, catalog);
    if (select === null || !asksCatalogAlone(select, catalog)) return null;
    const prepared = prepareCatalogQuery(select, catalog, this.#session, types);
    const query = { prepared, catalog, session: this.#session };
    if (text.length <= longestKept) this.#keep(key, query);
    return query;
  }

  /** Errors: those of `Service.tables`. */
  async #catalog(who: Principal): Promise<Catalog> {
    const tables = await this.#service.tables(who);
    const known = catalogs.get(tables) ?? openCatalog(tables);
    catalogs.set(tables, known);
    return known;
  }

  #keep(key: string, query: CatalogQuery): void {
    this.#queries.set(key, query);
    const oldest = this.#queries.keys().next();
    if (this.#queries.size > mostQueries && !oldest.done) this.#queries.delete(oldest.value);
  }
}

const begins = /^(?:select|with|values|table|\()$/;
const names = /^"?(?:pg_|information_schema"?$)/i;
const sets: ReadonlySet<string> = new Set([
  ...["generate_series", "unnest", "values"],
  ...["current_database", "current_schema", "current_schemas"],
]);

/** Whether words may be a query of the catalog: whether it is worth while to read them as one. */
export function mayAskCatalog(words: readonly Word[]): boolean {
  if (!begins.test(words[0]?.text ?? "")) return false;
  let hasFrom = false;
  for (const { kind, text } of words) {
    if (kind !== "word" && kind !== "quoted") continue;
    if (names.test(text) || sets.has(text)) return true;
    if (text === "from") hasFrom = true;
  }
  return !hasFrom;
}

/** Whether a text may be a query of the catalog. */
export function asksOfCatalog(text: string): boolean {
  const [words] = statementsOf(text);
  return words !== undefined && mayAskCatalog(words);
}

/** What cannot be read as PostgreSQL's SQL is a question: the service tells what is wrong with it. */
function parsed(text: string, catalog: Catalog): SelectStmt | null {
  try {
    return catalog.parse(text);
  } catch (error) {
    if (error instanceof LetheError && error.code === "query.syntax") return null;
    throw error;
  }
}

/** Errors: query.unsupported for tables beside the catalog. */
function asksCatalogAlone(select: SelectStmt, catalog: Catalog): boolean {
  const relations = namedRelations(select);
  const own = relations.filter(({ schema, name }) => {
    const found = catalog.relation(schema, name);
    return found
      ? found.content.kind !== "private"
      : /^(?:pg_catalog|information_schema)$/.test(schema ?? "");
  });
  if (own.length === relations.length) return true;
  if (own.length === 0) return false;
  throw new LetheError("query.unsupported", "a question asks a table, or the catalog, and not both", {
    fix: "ask one after the other",
  });
}
