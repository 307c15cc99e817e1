/** "LetS" in ASCII: tells this file from a ledger and from any other SQLite file. */
export const applicationId = 0x4c657453;
/** Version of the tables below. */
export const schemaVersion = 2;

/** The tables that version 2 added: dashboards, each a text, and who may read one beside its person. A file of version 1 gets them when it is opened. */
export const dashboardSchema: readonly string[] = [
  `CREATE TABLE dashboards (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    content TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX dashboards_of_person ON dashboards (person, changed_at)",
  `CREATE TABLE dashboard_readers (
    dashboard TEXT NOT NULL REFERENCES dashboards (id),
    reader TEXT NOT NULL,
    PRIMARY KEY (dashboard, reader)
  ) STRICT`,
  "CREATE INDEX dashboards_of_reader ON dashboard_readers (reader)",
];

/** One row counts the changes of people; the secret makes the verifiers of names that nobody has; tokens and identities find their person, each one only. Sessions are hashes of their secrets; one that is lost is signed in again. The audit log is append-only. */
export const schemaOfVersion1: readonly string[] = [
  "CREATE TABLE revision (id INTEGER PRIMARY KEY CHECK (id = 0), count INTEGER NOT NULL) STRICT",
  "CREATE TABLE secret (id INTEGER PRIMARY KEY CHECK (id = 0), bytes BLOB NOT NULL CHECK (length(bytes) = 32)) STRICT",
  "CREATE TABLE people (folded TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT",
  "CREATE TABLE tokens (id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES people (folded)) STRICT",
  "CREATE INDEX tokens_of_person ON tokens (person)",
  `CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    person TEXT NOT NULL REFERENCES people (folded),
    PRIMARY KEY (issuer, subject)
  ) STRICT`,
  "CREATE INDEX identities_of_person ON identities (person)",
  `CREATE TABLE sessions (
    hash TEXT PRIMARY KEY CHECK (length(hash) = 64),
    id TEXT NOT NULL,
    person TEXT NOT NULL,
    folded TEXT NOT NULL,
    generation INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX sessions_of_person ON sessions (folded)",
  "CREATE INDEX sessions_by_use ON sessions (used_at)",
  `CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY CHECK (sequence >= 0),
    hash TEXT NOT NULL CHECK (length(hash) = 64),
    content TEXT NOT NULL
  ) STRICT`,
  "CREATE TRIGGER people_remain BEFORE DELETE ON people BEGIN SELECT RAISE(ABORT, 'people are disabled, never removed'); END",
  "CREATE TRIGGER audit_stays BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'append only'); END",
  "CREATE TRIGGER audit_remains BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'append only'); END",
];

/** The tables of a file as it is made now. */
export const schema: readonly string[] = [...schemaOfVersion1, ...dashboardSchema];
