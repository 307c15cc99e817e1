import type { TableDescription } from "@lethe/query";
import type { SelectStmt } from "@pgsql/types";
import { type Content, Relation } from "./relations/relation.ts";
import { sessionRows } from "./relations/session-rows.ts";
import { type Numbers, numbersOf } from "./relations/user-numbers.ts";
import { columnTypes, owner, schemaPrivileges, type UserTable, userRows } from "./relations/user-rows.ts";
import {
  type Cast,
  casts,
  type Operator,
  operators,
  type Signature,
  signatures,
} from "./system/signatures.ts";
import { pgCatalog, type System, system } from "./system/system.ts";
import { oids } from "./types/oids.ts";
import { TypeTable } from "./types/type-table.ts";
import type { Tuple } from "./types/values.ts";

/** What names mean in a catalog query: the relations, types, functions and operators of PostgreSQL, and the tables of one policy. */
export interface Catalog {
  readonly system: System;
  readonly types: TypeTable;
  readonly functions: ReadonlyMap<string, readonly Signature[]>;
  readonly operators: ReadonlyMap<string, readonly Operator[]>;
  readonly casts: ReadonlyMap<string, Cast>;
  /** The number of columns of the policy's tables. */
  readonly columns: number;
  /** Returns a relation; of no stated schema as the search path finds it. Null where there is none. */
  relation(schema: string | null, name: string): Relation | null;
  relationOf(oid: number): Relation | null;
  functionOf(oid: number): Signature | null;
  /** Returns the number of a schema; null where there is none. */
  schema(name: string): number | null;
  schemaName(oid: number): string | null;
  /** Reads the text of a view. */
  readonly parse: (text: string) => SelectStmt;
}

export const publicSchema = 2_200;

interface Shared {
  readonly functions: Catalog["functions"];
  readonly byNumber: ReadonlyMap<number, Signature>;
  readonly operators: Catalog["operators"];
  readonly casts: Catalog["casts"];
}

let shared: Shared | null = null;

function sharedOf({ relation }: System): Shared {
  if (shared) return shared;
  const functions = signatures(relation("pg_proc"));
  shared = {
    functions,
    byNumber: new Map([...functions.values()].flat().map((each) => [each.oid, each])),
    operators: operators(relation("pg_operator")),
    casts: casts(relation("pg_cast")),
  };
  return shared;
}

/** Makes the catalog of a policy's tables. */
export function makeCatalog(tables: readonly TableDescription[], parse: Catalog["parse"]): Catalog {
  const all = system();
  const { functions, byNumber, operators: byName, casts: known } = sharedOf(all);
  const numbers = numbersOf([
    ...tables.map(({ schema, name }) => `${schema}.${name}`),
    ...tables.map(({ schema }) => schema),
  ]);
  const schemas = schemasOf(tables, numbers);
  const user = tables.map(
    (table): UserTable => ({
      table,
      numbers: numbers.get(`${table.schema}.${table.name}`) as Numbers,
      namespace: schemas.get(table.schema) ?? publicSchema,
    }),
  );
  const added: Record<string, readonly Tuple[]> = {
    ...userRows(all, user),
    pg_namespace: newSchemas(all, schemas),
  };
  const bySession = sessionRows(all);
  const relations = [
    ...all.relations.map(
      (each) => new Relation(each, contentOf(each, added[each.name], bySession[each.name])),
    ),
    ...user.map(
      ({ table: { schema, name, columns }, numbers: { relation: oid } }) =>
        new Relation(
          {
            oid,
            schema,
            name,
            columns: columns.map((column) => ({
              name: column.name,
              type: columnTypes[column.type],
              typmod: -1,
            })),
          },
          { kind: "private" },
        ),
    ),
  ];
  const byPlace = new Map(relations.map((each) => [`${each.schema}.${each.name}`, each]));
  const byOid = new Map(relations.map((each) => [each.oid, each]));
  const typeRows = byPlace.get("pg_catalog.pg_type");
  const names = new Map([...schemas].map(([name, oid]) => [oid, name]));
  const typeColumns = all.relation("pg_type").columns.map(({ name }) => name);
  const content = typeRows?.content;
  const types = new TypeTable(
    typeColumns,
    content?.kind === "rows" ? content.rows() : [],
    arraySubscript(all),
  );
  return {
    system: all,
    types,
    functions,
    operators: byName,
    casts: known,
    columns: tables.reduce((sum, table) => sum + table.columns.length, 0),
    parse,
    relation: (schema, name) =>
      schema === null
        ? (byPlace.get(`pg_catalog.${name}`) ?? byPlace.get(`public.${name}`) ?? null)
        : (byPlace.get(`${schema}.${name}`) ?? null),
    relationOf: (oid) => byOid.get(oid) ?? null,
    functionOf: (oid) => byNumber.get(oid) ?? null,
    schema: (name) => schemas.get(name) ?? null,
    schemaName: (oid) => names.get(oid) ?? null,
  };
}

function arraySubscript({ relation }: System): number {
  const { columns, rows } = relation("pg_type");
  const at = columns.findIndex(({ name }) => name === "typsubscript");
  const texts = rows?.().find(([oid]) => oid === textArray);
  return Number(texts?.[at] ?? 0);
}

const textArray = 1_009;

function contentOf(
  { view, rows }: System["relations"][number],
  added: readonly Tuple[] | undefined,
  bySession: ReturnType<typeof sessionRows>[string] | undefined,
): Content {
  if (bySession) return { kind: "session", rows: bySession };
  if (view !== null) return { kind: "view", text: view };
  if (rows === null) return { kind: "absent" };
  return { kind: "rows", rows: added ? () => [...rows(), ...added] : rows };
}

function schemasOf(
  tables: readonly TableDescription[],
  numbers: ReadonlyMap<string, Numbers>,
): ReadonlyMap<string, number> {
  const all = system();
  const { rows, columns } = all.relation("pg_namespace");
  const at = columns.findIndex(({ name }) => name === "nspname");
  const schemas = new Map<string, number>(rows?.().map((row) => [String(row[at]), Number(row[0])]));
  schemas.set("pg_catalog", pgCatalog);
  for (const { schema } of tables)
    if (!schemas.has(schema)) schemas.set(schema, numbers.get(schema)?.relation ?? publicSchema);
  return schemas;
}

function newSchemas({ relation }: System, schemas: ReadonlyMap<string, number>): readonly Tuple[] {
  const { rows, columns } = relation("pg_namespace");
  const known = new Set(rows?.().map(([oid]) => oid));
  return [...schemas]
    .filter(([, oid]) => !known.has(oid))
    .map(([name, oid]) => {
      const values: Readonly<Record<string, Tuple[number]>> = {
        oid,
        nspname: name,
        nspowner: owner,
        nspacl: schemaPrivileges,
      };
      return columns.map((column) => values[column.name] ?? null);
    });
}

/** The type of a row of a relation. */
export function rowTypeOf(catalog: Catalog, relation: Relation): number {
  const type = catalog.types.named(catalog.schema(relation.schema) ?? 0, relation.name);
  return type?.oid ?? oids.record;
}
