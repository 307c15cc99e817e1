import { createServer, type Socket } from "node:net";
import { createSecureContext } from "node:tls";
import { beginListening, type Listening } from "../ops/begin-listening.ts";
import type { ListenOptions } from "../ops/listen.ts";
import { answerConnection, type Shared } from "./answer-connection.ts";
import { CancelKeys } from "./session/cancel-keys.ts";
import { endPointHash } from "./sign-in/end-point-hash.ts";
import type { WireParts } from "./wire-parts.ts";

const mostConnections = 1_000;

/** Listens for PostgreSQL's protocol, version 3. Errors: cli.file where the address is taken or not to be had. */
export async function listenWire(
  wire: WireParts,
  { address, port, tls }: Pick<ListenOptions, "address" | "port" | "tls">,
): Promise<Listening> {
  const shared: Shared = {
    wire,
    tls: tls && {
      context: createSecureContext({ cert: tls.certificate, key: tls.key, minVersion: "TLSv1.2" }),
      endPoint: endPointHash(tls.certificate),
    },
    keys: new CancelKeys(wire.random),
    open: new Set(),
  };
  wire.node?.onCancel((isMeant) => shared.keys.cancelMeant(isMeant));
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    sockets.add(socket);
    // Whoever is gone is met where something is read or written.
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    void answerConnection(socket, shared);
  });
  return beginListening(server, {
    ...{ address, port, mostConnections },
    section: "postgres",
    endIdle: () => {
      for (const connection of shared.open) connection.stop();
    },
    endAll: () => {
      for (const socket of sockets) socket.destroy();
    },
  });
}
