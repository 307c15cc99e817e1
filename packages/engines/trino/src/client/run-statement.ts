import { askTrino, type RequestLimits } from "./ask-trino.ts";
import type { TrinoAddress } from "./trino-address.ts";
import { readPage, type TrinoPage } from "./trino-page.ts";

/** A statement to run, and under what. */
export interface TrinoStatement {
  readonly address: TrinoAddress;
  readonly sql: string;
  /** The properties of its session. */
  readonly session: Readonly<Record<string, string>>;
  readonly limits: RequestLimits;
  /** Ends it: here, and on the server. */
  readonly signal: AbortSignal;
  /** The owner's log. */
  readonly log: (detail: string) => void;
}

/** The milliseconds until a server must have taken note that a statement is to end. */
const cancelMs = 10_000;

/**
 * Runs a statement and hands on its pages as they come. When the caller leaves before the end, or anything fails, the server is told to end it.
 * Errors: TrinoFailure; those of askTrino; Error for an answer that is not of the protocol or points to another server.
 * @example for await (const { columns, rows } of runStatement({ address, sql: "SELECT 1", session: {}, limits, signal, log })) …
 */
export async function* runStatement(statement: TrinoStatement): AsyncGenerator<TrinoPage, void, undefined> {
  const { address, sql, limits, signal } = statement;
  const post = { method: "POST", url: `${address.origin}/v1/statement`, body: sql } as const;
  let page = readPage(await askTrino(address, { ...post, headers: headersOf(statement) }, limits, signal));
  let next = nextOf(page, address);
  try {
    yield page;
    while (next !== null) {
      page = readPage(await askTrino(address, { method: "GET", url: next }, limits, signal));
      // From here on the former page's address is spent, and this one's names what still runs.
      next = nextOf(page, address);
      yield page;
    }
  } finally {
    if (next !== null) await cancel(statement, next);
  }
}

function headersOf({ session }: TrinoStatement): Readonly<Record<string, string>> {
  const properties = Object.entries(session).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return {
    "Content-Type": "text/plain; charset=utf-8",
    "X-Trino-Source": "lethe",
    // One spelling of times, whatever the server's zone; the digits of a time as its type has them.
    "X-Trino-Time-Zone": "UTC",
    "X-Trino-Language": "en",
    "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
    ...(properties.length === 0 ? {} : { "X-Trino-Session": properties.join(",") }),
  };
}

/** Returns where the next page lies; on the server that was asked, or nowhere: an answer must not send requests and credentials elsewhere. */
function nextOf({ nextUri }: TrinoPage, { origin }: TrinoAddress): string | null {
  if (nextUri === null) return null;
  const url = URL.canParse(nextUri) ? new URL(nextUri) : null;
  if (url === null || url.origin !== origin || !url.pathname.startsWith("/v1/statement/"))
    throw new Error(
      "the next page does not lie at the server that was asked: behind a proxy, let Trino heed X-Forwarded-Host and -Proto (http-server.process-forwarded)",
    );
  return url.href;
}

async function cancel({ address, limits, log }: TrinoStatement, url: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(cancelMs);
    await askTrino(address, { method: "DELETE", url }, { ...limits, requestMs: cancelMs }, signal);
  } catch (error) {
    log(`a statement was not ended: ${error instanceof Error ? error.message : String(error)}`);
  }
}
