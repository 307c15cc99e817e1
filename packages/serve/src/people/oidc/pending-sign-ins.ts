import { type RandomBytes, randomText } from "../random-bytes.ts";
import { tokenHash } from "../tokens/token-text.ts";
import { type PendingSignIn, pendingMs } from "./code-flow.ts";

/** Keeps sign-ins until they come back: {@link PendingSignIns} in one process, or a store that several share. */
export interface PendingStore {
  /** Keeps a sign-in, and returns the secret for the browser's cookie. */
  keep(pending: PendingSignIn, random: RandomBytes): string | Promise<string>;
  /** Returns the sign-in of a browser, once. */
  take(secret: string | null): PendingSignIn | null | Promise<PendingSignIn | null>;
}

/** Sign-ins that have not come back, each under the hash of a secret that the browser holds in a cookie. At most `most` are kept; the oldest go first. */
export class PendingSignIns implements PendingStore {
  readonly #most: number;
  readonly #pending = new Map<string, PendingSignIn>();

  constructor(most = 1000) {
    this.#most = most;
  }

  get size(): number {
    return this.#pending.size;
  }

  keep(pending: PendingSignIn, random: RandomBytes): string {
    const secret = randomText(random);
    for (const [key, { startedAt }] of this.#pending)
      if (pending.startedAt - startedAt > pendingMs || this.#pending.size >= this.#most)
        this.#pending.delete(key);
      else break;
    this.#pending.set(tokenHash(secret), pending);
    return secret;
  }

  take(secret: string | null): PendingSignIn | null {
    const key = tokenHash(secret ?? "");
    const pending = this.#pending.get(key) ?? null;
    this.#pending.delete(key);
    return pending;
  }
}
