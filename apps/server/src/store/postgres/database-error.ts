import { LetheError } from "@lethe/core";

/** What is known of a failure by its code: SQLSTATE classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html, and those of the operating system. */
const meanings: readonly (readonly [pattern: RegExp, what: string, fix: string])[] = [
  [/^28/, "refuses the service's role", "check the role and the password in the variable of `store.url_env`"],
  [/^3D000$/, "is not there", "create the database, or name another one in the variable of `store.url_env`"],
  [
    /^42501$/,
    "does not let the service's role do that",
    "give the role CREATE on the database, or the schema lethe_service",
  ],
  [
    /^25006$/,
    "takes no writes: it is a replica, or read-only",
    "name the primary in the variable of `store.url_env`",
  ],
  [
    /CERT|_TLS_|^UNABLE_TO_/,
    "shows a certificate that is not trusted",
    "name the file of the authority that signed it as sslrootcert in the variable of `store.url_env`, and the server as its certificate names it",
  ],
  [/^53/, "has no room left", "free disk space, or raise max_connections"],
  [
    /^(?:08|57P|E[A-Z]+$)/,
    "cannot be reached",
    "start it, and check the address in the variable of `store.url_env`",
  ],
];

/** The refusal of a service's database that is not as it should be. */
export function unreadableDatabase(what: string, fix: string): LetheError {
  return new LetheError("people.unreadable", `the service's database ${what}`, { fix });
}

/** An error of the driver as a coded one, which names neither address nor role. A coded one passes unchanged, and so does a fault of ours. */
export function databaseError(error: unknown): unknown {
  if (error instanceof LetheError || !(error instanceof Error)) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  if (code === null) {
    const [, what, fix] = saidByDriver.find(([pattern]) => pattern.test(error.message)) ?? [];
    return what !== undefined && fix !== undefined ? unreadableDatabase(what, fix) : error;
  }
  const [, what, fix] = meanings.find(([pattern]) => pattern.test(code)) ?? [];
  if (what !== undefined && fix !== undefined) return unreadableDatabase(what, fix);
  return unreadableDatabase(
    `failed (${code})`,
    "look into the database's own log, and restore it from a backup where it is damaged",
  );
}

/** The driver gives no code to what it finds by itself. */
const saidByDriver: readonly (readonly [pattern: RegExp, what: string, fix: string])[] = [
  [
    /^(?:Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error)/i,
    "cannot be reached",
    "start it, and check the address in the variable of `store.url_env`",
  ],
  [
    /^The server does not support SSL/,
    "takes no TLS, which its URL asks for",
    "turn TLS on at the server (ssl = on); only on this machine itself leave sslmode out of the variable of `store.url_env`",
  ],
  [
    /^SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be/,
    "asks for a password, and there is none",
    "write it into the variable of `store.url_env`: postgres://role:password@host/database",
  ],
];
