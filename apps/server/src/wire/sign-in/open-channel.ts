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
 * it (CVE-2021-23214), so they end the connection. A connection may begin with TLS itself, as `sslnegotiation=direct` has it, where the client names the protocol: else what speaks TLS to any port could be
 * turned to this one (ALPACA). Null where the client is gone.
 * @param tls the service's certificate and key; null where it has none, which is answered to a request for TLS
 * Errors: serve.protocol, serve.too-large.
 */
export async function openChannel(
  socket: Socket,
  tls: SecureContext | null,
  opened: (channel: Channel) => void,
): Promise<Opened | null> {
  const first = await firstByte(socket);
  if (first === null) return null;
  let isTls = tls !== null && first === handshake;
  let channel = new Channel(isTls && tls ? await secured(socket, tls, true) : socket);
  opened(channel);
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
    channel = new Channel(await secured(channel.release(), tls, false));
    opened(channel);
    isTls = true;
  }
}

/** The first byte of a record of TLS that begins a handshake (RFC 8446, section 5.1). No length of PostgreSQL's that is taken begins with it. */
const handshake = 0x16;

/** The protocol's name in TLS (ALPN). */
const protocol = "postgresql";

/** Waits for the first byte of a client, which is left to be read; null where it is gone. */
function firstByte(socket: Socket): Promise<number | null> {
  return new Promise((resolve) => {
    const told = (bytes: Buffer): void => {
      socket.off("close", gone).pause();
      socket.unshift(bytes);
      resolve(bytes[0] ?? null);
    };
    const gone = (): void => {
      socket.off("data", told);
      resolve(null);
    };
    socket.once("data", told).once("close", gone);
  });
}

/** @param isNamed whether the client must name the protocol */
function secured(socket: Socket, secureContext: SecureContext, isNamed: boolean): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: [protocol] });
    const refuse = (what: string): void => {
      socket.destroy();
      reject(protocolError(what));
    };
    const failed = (): void => refuse("TLS could not be agreed upon");
    secure.once("error", failed).once("close", failed);
    secure.once("secure", () => {
      if (isNamed && secure.alpnProtocol !== protocol)
        return refuse("TLS from the first byte must name the protocol postgresql");
      secure.off("error", failed).off("close", failed);
      resolve(secure);
    });
  });
}
