/** Version of the tables below. */
export const schemaVersion = 1;

/** SQLSTATE of what the tables refuse: a change of what only grows, and a record for a ledger that was moved away. */
export const refusals = { changed: "LE001", moved: "LE002" } as const;

/** The tables by name, and what the role of a gateway may do with each. */
export const rights: Readonly<Record<string, readonly string[]>> = {
  ledger: ["SELECT", "UPDATE"],
  records: ["SELECT", "INSERT"],
  releases: ["SELECT", "INSERT"],
  nodes: ["SELECT", "INSERT", "UPDATE"],
  moves: ["SELECT", "INSERT"],
};

/**
 * Returns the statements that make a ledger's tables, for their owner to run, who is not the gateways' role: that one may add records and never
 * change one, which is checked whenever a ledger is opened. `ledger` holds one row, the head, whose lock excludes every other writer; the
 * unique indexes make a second charge, a second answer or a second share of one request impossible. `moves` says where a ledger went.
 * @param schema a name that needs no quotes
 * @param role the gateways' role, which exists
 */
export function postgresSchema(schema: string, role: string): string {
  const grants = Object.entries(rights).map(
    ([table, allowed]) => `GRANT ${allowed.join(", ")} ON ${schema}.${table} TO ${quoted(role)}`,
  );
  return `${["BEGIN", `CREATE SCHEMA ${schema}`, ...tables(schema), `GRANT USAGE ON SCHEMA ${schema} TO ${quoted(role)}`, ...grants, "COMMIT"].join(";\n\n")};\n`;
}

/** A name in SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function tables(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.ledger (
  id smallint PRIMARY KEY CHECK (id = 0),
  version integer NOT NULL,
  sequence bigint,
  hash text COLLATE "C",
  balance text COLLATE "C"
)`,
    `INSERT INTO ${schema}.ledger (id, version) VALUES (0, ${schemaVersion})`,
    `CREATE TABLE ${schema}.records (
  sequence bigint PRIMARY KEY CHECK (sequence >= 0),
  at bigint NOT NULL CHECK (at >= 0),
  kind text COLLATE "C" NOT NULL,
  payload text COLLATE "C" NOT NULL,
  balance text COLLATE "C" NOT NULL CHECK (length(balance) = 64),
  previous text COLLATE "C" NOT NULL CHECK (length(previous) = 64),
  hash text COLLATE "C" NOT NULL CHECK (length(hash) = 64),
  request text COLLATE "C",
  principal text COLLATE "C",
  payer text COLLATE "C"
)`,
    `CREATE INDEX records_of_request ON ${schema}.records (request, sequence) WHERE request IS NOT NULL`,
    `CREATE INDEX charges ON ${schema}.records (sequence) WHERE payer IS NOT NULL`,
    `CREATE INDEX charges_of_payer ON ${schema}.records (payer, sequence) WHERE payer IS NOT NULL`,
    `CREATE UNIQUE INDEX one_reserve ON ${schema}.records (request, principal) WHERE kind = 'reserve'`,
    `CREATE UNIQUE INDEX one_settle ON ${schema}.records (request, COALESCE(principal, '')) WHERE kind = 'settle'`,
    `CREATE UNIQUE INDEX one_share ON ${schema}.records (request, principal, payer) WHERE kind = 'share'`,
    `CREATE TABLE ${schema}.releases (
  sequence bigint PRIMARY KEY REFERENCES ${schema}.records (sequence),
  bytes bytea NOT NULL
)`,
    `CREATE TABLE ${schema}.nodes (
  path text COLLATE "C" PRIMARY KEY,
  content text COLLATE "C" NOT NULL,
  changed bigint NOT NULL
)`,
    `CREATE INDEX nodes_changed ON ${schema}.nodes (changed)`,
    `CREATE TABLE ${schema}.moves (
  id smallint PRIMARY KEY CHECK (id = 0),
  target text COLLATE "C" NOT NULL
)`,
    `CREATE FUNCTION ${schema}.only_grows() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN RAISE EXCEPTION 'append only' USING ERRCODE = '${refusals.changed}'; END $$`,
    `CREATE FUNCTION ${schema}.is_here() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF EXISTS (SELECT FROM ${schema}.moves) THEN RAISE EXCEPTION 'moved' USING ERRCODE = '${refusals.moved}'; END IF;
  RETURN NULL;
END $$`,
    ...["records", "releases", "moves"].map(
      (table) =>
        `CREATE TRIGGER ${table}_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON ${schema}.${table} FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.only_grows()`,
    ),
    `CREATE TRIGGER ledger_is_here BEFORE INSERT ON ${schema}.records FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.is_here()`,
  ];
}
