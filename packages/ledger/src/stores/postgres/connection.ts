import { LetheError } from "@lethe/core";
import type { Client, ClientConfig } from "pg";
import { type PostgresPlace, placeText } from "./place.ts";

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
 * Opens a session. The password comes from PGPASSWORD or the password file. Errors: {@link Cut} where nobody answers; PostgreSQL's own.
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
  let warned: string | null = null;
  // Told to whoever waits; between two questions nobody does, and the next one finds the session gone.
  client.on("error", () => undefined);
  client.on("notice", ({ code }) => {
    warned = code ?? "";
  });
  await client.connect().catch((error: unknown) => {
    leave(client);
    throw cutOr(place, error);
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
