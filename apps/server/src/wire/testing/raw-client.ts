import { connect, type Socket } from "node:net";

/** A message of the service, as it came. */
export interface Told {
  readonly kind: string;
  readonly body: Buffer;
}

/** A client of PostgreSQL's protocol that sends whatever a test wants, and gives what comes back. */
export class RawClient {
  readonly socket: Socket;
  #bytes = Buffer.alloc(0);
  #isEnded = false;
  #wake: () => void = () => undefined;

  /** @param to a port of this machine, or a connection that there is */
  constructor(to: number | Socket) {
    this.socket = typeof to === "number" ? connect(to, "127.0.0.1") : to;
    this.socket.on("data", (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
      this.#wake();
    });
    this.socket.on("error", () => undefined);
    this.socket.on("close", () => {
      this.#isEnded = true;
      this.#wake();
    });
  }

  send(...parts: readonly Uint8Array[]): void {
    this.socket.write(Buffer.concat(parts));
  }

  /** Signs in by a token, and waits until the service is ready. */
  async signIn(token: string, settings: Readonly<Record<string, string>> = {}): Promise<readonly Told[]> {
    this.send(startup({ user: "token", database: "lethe", ...settings }));
    const asked = await this.next();
    if (asked?.kind !== "R" || asked.body.readInt32BE() !== 3) throw new Error("no password is asked for");
    this.send(frame("p", text(token)));
    return this.until("Z");
  }

  /** Sends messages, and gives what comes until the service is ready. */
  async ask(...messages: readonly Uint8Array[]): Promise<readonly Told[]> {
    this.send(...messages);
    return this.until("Z");
  }

  /** Gives all messages up to the first of a kind, or to the end. */
  async until(kind: string): Promise<readonly Told[]> {
    const told: Told[] = [];
    for (let next = await this.next(); next; next = await this.next()) {
      told.push(next);
      if (next.kind === kind) break;
    }
    return told;
  }

  /** Gives the next message; null at the end. */
  async next(): Promise<Told | null> {
    for (;;) {
      const length = this.#bytes.length < 5 ? null : this.#bytes.readInt32BE(1);
      if (length !== null && this.#bytes.length > length) {
        const told = {
          kind: this.#bytes.toString("latin1", 0, 1),
          body: Buffer.from(this.#bytes.subarray(5, length + 1)),
        };
        this.#bytes = this.#bytes.subarray(length + 1);
        return told;
      }
      if (this.#isEnded) return null;
      await this.#more();
    }
  }

  /** Gives the next byte; null at the end. */
  async byte(): Promise<string | null> {
    while (this.#bytes.length === 0) {
      if (this.#isEnded) return null;
      await this.#more();
    }
    const [first] = this.#bytes.toString("latin1", 0, 1);
    this.#bytes = this.#bytes.subarray(1);
    return first ?? null;
  }

  close(): void {
    this.socket.destroy();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

export const text = (value: string): Buffer => Buffer.from(`${value}\0`);

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export function frame(kind: string, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(kind, "latin1"), int32(body.length + 4), body]);
}

export function startup(parameters: Readonly<Record<string, string>>, version: number = 3 << 16): Buffer {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [text(name), text(value)]);
  const body = Buffer.concat([int32(version), ...pairs, Buffer.from([0])]);
  return Buffer.concat([int32(body.length + 4), body]);
}

export const query = (sql: string): Buffer => frame("Q", text(sql));
export const sync: Buffer = frame("S");
export const parse = (name: string, sql: string, types: readonly number[] = []): Buffer =>
  frame("P", text(name), text(sql), int16(types.length), ...types.map(int32));
export const bind = (
  portal: string,
  statement: string,
  values: readonly (string | Buffer | null)[] = [],
  formats: { readonly binary?: boolean; readonly given?: boolean } = {},
): Buffer =>
  frame(
    "B",
    ...[text(portal), text(statement), int16(1), int16(formats.given ? 1 : 0), int16(values.length)],
    ...values.flatMap((value) =>
      value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value as string)],
    ),
    ...[int16(1), int16(formats.binary ? 1 : 0)],
  );
export const describeOf = (of: "S" | "P", name: string): Buffer => frame("D", Buffer.from(of), text(name));
export const execute = (portal: string, most = 0): Buffer => frame("E", text(portal), int32(most));

/** The fields of an error or a notice, by their letters. */
export function fieldsOf(told: Told | undefined): Readonly<Record<string, string>> {
  const parts = (told?.body.toString() ?? "").split("\0").filter((part) => part !== "");
  return Object.fromEntries(parts.map((part) => [part.slice(0, 1), part.slice(1)]));
}

/** The kinds of messages, in their order. */
export const kindsOf = (told: readonly Told[]): string => told.map(({ kind }) => kind).join("");

/** The values of a row: null for NULL. */
export function rowOf({ body }: Told): readonly (Buffer | null)[] {
  const values: (Buffer | null)[] = [];
  let at = 2;
  for (let count = body.readInt16BE(); count > 0; count -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : body.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return values;
}
