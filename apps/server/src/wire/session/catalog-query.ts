import type { Catalog, CatalogSession, PreparedCatalogQuery } from "../../catalog/index.ts";

/** A query of the catalog, with what it is answered from. */
export interface CatalogQuery {
  readonly prepared: PreparedCatalogQuery;
  readonly catalog: Catalog;
  readonly session: CatalogSession;
}
