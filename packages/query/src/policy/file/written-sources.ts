import type { Policy, TablePolicy } from "../policy.ts";
import type { SourcesRead } from "./double-roles.ts";

/**
 * The source of each table as the policy writes it: what text alone can tell. Links, and what views read, are seen where the
 * sources are opened.
 */
export function writtenSources({ database, tables }: Policy): SourcesRead {
  return new Map(
    Object.entries(tables).map(([name, table]) => [
      name,
      [database === null ? fileSource(name, table) : serverSource(name, table)],
    ]),
  );
}

/** DuckDB finds relations whatever their capitals, in schema main where none is named. */
function fileSource(name: string, { file, relation }: TablePolicy): string {
  const path = (file ?? "").replace(/\/+/g, "/").replace(/(^|\/)(\.\/)+/g, "$1");
  if (!/\.duckdb$/i.test(path)) return path;
  return `${path} ${inSchema(relation ?? name, "main").toLowerCase()}`;
}

function serverSource(name: string, { relation }: TablePolicy): string {
  return relation === null ? `public.${name}` : inSchema(relation, "public");
}

function inSchema(relation: string, schema: string): string {
  return relation.includes(".") ? relation : `${schema}.${relation}`;
}
