import type { EventEmitter } from "node:events";
import { connect, type Socket } from "node:net";
import type { PostgresPort, ScramChallenge } from "@lethe/audit";
import { LetheError } from "@lethe/core";
import { Client, type ClientConfig, DatabaseError } from "pg";
import { endOf } from "./raw-requests.ts";

/** An answer by PostgreSQL's protocol, as a client sees it. */
export interface PostgresAnswer {
  readonly rows: readonly (readonly unknown[])[];
  /** The first NOTICE: price and request. */
  readonly notice: string;
}

/** A refusal by PostgreSQL's protocol. */
export class PostgresRefusal extends Error {
  /** The stable code of the error. */
  readonly code: string;

  constructor(code: string) {
    super(`refused: ${code}`);
    this.code = code;
  }
}

/** Reads the address of the port. Errors: cli.usage where a password would be sent in the clear, or it is no address. */
export function postgresAddress(text: string): ClientConfig {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hostname === "" || url.username !== "")
    throw new LetheError("cli.usage", `${text || '""'} is no address of PostgreSQL's protocol`, {
      fix: "write --postgres postgresql://lethe.example:5432, without a user",
    });
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  return { host, port: Number(url.port) || 5432, database: "lethe", ...(isHere ? {} : { ssl: true }) };
}

/** Attacks this port. */
export function postgresPort(address: ClientConfig): PostgresPort {
  return {
    challenge: (name) => challenged(address, name),
    send: (bytes, patience) =>
      endOf(connect({ host: address.host ?? "", port: address.port ?? 0 }), bytes, patience),
  };
}

/** Asks on a connection of its own, by a token. Errors: PostgresRefusal. */
export async function askPostgres(
  address: ClientConfig,
  token: string,
  sql: string,
  epsilon: string,
): Promise<PostgresAnswer> {
  const options = `-c lethe.epsilon=${epsilon}`;
  const client = new Client({ ...address, user: "token", password: token, options });
  const notices: string[] = [];
  client.on("notice", ({ message }) => void notices.push(message ?? ""));
  // An end of the connection also rejects whatever waits for it.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: "array" });
    return { rows, notice: notices[0] ?? "" };
  } catch (error) {
    if (error instanceof DatabaseError) throw new PostgresRefusal(error.routine ?? error.code ?? "");
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function challenged(address: ClientConfig, user: string): Promise<ScramChallenge | null> {
  const client = new Client({ ...address, user, password: "none" });
  const { connection } = client as unknown as {
    readonly connection: EventEmitter & { readonly stream: Socket };
  };
  const from = performance.now();
  return new Promise((resolve) => {
    const end = (challenge: ScramChallenge | null): void => {
      connection.stream.destroy();
      resolve(challenge);
    };
    // The client's own listener, which would send a proof, comes after this one and meets an ended connection.
    connection.on("authenticationSASLContinue", ({ data }: { readonly data: string }) => {
      const [, salt, iterations] = /,s=([^,]+),i=(\d+)/.exec(data) ?? [];
      const took = performance.now() - from;
      end(salt === undefined ? null : { salt, iterations: Number(iterations), took });
    });
    client.on("error", () => end(null));
    client.connect().catch(() => end(null));
  });
}
