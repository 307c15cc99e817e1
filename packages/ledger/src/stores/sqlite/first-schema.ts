/** Version of the tables of the first format. */
export const firstVersion = 1;

/** The tables of the first format: one unique charge and answer for each id, whoever asked. */
export const firstSchema: readonly string[] = [
  `CREATE TABLE records (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 0),
    at INTEGER NOT NULL CHECK (at >= 0),
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    balance TEXT NOT NULL CHECK (length(balance) = 64),
    previous TEXT NOT NULL CHECK (length(previous) = 64),
    hash TEXT NOT NULL CHECK (length(hash) = 64),
    request TEXT GENERATED ALWAYS AS (payload ->> '$.requestId') VIRTUAL
  ) STRICT`,
  "CREATE INDEX records_of_request ON records (request, sequence) WHERE request IS NOT NULL",
  "CREATE UNIQUE INDEX one_reserve ON records (request) WHERE kind = 'reserve'",
  "CREATE UNIQUE INDEX one_settle ON records (request) WHERE kind = 'settle'",
  `CREATE TABLE releases (
    sequence INTEGER PRIMARY KEY REFERENCES records (sequence),
    bytes BLOB NOT NULL
  ) STRICT`,
  `CREATE TABLE balance (
    id INTEGER PRIMARY KEY CHECK (id = 0),
    content TEXT NOT NULL
  ) STRICT`,
  "CREATE TRIGGER records_stay BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'append only'); END",
  "CREATE TRIGGER records_remain BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'append only'); END",
  "CREATE TRIGGER releases_stay BEFORE UPDATE ON releases BEGIN SELECT RAISE(ABORT, 'append only'); END",
  "CREATE TRIGGER releases_remain BEFORE DELETE ON releases BEGIN SELECT RAISE(ABORT, 'append only'); END",
];
