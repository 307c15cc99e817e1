import type { Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { protocolError } from "../frames/protocol-error.ts";
import { mostStartup, readStartup, type StartupPacket } from "../frames/startup-packet.ts";
import { Channel } from "./channel.ts";

/** A connection that is as private as it will be, and its first words. */
export interface Opened {
  readonly channel: Channel;
  readonly packet: Extract<StartupPacket, { kind: "start" | "cancel" }>;
  readonly isTls: boolean;
}

/**
 * Reads the beginning of a connection: requests for TLS and GSS, each at most once, and then the first words. Bytes that came before TLS was agreed upon would be taken for what came over
 * it (CVE-2021-23214), so they end the connection. Null where the client is gone.
 * @param tls the service's certificate and key; null where it has none, which is answered to a request for TLS
 * Errors: serve.protocol, serve.too-large.
 */
export async function openChannel(
  socket: Socket,
  tls: SecureContext | null,
  opened: (channel: Channel) => void,
): Promise<Opened | null> {
  let channel = new Channel(socket);
  opened(channel);
  let isTls = false;
  const asked = new Set<StartupPacket["kind"]>();
  for (;;) {
    const body = await channel.startup(mostStartup);
    if (body === null) return null;
    const packet = readStartup(body);
    if (packet.kind === "start" || packet.kind === "cancel") return { channel, packet, isTls };
    if (asked.has(packet.kind) || isTls) throw protocolError("encryption is asked for twice");
    asked.add(packet.kind);
    if (channel.ahead > 0) throw protocolError("bytes came before encryption was agreed upon");
    if (packet.kind === "gss" || tls === null) {
      await channel.write(Buffer.from("N"));
      continue;
    }
    await channel.write(Buffer.from("S"));
    channel = new Channel(await secured(channel.release(), tls));
    opened(channel);
    isTls = true;
  }
}

function secured(socket: Socket, secureContext: SecureContext): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = new TLSSocket(socket, { isServer: true, secureContext });
    const failed = (): void => reject(protocolError("TLS could not be agreed upon"));
    secure.once("error", failed).once("close", failed);
    secure.once("secure", () => {
      secure.off("error", failed).off("close", failed);
      resolve(secure);
    });
  });
}
