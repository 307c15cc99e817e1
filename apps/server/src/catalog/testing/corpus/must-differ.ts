/** A column that cannot be equal on both sides: `query` is the id of a statement, or * for every one. */
export interface MustDiffer {
  readonly query: string;
  readonly column: string;
  readonly why: string;
}

const transaction = "PostgreSQL numbers the transactions that made a row, and nothing made ours";

/** What cannot be equal. Oids of user objects are not in it: they are compared by the names of what they number. Two servers of PostgreSQL itself differ in most of it. */
export const mustDiffer: readonly MustDiffer[] = [
  ...["xmin", "state_number", "table_state_number", "relfrozenxid", "relminmxid", "datfrozenxid"].map(
    (column) => ({ query: "*", column, why: transaction }),
  ),
  { query: "*", column: "version", why: "it names the platform of a server of PostgreSQL" },
  { query: "jetbrains.transaction", column: "current_txid", why: transaction },
  { query: "jetbrains.start-time", column: "startup_time", why: "it is the moment when the server began" },
  { query: "superset.backend", column: "pid", why: "it is the number of the connection" },
  { query: "psql18.l+", column: "Size", why: "the catalog holds no rows" },
];

/** Statements whose ORDER BY leaves ties, which PostgreSQL settles as it happens. */
export const ties: Readonly<Record<string, string>> = {
  "asyncpg.introspect.2": "types of the same depth stand in any order",
  "npgsql.types": "types of the same kind stand in any order",
  "adbc.connect.2": "it is ordered by oids, and those of tables differ",
  "postgres.js.connect": "it is ordered by oids, and those of tables differ",
  "pgjdbc.getTypeInfo.2": "it is ordered by oids, and those of tables differ",
};

const settings = "settings are those that a connection has here";

/** Statements whose answers differ as a whole. */
export const differing: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["dconfig", "dconfig-work-mem", "tab-SET", "tab-SET-ti", "tab-SET-ti.2", "tab-SHOW"].map((name) => [
      `psql18.${name}`,
      settings,
    ]),
  ),
  "graphile.introspection": "its one JSON holds numbers of transactions",
  "psql18.dAf": "it puts texts together in no stated order",
};

/** Statements whose answers differ where there are views. */
export const differingByViews: Readonly<Record<string, string>> = {
  "jetbrains.view-sources": "the text of a view is not told here",
};
