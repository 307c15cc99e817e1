import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { TrinoAddress } from "./trino-address.ts";

/** A request of the protocol. */
export interface TrinoRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What limits a request. */
export interface RequestLimits {
  /** The milliseconds until an answer must be there. */
  readonly requestMs: number;
  /** The most bytes of an answer. */
  readonly maxAnswerBytes: number;
  /** How often a server that is busy, or does not answer, is asked again. */
  readonly retries: number;
}

/** The waits between tries double from the first to the last, in milliseconds. */
const [firstWait, lastWait] = [100, 5_000];

/** 502, 503 and 504 are a proxy's or a starting server's, 429 is a busy one's: Trino's protocol has them asked again. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Asks a server and returns the text of its answer. Redirections are refused. A busy server is asked again, and so is one that a request of a page did not reach; a statement is sent
 * once to a server that answers. Errors: Error, which names the status or the code of the network, for the owner's log.
 */
export async function askTrino(
  address: TrinoAddress,
  request: TrinoRequest,
  limits: RequestLimits,
  signal: AbortSignal,
): Promise<string> {
  let wait = firstWait;
  for (let left = limits.retries; ; left -= 1) {
    signal.throwIfAborted();
    const answer = await tryOnce(address, request, limits, signal).catch((error: unknown) => error);
    if (typeof answer === "string") return answer;
    if (!(answer instanceof Passing) || left <= 0) throw answer;
    await pause(Math.min(answer.waitMs ?? wait, lastWait), undefined, { signal });
    wait = Math.min(2 * wait, lastWait);
  }
}

/** A failure that may be gone at the next try. */
class Passing extends Error {
  readonly waitMs: number | null;

  constructor(message: string, waitMs: number | null = null) {
    super(message);
    this.waitMs = waitMs;
  }
}

async function tryOnce(
  address: TrinoAddress,
  { method, url, headers = {}, body }: TrinoRequest,
  { requestMs, maxAnswerBytes }: RequestLimits,
  signal: AbortSignal,
): Promise<string> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${requestMs} ms`)), requestMs);
  const stop = (): void => late.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...identity(address) },
      redirect: "manual",
      signal: late.signal,
      ...(body === undefined ? {} : { body }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const said = `the server answered with status ${response.status}`;
      if (passing.has(response.status)) throw new Passing(said, retryAfter(response));
      throw new Error(said);
    }
    return await textOf(response, maxAnswerBytes);
  } catch (error) {
    if (late.signal.aborted) throw late.signal.reason;
    if (method === "GET" && error instanceof TypeError) throw new Passing(networkCode(error));
    throw error instanceof TypeError ? new Error(networkCode(error)) : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** Says who asks; each time anew, since a token's file may have been renewed. */
function identity({ user, password, tokenFile }: TrinoAddress): Readonly<Record<string, string>> {
  if (password !== null) {
    const pair = Buffer.from(`${user}:${password}`, "utf8").toString("base64");
    return { "X-Trino-User": user, Authorization: `Basic ${pair}` };
  }
  if (tokenFile !== null)
    return { "X-Trino-User": user, Authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
  return { "X-Trino-User": user };
}

function retryAfter(response: Response): number | null {
  const seconds = response.headers.get("retry-after");
  return seconds !== null && /^\d{1,4}$/.test(seconds) ? 1000 * Number(seconds) : null;
}

/** Reads an answer to its end; one that is larger than may be is left. */
async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (!(bytes <= maxBytes)) throw new Error(`an answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  // Bytes that are no UTF-8 are refused: two texts must not become one.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
}

/** Returns the code of a network's failure, which names neither address nor answer. */
function networkCode(error: TypeError): string {
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  return `the server cannot be reached${typeof code === "string" ? ` (${code})` : ""}`;
}
