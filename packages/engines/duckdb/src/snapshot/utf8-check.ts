/** Whether bytes are UTF-8, one after another (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF). */
export class Utf8Check {
  /** Continuation bytes that are due, and the range of the next. */
  #due = 0;
  #low = 0x80;
  #high = 0xbf;

  /** Between two characters. */
  get isWhole(): boolean {
    return this.#due === 0;
  }

  accepts(byte: number): boolean {
    if (this.#due === 0) return byte < 0x80 || this.#begins(byte);
    if (byte < this.#low || byte > this.#high) return false;
    this.#due -= 1;
    this.#low = 0x80;
    this.#high = 0xbf;
    return true;
  }

  #begins(byte: number): boolean {
    if (byte < 0xc2 || byte > 0xf4) return false;
    this.#due = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    if (byte === 0xe0) this.#low = 0xa0;
    else if (byte === 0xed) this.#high = 0x9f;
    else if (byte === 0xf0) this.#low = 0x90;
    else if (byte === 0xf4) this.#high = 0x8f;
    return true;
  }
}
