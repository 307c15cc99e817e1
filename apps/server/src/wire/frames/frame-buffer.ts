import { tooLarge } from "@lethe/serve";
import { protocolError } from "./protocol-error.ts";

/** A message of a client: the letter of its kind, and what stands after its length. */
export interface Frame {
  readonly kind: string;
  readonly body: Buffer;
}

const leastRoom = 1_024;
const mostKeptRoom = 65_536;

/**
 * Cuts the bytes of a client into messages. Room is made for bytes that came, and never for a length that a message states. A message whose length is impossible, or above what is taken, is
 * refused by its first bytes.
 */
export class FrameBuffer {
  #room = Buffer.alloc(0);
  #start = 0;
  #end = 0;

  /** The number of bytes that came and were not taken. */
  get waiting(): number {
    return this.#end - this.#start;
  }

  push(bytes: Uint8Array): void {
    const needed = this.waiting + bytes.length;
    if (this.#end + bytes.length > this.#room.length) {
      const room =
        needed > this.#room.length ? Buffer.allocUnsafe(Math.max(leastRoom, 2 * needed)) : this.#room;
      this.#room.copy(room, 0, this.#start, this.#end);
      [this.#room, this.#end, this.#start] = [room, this.waiting, 0];
    }
    this.#room.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /**
   * Takes a message without a letter, as those at the beginning are; null until it is whole.
   * @param most in bytes, without its length
   * Errors: serve.protocol, serve.too-large.
   */
  takeStartup(most: number): Buffer | null {
    return this.#take(0, most);
  }

  /** Takes a message with a letter; null until it is whole. `mostOf` returns the most bytes of a kind, and null for what is no kind. Errors: serve.protocol, serve.too-large. */
  takeFrame(mostOf: (kind: string) => number | null): Frame | null {
    if (this.waiting === 0) return null;
    const kind = String.fromCharCode(this.#room.readUInt8(this.#start));
    const most = mostOf(kind);
    if (most === null) throw protocolError("a message is of no kind that a client sends");
    const body = this.#take(1, most);
    return body && { kind, body };
  }

  #take(before: number, most: number): Buffer | null {
    if (this.waiting < before + 4) return null;
    const length = this.#room.readInt32BE(this.#start + before);
    if (length < 4) throw protocolError("a message states a length that none has");
    if (length - 4 > most) throw tooLarge(most);
    const [from, to] = [this.#start + before + 4, this.#start + before + length];
    if (to > this.#end) return null;
    const body = Buffer.from(this.#room.subarray(from, to));
    this.#start = to;
    if (this.waiting === 0) {
      [this.#start, this.#end] = [0, 0];
      if (this.#room.length > mostKeptRoom) this.#room = Buffer.alloc(0);
    }
    return body;
  }
}
