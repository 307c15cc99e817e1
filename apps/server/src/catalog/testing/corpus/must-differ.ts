/** A column that cannot be equal on both sides: `query` is the id of a statement, or * for every one. */
export interface MustDiffer {
  readonly query: string;
  readonly column: string;
  readonly why: string;
  /** Whether the catalog says NULL where PostgreSQL says something. */
  readonly isNull?: true;
}

const transaction = "PostgreSQL numbers the transactions that made a row, and nothing made ours";
const machine = "it names PostgreSQL's compiler and machine";

/** What cannot be equal. Oids of user objects are not in it: they are compared by the names of what they number. */
export const mustDiffer: readonly MustDiffer[] = [
  ...["xmin", "state_number", "table_state_number", "relfrozenxid", "relminmxid", "datfrozenxid"].map(
    (column) => ({ query: "*", column, why: transaction }),
  ),
  { query: "jetbrains.transaction", column: "current_txid", why: transaction },
  ...["adbc.connect", "knex.hasTable", "typeorm.tables", "npgsql.version", "sqlalchemy2.connect.2"].map(
    (query) => ({ query, column: "version", why: machine }),
  ),
  {
    query: "jetbrains.start-time",
    column: "startup_time",
    why: "when the service began is told to nobody",
    isNull: true,
  },
  {
    query: "jetbrains.view-sources",
    column: "source_text",
    why: "the view of the other side is a stand-in; the text of the policy's is not told",
    isNull: true,
  },
  { query: "superset.backend", column: "pid", why: "it is the number of the connection" },
  { query: "psql18.l+", column: "Size", why: "the catalog holds no rows" },
  {
    query: "psql18.dAf",
    column: "Applicable types",
    why: "the statement states no order for the list, which is that of PostgreSQL's files",
  },
  {
    query: "sqlalchemy2.get-columns.2",
    column: "condefs",
    why: "the checks of two domains of information_schema have the brackets that pretty printing leaves out",
  },
];

/** Values within JSON that differ: those of transactions, the version, and what can be written to a table, which is nothing here. */
export const differsInJson: RegExp =
  /(?<="(?:datfrozenxid|relfrozenxid|relminmxid|updatable_mask|pg_version)" ?: ?)(?:"[^"]*"|\d+)/g;

const settings = "the settings are those that a connection has here";

/** Statements whose rows are our own: only names and types of columns are the same. */
export const ownRows: Readonly<Record<string, string>> = {
  "psql18.dconfig": settings,
  "psql18.dconfig-work-mem": settings,
  "psql18.tab-SET": settings,
  "psql18.tab-SET-ti": settings,
  "psql18.tab-SET-ti.2": settings,
  "psql18.tab-SHOW": settings,
};

const numbered = "it is the order of oids, and both sides number user objects as they like";

/** Statements whose ORDER BY leaves ties, which PostgreSQL settles as it happens, or is of oids. */
export const anyOrder: Readonly<Record<string, string>> = {
  "asyncpg.introspect.2": "types of the same depth stand in any order",
  "npgsql.types": "types of the same kind stand in any order",
  "adbc.connect.2": numbered,
  "postgres.js.connect": numbered,
  "pgjdbc.getTypeInfo.2": numbered,
  // One text of JSON, whose lists have that order.
  "graphile.introspection": numbered,
};
