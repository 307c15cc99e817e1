import { LetheError } from "@lethe/core";
import type { Client, ClientConfig } from "pg";
import { type PostgresPlace, placeText } from "./place.ts";
import { passwordFile, passwordFrom, type SignIn } from "./sign-in/password-file.ts";

/** One row of a result, by the names of its columns. Whole numbers of 64 bits are texts. */
export type Row = Readonly<Record<string, unknown>>;

/** What a statement gave: its tag, such as COMMIT, and its rows. */
export interface Told {
  readonly command: string;
  readonly rows: readonly Row[];
}

/** A session of the database. A test puts one in its place that breaks. */
export interface Connection {
  /** Runs one statement with values, or several without; one result each. Errors: {@link Cut} where the session is gone; else PostgreSQL's own. */
  run(sql: string, values?: readonly unknown[]): Promise<readonly Told[]>;
  /** The code of the latest warning since it was asked last; null where there was none. */
  warning(): string | null;
  /** Ends it, politely where it can. Never fails. */
  end(): Promise<void>;
}

/** The session is gone: what was asked of it last was done, or was not. */
export class Cut extends Error {}

/** Loaded on first use: a ledger in a file needs no client. */
async function driver(): Promise<typeof import("pg")["default"]> {
  try {
    return (await import("pg")).default;
  } catch {
    throw new LetheError("ledger.unreadable", "the client of PostgreSQL does not load", {
      fix: "install the package pg beside Lethe",
    });
  }
}

/** SQLSTATE classes and codes after which a session is gone or may be: 08, and the server that goes down or comes up. */
const gone = /^(?:08|57P0[1-5]|25P0[34])/;

/**
 * Opens a session. The password comes from PGPASSWORD or the password file. Errors: {@link Cut} where nobody answers; ledger.unreadable where a password is asked for and there is none; PostgreSQL's own.
 * @param waitMs the longest wait for an answer, in milliseconds; a session that is silent for longer is taken for cut
 */
export async function connect(place: PostgresPlace, waitMs: number): Promise<Connection> {
  const pg = await driver();
  const config: ClientConfig = {
    connectionString: place.url,
    application_name: "lethe ledger",
    connectionTimeoutMillis: Math.min(waitMs, 10_000),
    query_timeout: waitMs,
    keepAlive: true,
  };
  const client = new pg.Client(config);
  const session = client as unknown as Session;
  // Else the driver reads the file itself, and says on standard error that it will not for long.
  session.password ??= () => {
    const found = passwordFrom(passwordFile(), session.connectionParameters);
    if (found === null) throw noPassword(place);
    return found;
  };
  let warned: string | null = null;
  // Told to whoever waits; between two questions nobody does, and the next one finds the session gone.
  client.on("error", () => undefined);
  client.on("notice", ({ code }) => {
    warned = code ?? "";
  });
  await client.connect().catch((error: unknown) => {
    leave(client);
    throw notEncrypted(place, error) ?? cutOr(place, error);
  });
  return {
    async run(sql, values) {
      try {
        const told: unknown = await client.query(
          values === undefined ? { text: sql } : prepared(sql, values),
        );
        return (Array.isArray(told) ? told : [told]) as readonly Told[];
      } catch (error) {
        throw cutOr(place, error);
      }
    },
    warning() {
      const latest = warned;
      warned = null;
      return latest;
    },
    end: async () => leave(client),
  };
}

/** What a client of `pg` has beside its types. */
interface Session {
  /** Null where neither the URL nor PGPASSWORD holds one; a function is asked when the server asks. */
  password: string | null | (() => string);
  readonly connectionParameters: SignIn;
}

function noPassword(place: PostgresPlace): LetheError {
  return new LetheError(
    "ledger.unreadable",
    `the ledger in ${placeText(place)} asks for a password, and there is none`,
    {
      fix: "put it into PGPASSWORD, or into the password file, which nobody else may read (chmod 600 ~/.pgpass)",
      fields: { host: place.host, database: place.database, schema: place.schema },
    },
  );
}

/** The refusal of a way that is not encrypted as the URL asks; null for any other error. */
function notEncrypted(place: PostgresPlace, error: unknown): LetheError | null {
  if (!(error instanceof Error)) return null;
  const { code = "" } = error as NodeJS.ErrnoException;
  const told = /^The server does not support SSL/.test(error.message)
    ? [
        "takes no TLS, which its URL asks for",
        "turn TLS on at the server (ssl = on); only on this machine itself leave sslmode out of the URL",
      ]
    : /CERT|_TLS_|UNABLE_TO_/.test(code)
      ? [
          `shows a certificate that is not trusted (${code})`,
          "name the file of the authority that signed it as sslrootcert in the URL, and the server as its certificate names it",
        ]
      : null;
  if (told === null) return null;
  const [what, fix] = told;
  return new LetheError("ledger.unreadable", `the ledger in ${placeText(place)} ${what}`, {
    fix: fix!,
    fields: { host: place.host },
  });
}

/** Statements with values are planned once a session, by their texts. */
const names = new Map<string, string>();

function prepared(
  sql: string,
  values: readonly unknown[],
): { name: string; text: string; values: unknown[] } {
  const name = names.get(sql) ?? `lethe_${names.size}`;
  names.set(sql, name);
  return { name, text: sql, values: [...values] };
}

/** Does not wait for the server's goodbye, which a session that is cut never sends. */
function leave(client: Client): void {
  client.end().catch(() => undefined);
  const { connection } = client as unknown as {
    readonly connection?: { readonly stream?: { destroySoon?(): void } };
  };
  connection?.stream?.destroySoon?.();
}

/** An error that PostgreSQL sent leaves the session whole, but for those that end it; any other error is of the way there. */
function cutOr(place: PostgresPlace, error: unknown): unknown {
  if (error instanceof LetheError) return error;
  const state = sqlState(error);
  if (state !== null && !gone.test(state)) return error;
  return new Cut(`the session with ${placeText(place)} is gone`, { cause: error });
}

/** The SQLSTATE of an error that PostgreSQL sent; null of any other. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error && "severity" in error && "code" in error)) return null;
  return typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}
