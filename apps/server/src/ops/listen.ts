import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { getRequestListener } from "@hono/node-server";
import { senderAddress } from "@lethe/serve";
import { beginListening, type Listening } from "./begin-listening.ts";
import { refuseUnreadable, unreadableRequest } from "./unreadable-request.ts";

/** Where a server listens, and as whom. */
export interface ListenOptions {
  readonly address: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Certificate and key as PEM; null for plain HTTP. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  /** The proxies whose word on the sender's address is taken. */
  readonly proxies: readonly string[];
}

/** Handles a request that came from an address. */
export type Handle = (request: Request, env: { readonly address: string }) => Response | Promise<Response>;

/** Bounds on what a slow or a hostile client may hold: milliseconds, bytes and connections. */
const bounds = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16_384,
  // One without a host is refused with the others that no route is asked about.
  requireHostHeader: false,
} as const;

const mostConnections = 2_000;

/** Listens for HTTP, or HTTPS from TLS 1.2 on. Errors: cli.file where the address is taken or not to be had. */
export async function listen(handle: Handle, options: ListenOptions): Promise<Listening> {
  const { address, port, tls, proxies } = options;
  const fetch = (
    request: Request,
    { incoming }: { readonly incoming: { readonly socket: { readonly remoteAddress?: string | undefined } } },
  ) =>
    handle(request, {
      address: senderAddress(
        incoming.socket.remoteAddress ?? "",
        request.headers.get("x-forwarded-for"),
        proxies,
      ),
    });
  const answer = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
    // From here on this process makes responses that are written as they were made, of a text and an object of headers: those of undici wrap both, and are unwrapped again for the socket.
    overrideGlobalObjects: true,
    errorHandler: unreadableRequest,
  });
  const server =
    tls === null
      ? createServer(bounds, answer)
      : createSecureServer({ ...bounds, cert: tls.certificate, key: tls.key, minVersion: "TLSv1.2" }, answer);
  refuseUnreadable(server, bounds.maxHeaderSize);
  let isEnding = false;
  // A connection that stays would bring further requests, until it is cut in the middle of one.
  server.prependListener("request", (_, response) => {
    if (isEnding) response.shouldKeepAlive = false;
  });
  return beginListening(server, {
    ...{ address, port, mostConnections },
    section: "listen",
    endIdle: () => {
      isEnding = true;
      // Those that answer now are idle afterwards, and end soon: not at once, as their next request may be under way.
      server.keepAliveTimeout = 1_000;
      server.closeIdleConnections();
    },
    endAll: () => server.closeAllConnections(),
  });
}
