import { selectReader, type TableDescription } from "@lethe/query";
import type { SelectStmt } from "@pgsql/types";
import { type Catalog, makeCatalog } from "./catalog.ts";
import { parameterValue, prepareCatalogQuery } from "./prepare.ts";
import type { CatalogSession } from "./relations/catalog-session.ts";
import type { Column } from "./system/system.ts";
import { writeText } from "./types/write-text.ts";

export type { Catalog } from "./catalog.ts";
export { Budget } from "./evaluate/budget.ts";
export { serverVersion } from "./functions/session-functions.ts";
export { namedRelations } from "./named-relations.ts";
export { type PreparedCatalogQuery, parameterValue, prepareCatalogQuery } from "./prepare.ts";
export type { CatalogSession } from "./relations/catalog-session.ts";
export { readBinary, writeBinary } from "./types/binary-form.ts";
export type { Tuple, Value } from "./types/values.ts";
export { writeText } from "./types/write-text.ts";

/** What a query of the catalog is answered from. */
export interface CatalogContext {
  readonly catalog: Catalog;
  readonly session: CatalogSession;
  /** The values of $1, $2 …: a type's number, 0 where it is left open, and the text form, null for NULL. */
  readonly parameters?: readonly { readonly type: number; readonly text: string | null }[];
}

/** The answer to a query of the catalog, as PostgreSQL writes it as text. */
export interface CatalogTexts {
  readonly columns: readonly Column[];
  /** The types of the parameters, stated or inferred. */
  readonly parameters: readonly number[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** Makes the catalog of the tables that whoever asks may know, as `SHOW TABLES` and `DESCRIBE` tell them. */
export async function openCatalog(tables: readonly TableDescription[]): Promise<Catalog> {
  return makeCatalog(tables, await selectReader());
}

/** Reads the text of a query with the grammar of a catalog. Errors: query.syntax, query.unsupported for what is no SELECT, query.too-large. */
export function parseCatalogQuery(text: string, catalog: Catalog): SelectStmt {
  return catalog.parse(text);
}

/**
 * Answers a query of pg_catalog and information_schema from the policy alone, in bounded steps and without side effects but those of set_config on the session.
 * Errors: those of `prepareCatalogQuery`, and query.too-large.
 */
export function answerCatalog(
  tree: SelectStmt,
  { catalog, session, parameters = [] }: CatalogContext,
): CatalogTexts {
  const prepared = prepareCatalogQuery(
    tree,
    catalog,
    session,
    parameters.map(({ type }) => type),
  );
  const values = parameters.map(({ text }, at) =>
    parameterValue(text, prepared.parameters[at] ?? 25, catalog, session),
  );
  const rows = prepared.run(values, session);
  return {
    columns: prepared.columns,
    parameters: prepared.parameters,
    rows: rows.map((row) =>
      row.map((value, at) =>
        value === null ? null : writeText(value, prepared.columns[at]?.type ?? 25, { catalog, session }),
      ),
    ),
  };
}
