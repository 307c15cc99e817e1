import { type ColumnType, type TableDescription, valuesText } from "@lethe/query";
import { attributeRow, type Column, type System } from "../system/system.ts";
import { oids } from "../types/oids.ts";
import { ArrayValue, type Tuple, type Value } from "../types/values.ts";
import type { Numbers } from "./user-numbers.ts";

/** The number of the role that owns everything. */
export const owner = 10;
export const ownerName = "lethe";

/** Everybody may read every table, as a policy lets them ask of it, and nobody may write. */
const privileges = new ArrayValue([`${ownerName}=arwdDxtm/${ownerName}`, `=r/${ownerName}`]);

/** The type that a column of a policy has, as answers have it. */
export const columnTypes: Readonly<Record<ColumnType, number>> = {
  number: oids.float8,
  integer: oids.int8,
  text: oids.text,
  boolean: oids.bool,
  date: oids.date,
  timestamp: oids.timestamp,
};

/** The columns that every table has before its own. */
const systemColumns = [
  [-6, "tableoid", oids.oid],
  [-5, "cmax", oids.cid],
  [-4, "xmax", oids.xid],
  [-3, "cmin", oids.cid],
  [-2, "xmin", oids.xid],
  [-1, "ctid", oids.tid],
] as const;

/** What everybody may in a schema that the policy adds. */
export const schemaPrivileges: ArrayValue = new ArrayValue([
  `${ownerName}=UC/${ownerName}`,
  `=U/${ownerName}`,
]);

/** A table of the policy in the catalog. */
export interface UserTable {
  readonly table: TableDescription;
  readonly numbers: Numbers;
  readonly namespace: number;
}

