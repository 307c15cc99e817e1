import { drawFunction } from "./draw-function.ts";

/** The schema that holds the service's tables: one service in one database. */
export const schemaName = "lethe_service";

/** Version of the tables below. */
export const schemaVersion = 1;

const name = schemaName;

/**
 * The tables of a service that several processes share, as those of the file are. One row holds what is of the whole service: the count of changes of people, the secret, and the place of the audit log's last entry. Whoever
 * changes people or writes facts locks that row first, so that they follow one another in all processes. People stay and the audit log is append-only, also for whoever may write.
 */
export const schema: readonly string[] = [
  `CREATE SCHEMA ${name}`,
  `REVOKE ALL ON SCHEMA ${name} FROM PUBLIC`,
  `CREATE TABLE ${name}.service (
    id integer PRIMARY KEY CHECK (id = 0),
    version integer NOT NULL,
    secret bytea NOT NULL CHECK (length(secret) = 32),
    shape text,
    revision bigint NOT NULL,
    policy_hash text,
    policy text
  )`,
  `CREATE TABLE ${name}.people (folded text PRIMARY KEY, content text NOT NULL)`,
  `CREATE TABLE ${name}.tokens (id text PRIMARY KEY, person text NOT NULL REFERENCES ${name}.people (folded))`,
  `CREATE INDEX tokens_of_person ON ${name}.tokens (person)`,
  `CREATE TABLE ${name}.identities (
    issuer text NOT NULL,
    subject text NOT NULL,
    person text NOT NULL REFERENCES ${name}.people (folded),
    PRIMARY KEY (issuer, subject)
  )`,
  `CREATE INDEX identities_of_person ON ${name}.identities (person)`,
  `CREATE TABLE ${name}.sessions (
    hash text PRIMARY KEY CHECK (length(hash) = 64),
    id text NOT NULL,
    person text NOT NULL,
    folded text NOT NULL,
    generation bigint NOT NULL,
    started_at bigint NOT NULL,
    used_at bigint NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY
  )`,
  `CREATE INDEX sessions_of_person ON ${name}.sessions (folded)`,
  `CREATE INDEX sessions_by_use ON ${name}.sessions (used_at, place)`,
  `CREATE TABLE ${name}.dashboards (
    id text PRIMARY KEY,
    person text NOT NULL,
    changed_at bigint NOT NULL,
    content text NOT NULL
  )`,
  `CREATE INDEX dashboards_of_person ON ${name}.dashboards (person, changed_at)`,
  `CREATE TABLE ${name}.dashboard_readers (
    dashboard text NOT NULL REFERENCES ${name}.dashboards (id) ON DELETE CASCADE,
    reader text NOT NULL,
    PRIMARY KEY (dashboard, reader)
  )`,
  `CREATE INDEX dashboards_of_reader ON ${name}.dashboard_readers (reader)`,
  `CREATE TABLE ${name}.audit_head (
    id integer PRIMARY KEY CHECK (id = 0),
    sequence bigint NOT NULL,
    hash text NOT NULL CHECK (length(hash) = 64)
  )`,
  `CREATE TABLE ${name}.audit (
    sequence bigint PRIMARY KEY CHECK (sequence >= 0),
    hash text NOT NULL CHECK (length(hash) = 64),
    content text NOT NULL
  )`,
  `CREATE TABLE ${name}.attempts (
    kind text NOT NULL CHECK (kind IN ('pair', 'name', 'address', 'known')),
    key text NOT NULL,
    level double precision NOT NULL,
    last double precision NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (kind, key)
  )`,
  `CREATE TABLE ${name}.pending_sign_ins (hash text PRIMARY KEY, started_at double precision NOT NULL, content text NOT NULL)`,
  `CREATE TABLE ${name}.nodes (id text PRIMARY KEY, until double precision NOT NULL)`,
  `CREATE SEQUENCE ${name}.terms`,
  `CREATE TABLE ${name}.journeys (
    principal text NOT NULL,
    request_id text NOT NULL,
    node text NOT NULL,
    term bigint NOT NULL,
    slot_at double precision NOT NULL,
    PRIMARY KEY (principal, request_id)
  )`,
  `CREATE INDEX journeys_of_node ON ${name}.journeys (node)`,
  // Buckets are not written to the disk's log: a server that crashed begins with full ones, as a service of one process does that is started again.
  `CREATE UNLOGGED TABLE ${name}.buckets (
    key text PRIMARY KEY,
    full_at double precision NOT NULL,
    span double precision NOT NULL
  ) WITH (fillfactor = 50)`,
  drawFunction(name),
  `CREATE FUNCTION ${name}.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '% is append only, and people are disabled, never removed', TG_TABLE_NAME; END $$`,
  `CREATE TRIGGER people_remain BEFORE DELETE OR TRUNCATE ON ${name}.people FOR EACH STATEMENT EXECUTE FUNCTION ${name}.refuse()`,
  `CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ${name}.audit FOR EACH STATEMENT EXECUTE FUNCTION ${name}.refuse()`,
];

/** Describes the columns, keys, indexes, triggers and functions that lie in the schema: what was kept when it was made is compared with what is there when it is opened. */
export const shapeSql: string = `
  SELECT encode(sha256(convert_to(string_agg(part, E'\\n' ORDER BY part COLLATE "C"), 'UTF8')), 'hex') AS shape FROM (
    SELECT format('column %s.%s %s %s', table_name, column_name, data_type, is_nullable) AS part
      FROM information_schema.columns WHERE table_schema = '${name}'
    UNION ALL SELECT format('index %s', indexdef) FROM pg_catalog.pg_indexes WHERE schemaname = '${name}'
    UNION ALL SELECT format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_catalog.pg_constraint WHERE connamespace = '${name}'::regnamespace AND contype <> 'n'
    UNION ALL SELECT format('trigger %s %s', tgenabled, pg_get_triggerdef(pg_trigger.oid))
      FROM pg_catalog.pg_trigger JOIN pg_catalog.pg_class ON pg_class.oid = tgrelid
      WHERE relnamespace = '${name}'::regnamespace AND NOT tgisinternal
    UNION ALL SELECT format('function %s %s', proname, prosrc) FROM pg_catalog.pg_proc WHERE pronamespace = '${name}'::regnamespace
  ) AS parts`;
