import { createHash } from "node:crypto";
import { type RandomBytes, randomText } from "../random-bytes.ts";

/** A new token. The text is shown once. */
export interface NewToken {
  readonly id: string;
  readonly text: string;
  readonly hash: string;
}

/** lethe_, 16 hexadecimal digits that name the token, and 256 bits that prove it. Scanners for secrets find it by its beginning. */
const form = /^lethe_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** SHA-256 of a whole token, hexadecimal. A token has 256 bits of its own, so a hash that is fast to compute keeps it. */
export function tokenHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Draws a token. */
export function newToken(random: RandomBytes): NewToken {
  const id = Buffer.from(random(8)).toString("hex");
  const text = `lethe_${id}_${randomText(random)}`;
  return { id, text, hash: tokenHash(text) };
}

/** The name by which clients of PostgreSQL sign in with a token: all of it that is public. */
const userForm = /^lethe_([0-9a-f]{16})$/;

/** The user's name of a token. */
export function tokenUser(id: string): string {
  return `lethe_${id}`;
}

/** The id of the token whose user's name this is; null for any other name. */
export function idOfTokenUser(user: string): string | null {
  return userForm.exec(user)?.[1] ?? null;
}

/** The id within a token's text; null for what is no token. */
export function tokenId(text: string): string | null {
  return form.exec(text)?.[1] ?? null;
}
