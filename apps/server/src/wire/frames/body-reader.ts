import { protocolError } from "./protocol-error.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads the parts of a message's body. Errors of each part: serve.protocol, where the body ends within it. */
export class BodyReader {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get left(): number {
    return this.#body.length - this.#at;
  }

  byte(): number {
    return this.#body.readUInt8(this.#move(1));
  }

  int16(): number {
    return this.#body.readInt16BE(this.#move(2));
  }

  int32(): number {
    return this.#body.readInt32BE(this.#move(4));
  }

  /** A count of parts that each have at least one byte. */
  count(): number {
    const count = this.#body.readUInt16BE(this.#move(2));
    if (count > this.left) throw protocolError("a message states more parts than it has");
    return count;
  }

  bytes(length: number): Buffer {
    const at = this.#move(length);
    return this.#body.subarray(at, at + length);
  }

  /** A text that ends with a zero. */
  text(): string {
    const end = this.#body.indexOf(0, this.#at);
    if (end < 0) throw protocolError("a text in a message does not end");
    const text = decode(this.#body.subarray(this.#at, end));
    this.#at = end + 1;
    return text;
  }

  /** Refuses a body that goes on. */
  end(): void {
    if (this.left > 0) throw protocolError("a message has more bytes than its parts");
  }

  #move(length: number): number {
    if (!(length >= 0 && length <= this.left)) throw protocolError("a message ends within one of its parts");
    const at = this.#at;
    this.#at += length;
    return at;
  }
}

/** Reads UTF-8. Errors: serve.protocol. */
export function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw protocolError("a text is not UTF-8");
  }
}
