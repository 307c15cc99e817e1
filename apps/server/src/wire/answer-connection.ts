import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { LetheError } from "@lethe/core";
import { errorFields } from "./answers/error-fields.ts";
import { Connection } from "./connection.ts";
import { protocolError } from "./frames/protocol-error.ts";
import { serverMessage } from "./frames/server-message.ts";
import { type CancelKey, type CancelKeys, keyText } from "./session/cancel-keys.ts";
import { CatalogQueries } from "./session/catalog-queries.ts";
import { Settings } from "./session/settings.ts";
import type { Channel } from "./sign-in/channel.ts";
import { Closing } from "./sign-in/closing.ts";
import { type Opened, openChannel } from "./sign-in/open-channel.ts";
import { signIn } from "./sign-in/sign-in.ts";
import type { WireParts } from "./wire-parts.ts";

/** What all connections of one service share. */
export interface Shared {
  readonly wire: WireParts;
  /** Null where the service has no certificate, and so listens on loopback alone. */
  readonly tls: { readonly context: SecureContext; readonly endPoint: Uint8Array | null } | null;
  readonly keys: CancelKeys;
  /** The connections of those who signed in. */
  readonly open: Set<Connection>;
}

/** The connections of one person: one more is refused, so that nobody takes all that there are. */
const mostOfOne = 100;
/** How long a client may take until it is signed in. */
const beginMs = 30_000;

/** Answers one connection, from its first byte on. It never throws. */
export async function answerConnection(socket: Socket, shared: Shared): Promise<void> {
  const address = (socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/, "");
  let channel: Channel | null = null;
  const late = setTimeout(() => socket.destroy(), beginMs);
  try {
    const opened = await openChannel(socket, shared.tls?.context ?? null, (begun) => {
      channel = begun;
    });
    if (opened?.packet.kind === "cancel") await cancel(opened.packet, address, shared);
    else if (opened) {
      const connection = await begin(opened, address, shared);
      clearTimeout(late);
      if (connection) await connection();
    }
  } catch (error) {
    await tellLast(channel, error);
  } finally {
    clearTimeout(late);
    (channel as Channel | null)?.close();
  }
}

/** Calls off what another connection waits for. Nothing is answered, whatever came of it. */
async function cancel(key: CancelKey, address: string, { wire, keys }: Shared): Promise<void> {
  try {
    await wire.admission.admit("read", null, address);
    // A connection of another process of the service: which one, nobody knows.
    if (!keys.cancel(key)) wire.node?.cancel(keyText(key));
  } catch {
    // The refusal was written down; whoever calls off learns nothing.
  }
}

/** Tells why a connection ends. An error that is none of ours is told by its code alone. */
async function tellLast(channel: Channel | null, error: unknown): Promise<void> {
  const fields = errorFields(error, "FATAL");
  await channel?.write(serverMessage.error(fields));
}

/** Signs somebody in, and returns what answers them; null where the client is gone. */
async function begin(
  { channel, packet, isTls }: Opened,
  address: string,
  { wire, tls, keys, open }: Shared,
): Promise<(() => Promise<void>) | null> {
  if (packet.kind !== "start") return null;
  if (tls !== null && !isTls)
    throw new LetheError("serve.protocol", "this service is spoken to over TLS alone", {
      fix: "connect with sslmode=verify-full, or require",
    });
  await wire.admission.admit("read", null, address);
  const { parameters, minor } = packet;
  const user = parameters.get("user") ?? "";
  if (user === "") throw protocolError("no user is named");
  if (parameters.has("replication")) throw protocolError("there is no replication here");
  const unknown = [...parameters.keys()].filter((name) => name.startsWith("_pq_."));
  if (minor > 0 || unknown.length > 0) await channel.write(serverMessage.negotiate(unknown));
  const signedIn = await signIn(
    {
      ...{ channel, user, address },
      isPrivate: isTls || /^(?:127\.|::1$)/.test(address),
      binding: isTls && tls ? tls.endPoint : null,
    },
    wire,
  );
  if (signedIn === null) return null;
  const { name } = signedIn;
  const others = [...open].filter(({ session }) => session.user === name);
  if (others.length >= mostOfOne)
    throw new Closing("53300", `one person has at most ${mostOfOne} connections`);
  const reported: Buffer[] = [];
  let isBegun = false;
  const settings = new Settings(name, (setting, value) => {
    const message = serverMessage.setting(setting, value);
    if (isBegun) void channel.write(message);
    else reported.push(message);
  });
  for (const [setting, value] of statedSettings(parameters)) settings.begin(setting, value);
  const key = keys.add(() => connection.cancel());
  const connection = new Connection({
    ...{ channel, signedIn, address, settings, wire, process: key.process },
    database: parameters.get("database") ?? user,
    queries: others[0]?.queries ?? new CatalogQueries(),
  });
  open.add(connection);
  settings.reportAll();
  isBegun = true;
  return async () => {
    try {
      await connection.send(
        serverMessage.authenticated(),
        ...reported,
        serverMessage.cancelKey(key.process, key.secret),
      );
      await connection.run();
    } finally {
      keys.remove(key);
      open.delete(connection);
    }
  };
}

/** The settings that a client states as it connects: each by its name, and those of `options`, as -c name=value. */
function* statedSettings(parameters: ReadonlyMap<string, string>): Iterable<readonly [string, string]> {
  for (const [name, value] of parameters) {
    if (name !== "options") yield [name, value];
    else
      for (const [, setting = "", stated = ""] of value.matchAll(
        /(?:^|\s)(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\\\s])*)/g,
      ))
        yield [setting.replaceAll("-", "_"), stated.replace(/\\(.)/g, "$1")];
  }
}
