import { writeBinary, writeText } from "../../catalog/index.ts";
import type { CatalogQuery } from "../session/catalog-query.ts";
import type { WireColumn } from "./wire-answer.ts";

/** Returns the columns of a query of the catalog, in PostgreSQL's own types. */
export function catalogColumns({ prepared, catalog, session }: CatalogQuery): readonly WireColumn[] {
  const place = { catalog, session };
  return prepared.columns.map(({ name, type, typmod }) => ({
    name,
    type: {
      oid: type,
      size: catalog.types.has(type) ? catalog.types.fact(type).length : -1,
      typmod,
      text: (value) => writeText(value, type, place),
      bytes: (value) => writeBinary(value, type, place),
    },
  }));
}