/** The rows that the tables of a policy add to relations of pg_catalog, by the names of these. They tell what `SHOW TABLES` and `DESCRIBE` tell. */
export function userRows(
  { relation, types }: System,
  tables: readonly UserTable[],
): Readonly<Record<string, readonly Tuple[]>> {
  const columnsOf = (name: string): readonly Column[] => relation(name).columns;
  const row = (name: string, values: Readonly<Record<string, Value>>): Tuple =>
    columnsOf(name).map((column) => values[column.name] ?? null);
  const like = (name: string, oid: number, values: Readonly<Record<string, Value>>): Tuple => {
    const model =
      relation(name)
        .rows?.()
        .find(([first]) => first === oid) ?? [];
    return columnsOf(name).map((column, at) =>
      column.name in values ? (values[column.name] ?? null) : (model[at] ?? null),
    );
  };
  return {
    pg_class: tables.map(({ table, numbers, namespace }) =>
      row("pg_class", {
        oid: numbers.relation,
        relname: table.name,
        relnamespace: namespace,
        reltype: numbers.rowType,
        reloftype: 0,
        relowner: owner,
        relam: table.isView ? 0 : 2,
        relfilenode: table.isView ? 0 : numbers.relation,
        reltablespace: 0,
        relpages: 0,
        reltuples: -1,
        relallvisible: 0,
        relallfrozen: 0,
        reltoastrelid: 0,
        relhasindex: false,
        relisshared: false,
        relpersistence: "p",
        relkind: table.isView ? "v" : "r",
        relnatts: table.columns.length,
        relchecks: 0,
        relhasrules: table.isView,
        relhastriggers: false,
        relhassubclass: false,
        relrowsecurity: false,
        relforcerowsecurity: false,
        relispopulated: true,
        relreplident: table.isView ? "n" : "d",
        relispartition: false,
        relrewrite: 0,
        relfrozenxid: 0,
        relminmxid: 0,
        relacl: privileges,
      }),
    ),
    pg_attribute: tables.flatMap(({ table, numbers }) => [
      ...(table.isView ? [] : systemColumns).map(([attnum, attname, atttypid]) =>
        attributeRow(columnsOf("pg_attribute"), types, {
          ...{ attrelid: numbers.relation, attnum, attname, atttypid },
          ...{ atttypmod: -1, attnotnull: true },
        }),
      ),
      ...table.columns.map(({ name, type, nullable }, at) =>
        attributeRow(columnsOf("pg_attribute"), types, {
          attrelid: numbers.relation,
          attnum: at + 1,
          attname: name,
          atttypid: columnTypes[type],
          atttypmod: -1,
          attnotnull: !nullable && !table.isView,
        }),
      ),
    ]),
    // The rows are those of the type of pg_class, and of arrays of these, but for what names them.
    pg_type: tables.flatMap(({ table, numbers, namespace }) => [
      like("pg_type", 83, {
        oid: numbers.rowType,
        typname: table.name,
        typnamespace: namespace,
        typrelid: numbers.relation,
        typarray: numbers.arrayType,
      }),
      like("pg_type", 210, {
        oid: numbers.arrayType,
        typname: `_${table.name}`,
        typnamespace: namespace,
        typelem: numbers.rowType,
      }),
    ]),
    pg_constraint: tables.flatMap(({ table, numbers, namespace }) =>
      table.isView
        ? []
        : table.columns.flatMap(({ name, nullable }, at) =>
            nullable
              ? []
              : [
                  row("pg_constraint", {
                    oid: numbers.constraint(at + 1),
                    conname: `${table.name}_${name}_not_null`,
                    connamespace: namespace,
                    contype: "n",
                    condeferrable: false,
                    condeferred: false,
                    conenforced: true,
                    convalidated: true,
                    conrelid: numbers.relation,
                    ...{ contypid: 0, conindid: 0, conparentid: 0, confrelid: 0 },
                    ...{ confupdtype: " ", confdeltype: " ", confmatchtype: " " },
                    conislocal: true,
                    coninhcount: 0,
                    connoinherit: false,
                    conperiod: false,
                    conkey: new ArrayValue([at + 1]),
                  }),
                ],
          ),
    ),
    pg_description: tables.flatMap(({ table, numbers }) => {
      const described = (number: number, text: string | null): readonly Tuple[] =>
        text === null
          ? []
          : [
              row("pg_description", {
                objoid: numbers.relation,
                classoid: relation("pg_class").oid,
                objsubid: number,
                description: text,
              }),
            ];
      return [
        ...described(0, tableComment(table)),
        ...table.columns.flatMap((column, at) => described(at + 1, valuesText(column))),
      ];
    }),
    pg_depend: tables.flatMap((each) => dependencies(each, relation, row)),
    pg_rewrite: tables.flatMap(({ table, numbers }) =>
      table.isView
        ? [
            row("pg_rewrite", {
              oid: numbers.relation + 3,
              rulename: "_RETURN",
              ev_class: numbers.relation,
              ev_type: "1",
              ev_enabled: "O",
              is_instead: true,
            }),
          ]
        : [],
    ),
  };
}

/** A table belongs to its schema; its types, a view's rule and what is said of its columns belong to it. */
function dependencies(
  { table, numbers, namespace }: UserTable,
  relation: System["relation"],
  row: (name: string, values: Readonly<Record<string, Value>>) => Tuple,
): readonly Tuple[] {
  const on = (what: string, objid: number, of: string, refobjid: number, deptype: string, refobjsubid = 0) =>
    row("pg_depend", {
      classid: relation(what).oid,
      objid,
      objsubid: 0,
      refclassid: relation(of).oid,
      refobjid,
      refobjsubid,
      deptype,
    });
  const notNull = table.isView ? [] : table.columns.flatMap(({ nullable }, at) => (nullable ? [] : [at + 1]));
  return [
    on("pg_class", numbers.relation, "pg_namespace", namespace, "n"),
    on("pg_type", numbers.rowType, "pg_class", numbers.relation, "i"),
    on("pg_type", numbers.arrayType, "pg_type", numbers.rowType, "i"),
    ...(table.isView ? [on("pg_rewrite", numbers.relation + 3, "pg_class", numbers.relation, "i")] : []),
    ...notNull.map((at) =>
      on("pg_constraint", numbers.constraint(at), "pg_class", numbers.relation, "a", at),
    ),
  ];
}

/** What is said of a table in one line: private: each row is one person. */
export function tableComment({ kind, unit }: TableDescription): string {
  return unit === null ? kind : `${kind}: ${unit}`;
}
