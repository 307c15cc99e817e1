import { LetheError } from "@lethe/core";
import {
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** A service's address, and the token that it knows its asker by. */
export interface BridgeParts {
  /** Such as https://lethe.example. */
  readonly server: string;
  readonly token: string;
}

/** The code of JSON-RPC for a failure of the server's own. */
const serverError = -32_000;
/** A service that says nothing for so long is not there. */
const patienceMs = 10_000;

/**
 * Hands each message of the process's standard input to a running service, and what it answers to standard output, until `ended` resolves. It adds the token and changes nothing. What does not arrive is answered
 * here, so that the client never waits for it.
 */
export async function bridgeStdio({ server, token }: BridgeParts, ended: Promise<void>): Promise<void> {
  const near = new StdioServerTransport();
  const far = new StreamableHTTPClientTransport(new URL("/mcp", server), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: fetchOrRefuse,
  });
  far.onmessage = (message) => {
    const version = isJSONRPCResultResponse(message) ? message.result.protocolVersion : undefined;
    if (typeof version === "string") far.setProtocolVersion(version);
    void near.send(message);
  };
  near.onmessage = (message: JSONRPCMessage) => {
    far.send(message).catch((error: unknown) => {
      if (isJSONRPCRequest(message)) void near.send(undelivered(message.id, error));
    });
  };
  await far.start();
  await near.start();
  await ended;
  await far.close();
  await near.close();
}

/** Sends a request; a refusal of the service is an error with its code and fix. */
async function fetchOrRefuse(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const type = response.headers.get("content-type") ?? "";
  if (response.ok || !type.startsWith("application/problem+json")) return response;
  const { code, detail, fix } = (await response.json()) as Readonly<Record<string, string | undefined>>;
  throw new Error([code, detail, fix].filter((part) => part !== undefined).join(": "));
}

function undelivered(id: string | number, error: unknown): JSONRPCMessage {
  const message = error instanceof Error ? error.message : "the service cannot be reached";
  return { jsonrpc: "2.0", id, error: { code: serverError, message } };
}

/** Asks whether the service knows the token, before a client waits for it. Errors: cli.usage. */
export async function requireReachable({ server, token }: BridgeParts): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
  const signal = AbortSignal.timeout(patienceMs);
  const response = await fetch(new URL("/v1/me", server), { headers, signal }).catch(() => null);
  if (response?.ok) return;
  throw new LetheError(
    "cli.usage",
    response === null
      ? `no service answers at ${server}`
      : `the service at ${server} does not know the token`,
    {
      fix:
        response === null
          ? "start it with lethe serve, or name the address that it tells"
          : "make a new one with lethe people token NAME, and write it into the file",
    },
  );
}
