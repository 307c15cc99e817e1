import { type Principal, signedOut } from "../../access/index.ts";
import type { PeopleStore } from "../people-store.ts";
import { sameBytes } from "../same-bytes.ts";
import { tokenHash, tokenId } from "./token-text.ts";

const bytes = (hex: string): Uint8Array => Buffer.from(hex, "hex");

/** Compared with where no token has the id, so that the work is the same. No text has this hash that anybody could find. */
const noHash = "0".repeat(64);

/**
 * Says who sends a token. Its roles are those that token and person both have.
 * @param now milliseconds since 1970
 * Errors: serve.signed-out, with one text for a token that is no token, unknown, wrong, expired, or of a disabled person.
 */
export async function principalOfToken(store: PeopleStore, text: string, now: number): Promise<Principal> {
  const id = tokenId(text);
  const person = id === null ? null : await store.byToken(id);
  const record = person?.tokens.find((token) => token.id === id);
  const holds = sameBytes(bytes(tokenHash(text)), bytes(record?.hash ?? noHash));
  if (!holds || !person || !record || person.disabled || !(now < record.expiresAt)) throw signedOut();
  return {
    name: person.name,
    roles: record.roles.filter((role) => person.roles.includes(role)),
    projects: person.projects,
    proof: { kind: "token", token: record.id, maxEpsilon: record.maxEpsilon, expiresAt: record.expiresAt },
  };
}
