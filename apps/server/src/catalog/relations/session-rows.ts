import type { System } from "../system/system.ts";
import type { Tuple, Value } from "../types/values.ts";
import type { CatalogSession } from "./catalog-session.ts";
import { owner, ownerName } from "./user-rows.ts";

/** The number of the role of whoever asks, and of the database that a client named. */
export const sessionRole = 16_383;
export const databaseNumber = 5;

type Row = Readonly<Record<string, Value>>;

/** The rows that differ between connections, by relation: the database that the client named, and the roles: the owner of all, those of PostgreSQL, and whoever asks. Nobody else is told of. */
export function sessionRows({
  relation,
}: System): Readonly<Record<string, (session: CatalogSession) => readonly Tuple[]>> {
  const rowOf = (name: string, values: Row): Tuple =>
    relation(name).columns.map((column) => values[column.name] ?? null);
  return {
    pg_database: ({ database }) => [
      rowOf("pg_database", {
        oid: databaseNumber,
        datname: database,
        datdba: owner,
        encoding: 6,
        datlocprovider: "c",
        datistemplate: false,
        datallowconn: true,
        dathasloginevt: false,
        datconnlimit: -1,
        datfrozenxid: 0,
        datminmxid: 1,
        dattablespace: 1663,
        datcollate: "C",
        datctype: "C",
      }),
    ],
    pg_authid: ({ user }) => [
      ...(relation("pg_authid").rows?.() ?? []),
      ...(user === ownerName
        ? []
        : [
            rowOf("pg_authid", {
              oid: sessionRole,
              rolname: user,
              rolsuper: false,
              rolinherit: true,
              rolcreaterole: false,
              rolcreatedb: false,
              rolcanlogin: true,
              rolreplication: false,
              rolbypassrls: false,
              rolconnlimit: -1,
            }),
          ]),
    ],
  };
}
