import type { Socket } from "node:net";
import { type ClientMessage, mostBytes, readMessage } from "../frames/client-message.ts";
import { type Frame, FrameBuffer } from "../frames/frame-buffer.ts";

/** Bytes that a client may send ahead; then it is read no further until these are taken. */
const mostAhead = 262_144;
/** How long a client may leave what is written unread. */
const unreadMs = 60_000;

/**
 * The messages of one socket, read as they are taken and written as fast as the client reads. Nothing is read of a client that is far ahead.
 */
export class Channel {
  readonly #socket: Socket;
  readonly #frames = new FrameBuffer();
  readonly #ended = new AbortController();
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", this.#read);
    for (const event of ["end", "close", "error"] as const) socket.on(event, this.#end);
  }

  /** Aborted when the client is gone. */
  get gone(): AbortSignal {
    return this.#ended.signal;
  }

  /** The number of bytes that were read and not taken. */
  get ahead(): number {
    return this.#frames.waiting;
  }

  /** Waits for the next message without a letter; null where the client is gone. Errors: serve.protocol, serve.too-large. */
  startup(most: number): Promise<Buffer | null> {
    return this.#next(() => this.#frames.takeStartup(most));
  }

  /** Waits for the next answer to a question of the sign-in. Errors: those of {@link startup}. */
  signIn(most: number): Promise<Frame | null> {
    return this.#next(() => this.#frames.takeFrame((kind) => (kind === "p" ? most : null)));
  }

  /** Waits for the next message of a client that is signed in. Errors: those of {@link startup}. */
  async message(mostText: number): Promise<ClientMessage | null> {
    const limits = mostBytes(mostText);
    const frame = await this.#next(() => this.#frames.takeFrame(limits));
    return frame && readMessage(frame);
  }

  /** Writes, and waits while the client does not read. What is written in one turn of the loop leaves together. */
  async write(bytes: Uint8Array): Promise<void> {
    const socket = this.#socket;
    if (socket.destroyed) return;
    socket.cork();
    process.nextTick(() => socket.uncork());
    if (socket.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(() => socket.destroy(), unreadMs);
      const done = (): void => {
        clearTimeout(late);
        socket.off("drain", done).off("close", done);
        resolve();
      };
      socket.on("drain", done).on("close", done);
    });
  }

  /** Lets go of the socket, for another protocol over it. */
  release(): Socket {
    this.#socket.off("data", this.#read).pause();
    for (const event of ["end", "close", "error"] as const) this.#socket.off(event, this.#end);
    return this.#socket;
  }

  /** Ends the connection once what was written is sent. */
  close(): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    const late = setTimeout(() => socket.destroy(), 1_000);
    late.unref();
    socket.end(() => {
      clearTimeout(late);
      socket.destroy();
    });
  }

  readonly #read = (bytes: Buffer): void => {
    this.#frames.push(bytes);
    if (this.#frames.waiting > mostAhead) this.#socket.pause();
    this.#wake();
  };

  readonly #end = (): void => {
    this.#ended.abort();
    this.#wake();
  };

  async #next<T>(take: () => T | null): Promise<T | null> {
    for (;;) {
      const taken = take();
      if (taken !== null) {
        if (this.#frames.waiting <= mostAhead) this.#socket.resume();
        return taken;
      }
      if (this.gone.aborted) return null;
      this.#socket.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
