import type { AddressInfo, Server } from "node:net";
import { LetheError } from "@lethe/core";

/** A server that listens. */
export interface Listening {
  readonly address: string;
  readonly port: number;
  /** Takes no further connection, lets requests in flight end for at most so many milliseconds, and closes what is left. */
  close(graceMs: number): Promise<void>;
}

/** The place where a server of any protocol listens, and how its connections end. */
export interface ListeningParts {
  readonly address: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** The part of the configuration that names the place. */
  readonly section: "listen" | "postgres";
  readonly mostConnections: number;
  /** Ends the connections that wait for nothing. */
  readonly endIdle: () => void;
  /** Ends every connection at once. */
  readonly endAll: () => void;
}

/** Lets a server listen. Errors: cli.file where the address is taken or not to be had. */
export async function beginListening(
  server: Server,
  { address, port, section, mostConnections, endIdle, endAll }: ListeningParts,
): Promise<Listening> {
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ code = "unknown" }: NodeJS.ErrnoException) =>
      reject(
        new LetheError("cli.file", `the service cannot listen on ${address}:${port} (${code})`, {
          fix: `end what listens there, or choose another ${section}.port or ${section}.address in the service's configuration`,
          fields: { port },
        }),
      ),
    );
    server.listen(port, address, resolve);
  });
  const at = server.address() as AddressInfo;
  return {
    address: at.address,
    port: at.port,
    close: (graceMs) =>
      new Promise((resolve) => {
        const late = setTimeout(endAll, graceMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        endIdle();
      }),
  };
}
