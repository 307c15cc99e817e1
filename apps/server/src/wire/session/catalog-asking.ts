import { LetheError } from "@lethe/core";
import type { Principal, Service } from "@lethe/serve";
import type { SelectStmt } from "@pgsql/types";
import {
  Budget,
  type Catalog,
  type CatalogSession,
  namedRelations,
  openCatalog,
  type PreparedCatalogQuery,
  prepareCatalogQuery,
  type Value,
} from "../../catalog/index.ts";
import { catalogColumns } from "../answers/catalog-columns.ts";
import type { WireAnswer } from "../answers/wire-answer.ts";
import type { CatalogQueries } from "./catalog-queries.ts";
import type { CatalogQuery } from "./catalog-query.ts";
import type { SessionState } from "./session-state.ts";
import { Settings } from "./settings.ts";
import { statementsOf, type Word } from "./words.ts";

const longestKept = 8_192;

/** What a connection asks the catalog with. */
export interface CatalogAskingParts {
  readonly service: Service;
  readonly session: SessionState;
  /** What the connections of whoever asks remember. */
  readonly queries: CatalogQueries;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Is told of the steps that reading or running a query took, also where it was refused. */
  readonly spent: (steps: number) => void;
}

/** The tables of a service are one list for as long as it runs, and so is their catalog. */
const catalogs = new WeakMap<object, Promise<Catalog>>();

/** Answers what a connection asks of PostgreSQL's catalog. */
export class CatalogAsking {
  readonly #parts: CatalogAskingParts;
  readonly #session: CatalogSession;

  constructor(parts: CatalogAskingParts) {
    this.#parts = parts;
    const { session, now } = parts;
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
    const catalog = await this.#catalog(who);
    const { queries, session } = this.#parts;
    const key = JSON.stringify([session.database, types, text]);
    const prepared = queries.known(key, catalog) ?? this.#read(text, types, catalog, key);
    return prepared && { prepared, catalog, session: this.#session };
  }

  /** Runs a query. Errors: those of `PreparedCatalogQuery.run`. */
  answer(query: CatalogQuery, values: readonly Value[]): WireAnswer {
    const rows = this.#counted(query.catalog, (budget) => query.prepared.run(values, query.session, budget));
    return { columns: catalogColumns(query), rows: () => rows };
  }

  #read(text: string, types: readonly number[], catalog: Catalog, key: string): PreparedCatalogQuery | null {
    const select = parsed(text, catalog);
    if (select === null || !asksCatalogAlone(select, catalog)) return null;
    return this.#counted(catalog, (budget) => {
      const prepared = prepareCatalogQuery(select, catalog, this.#session, types, budget);
      if (text.length <= longestKept)
        this.#parts.queries.keep(key, { prepared, catalog, steps: budget.spent });
      return prepared;
    });
  }

  #counted<T>({ columns }: Catalog, act: (budget: Budget) => T): T {
    const budget = new Budget(columns);
    try {
      return act(budget);
    } finally {
      this.#parts.spent(budget.spent);
    }
  }

  /** Errors: those of `Service.tables`. */
  async #catalog(who: Principal): Promise<Catalog> {
    const tables = await this.#parts.service.tables(who);
    const known = catalogs.get(tables) ?? openCatalog(tables);
    catalogs.set(tables, known);
    return known;
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
