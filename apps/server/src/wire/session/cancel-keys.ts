import type { RandomBytes } from "@lethe/serve";

/** The key of a connection: whoever shows both numbers may call off what it waits for. */
export interface CancelKey {
  readonly process: number;
  readonly secret: number;
}

/** A key as one text. */
export function keyText({ process, secret }: CancelKey): string {
  return `${process} ${secret}`;
}

/** The keys of all connections. Nothing is ever answered to who calls off, so that nobody learns which keys there are. */
export class CancelKeys {
  readonly #random: RandomBytes;
  readonly #held = new Map<number, { readonly secret: number; readonly cancel: () => void }>();

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  /** Gives a connection its key. The number of a process is drawn too: one that counts would tell how many connect. */
  add(cancel: () => void): CancelKey {
    for (;;) {
      const drawn = Buffer.from(this.#random(8));
      const process = drawn.readUInt32BE(0) >>> 1;
      if (process === 0 || this.#held.has(process)) continue;
      const secret = drawn.readInt32BE(4);
      this.#held.set(process, { secret, cancel });
      return { process, secret };
    }
  }

  remove({ process }: CancelKey): void {
    this.#held.delete(process);
  }

  /** Calls off what a connection waits for. Returns whether it is one of these. */
  cancel({ process, secret }: CancelKey): boolean {
    const held = this.#held.get(process);
    if (held?.secret !== secret) return false;
    held.cancel();
    return true;
  }

  /** Calls off the connection whose key, as {@link keyText} writes it, is meant. */
  cancelMeant(isMeant: (key: string) => boolean): void {
    for (const [process, { secret, cancel }] of this.#held)
      if (isMeant(keyText({ process, secret }))) cancel();
  }
}
