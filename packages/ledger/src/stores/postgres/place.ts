import { LetheError } from "@lethe/core";

/** The place of a ledger in a server: a database, and a schema in it. */
export interface PostgresPlace {
  /** A connection URL without a password, as `pg` reads it. */
  readonly url: string;
  readonly host: string;
  readonly database: string;
  readonly schema: string;
  /** Whether a server is refused that acknowledges without a synchronous replica. */
  readonly needsReplica: boolean;
}

/** The parameters of a URL that are the client's: how to encrypt the way, and as what it is seen. */
const clientParameters: readonly string[] = [
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "sslnegotiation",
  "uselibpqcompat",
  "application_name",
];

const example = "postgres://lethe_gateway@db.example/budgets?schema=lethe";

/** Whether a text names a place in PostgreSQL, and not a directory. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text);
}

/**
 * Reads postgres://ROLE@HOST:PORT/DATABASE?schema=SCHEMA. The schema is `lethe` where none is named; further parameters, such as
 * sslmode, are the client's; any other is refused, so that no promise is lost by a slip of the pen. With synchronous_replica=required a server is refused that acknowledges alone. Errors: parameter.invalid for any other text, and for one that holds a password, which it does not repeat.
 */
export function readPostgresUrl(text: string): PostgresPlace {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refused("is no connection URL", `write ${example}`);
  }
  if (!isPostgresUrl(text) || url.hostname === "" || url.pathname.length < 2)
    throw refused("is no connection URL of PostgreSQL with a host and a database", `write ${example}`);
  if (url.password !== "" || url.searchParams.has("password"))
    throw refused(
      "holds a password, which would lie in a file",
      `write ${example}, and the password into PGPASSWORD or into the password file (~/.pgpass, PGPASSFILE)`,
    );
  const schema = url.searchParams.get("schema") ?? "lethe";
  const replica = url.searchParams.get("synchronous_replica");
  for (const name of ["schema", "synchronous_replica"]) url.searchParams.delete(name);
  const unknown = [...url.searchParams.keys()].find((name) => !clientParameters.includes(name));
  if (unknown !== undefined)
    throw refused(
      `has a parameter that is not known: ${unknown}`,
      `write ${example}; schema, synchronous_replica, ${clientParameters.join(", ")} are known`,
    );
  if (replica !== null && replica !== "required")
    throw refused(
      "says something else of synchronous_replica than required",
      "write synchronous_replica=required, or leave it out",
    );
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith("pg_"))
    throw refused("names a schema that is not of small letters, digits and _", `write ${example}`);
  return {
    url: url.href,
    host: url.host,
    database: decodeURIComponent(url.pathname.slice(1)),
    schema,
    needsReplica: replica !== null,
  };
}

/** The place as it is told: without the role. */
export function placeText({ host, database, schema }: PostgresPlace): string {
  return `${host}/${database}, schema ${schema}`;
}

/** The place as it is written into a file: what {@link readPostgresUrl} reads. */
export function placeUrl({ url, schema, needsReplica }: PostgresPlace): string {
  const written = new URL(url);
  written.searchParams.set("schema", schema);
  if (needsReplica) written.searchParams.set("synchronous_replica", "required");
  return written.href;
}

function refused(what: string, fix: string): LetheError {
  return new LetheError("parameter.invalid", `the ledger's URL ${what}`, { fix, fields: { name: "url" } });
}
