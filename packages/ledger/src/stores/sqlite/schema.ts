/** "Leth" in ASCII: tells a ledger from any other SQLite file. */
export const applicationId = 0x4c657468;
/** Version of the tables below. */
export const schemaVersion = 2;

/**
 * Append-only tables, and the nodes of the tree, which are replaced. The partial unique indexes make a second charge, a second answer or a second
 * share of one request impossible. `payer` is whom a record charges.
 */
export const schema: readonly string[] = [
  `CREATE TABLE records (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 0),
    at INTEGER NOT NULL CHECK (at >= 0),
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    balance TEXT NOT NULL CHECK (length(balance) = 64),
    previous TEXT NOT NULL CHECK (length(previous) = 64),
    hash TEXT NOT NULL CHECK (length(hash) = 64),
    request TEXT GENERATED ALWAYS AS (payload ->> '$.requestId') VIRTUAL,
    principal TEXT GENERATED ALWAYS AS (payload ->> '$.principal') VIRTUAL,
    payer TEXT GENERATED ALWAYS AS (
      CASE kind WHEN 'reserve' THEN payload ->> '$.principal' WHEN 'share' THEN payload ->> '$.to' END
    ) VIRTUAL
  ) STRICT`,
  "CREATE INDEX records_of_request ON records (request, sequence) WHERE request IS NOT NULL",
  "CREATE INDEX charges ON records (sequence) WHERE payer IS NOT NULL",
  "CREATE INDEX charges_of_payer ON records (payer, sequence) WHERE payer IS NOT NULL",
  "CREATE UNIQUE INDEX one_reserve ON records (request, principal) WHERE kind = 'reserve'",
  "CREATE UNIQUE INDEX one_settle ON records (request, coalesce(principal, '')) WHERE kind = 'settle'",
  "CREATE UNIQUE INDEX one_share ON records (request, principal, payer) WHERE kind = 'share'",
  `CREATE TABLE releases (
    sequence INTEGER PRIMARY KEY REFERENCES records (sequence),
    bytes BLOB NOT NULL
  ) STRICT`,
  `CREATE TABLE balance (
    id INTEGER PRIMARY KEY CHECK (id = 0),
    content TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE nodes (
    path TEXT PRIMARY KEY,
    content TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  "CREATE TRIGGER records_stay BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'append only'); END",
  "CREATE TRIGGER records_remain BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'append only'); END",
  "CREATE TRIGGER releases_stay BEFORE UPDATE ON releases BEGIN SELECT RAISE(ABORT, 'append only'); END",
  "CREATE TRIGGER releases_remain BEFORE DELETE ON releases BEGIN SELECT RAISE(ABORT, 'append only'); END",
];

/** Version of a file whose ledger was moved: today's tables, and the seal below. Earlier releases open no such file. */
export const movedVersion = 3;

/** What seals a file: whoever has it open is refused by the trigger. `target` says where its ledger is. */
export const sealing: readonly string[] = [
  `CREATE TABLE moved (
    id INTEGER PRIMARY KEY CHECK (id = 0),
    target TEXT NOT NULL
  ) STRICT`,
  "CREATE TRIGGER records_end BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'the ledger was moved'); END",
];
