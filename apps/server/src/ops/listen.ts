import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { LetheError } from "@lethe/core";
import { senderAddress } from "@lethe/serve";
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

/** A server that listens. */
export interface Listening {
  readonly address: string;
  readonly port: number;
  /** Takes no further connection, lets requests in flight end for at most so many milliseconds, and closes what is left. */
  close(graceMs: number): Promise<void>;
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
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(address, port, error.code)));
    server.listen(port, address, resolve);
  });
  const at = server.address() as AddressInfo;
  return {
    address: at.address,
    port: at.port,
    close: (graceMs) =>
      new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** The refusal to start where a port cannot be had; `section` is that of the configuration. */
export function cannotListen(
  address: string,
  port: number,
  reason: string | undefined,
  section: "listen" | "postgres" = "listen",
): LetheError {
  return new LetheError(
    "cli.file",
    `the service cannot listen on ${address}:${port} (${reason ?? "unknown"})`,
    {
      fix: `end what listens there, or choose another ${section}.port or ${section}.address in the service's configuration`,
      fields: { port },
    },
  );
}
