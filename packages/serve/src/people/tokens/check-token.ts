import { type Principal, signedOut } from "../../access/index.ts";
import type { PeopleStore } from "../people-store.ts";
import type { Person, TokenRecord } from "../person.ts";
import { sameBytes } from "../same-bytes.ts";
import { tokenHash, tokenId } from "./token-text.ts";

const bytes = (hex: string): Uint8Array => Buffer.from(hex, "hex");

/** Compared with where no token has the id, so that the work is the same. No text has this hash that anybody could find. */
const noHash = "0".repeat(64);

/** A token, and the person whose it is. Both are null where no token has the id. */
export interface HeldToken {
  readonly person: Person | null;
  readonly record: TokenRecord | null;
}

/** Looks a token up by its public id. */
export async function heldToken(store: PeopleStore, id: string | null): Promise<HeldToken> {
  const person = id === null ? null : await store.byToken(id);
  return { person, record: person?.tokens.find((token) => token.id === id) ?? null };
}

/**
 * Says who sends a token. Its roles are those that token and person both have.
 * @param now milliseconds since 1970
 * Errors: serve.signed-out, with one text for a token that is no token, unknown, wrong, expired, or of a disabled person.
 */
export async function principalOfToken(store: PeopleStore, text: string, now: number): Promise<Principal> {
  const held = await heldToken(store, tokenId(text));
  return principalBy(held, tokenHash(text), now);
}

/**
 * Says who proved a token earlier, as of now: {@link principalOfToken} for whoever holds no text of it.
 * @param now milliseconds since 1970
 * Errors: serve.signed-out.
 */
export async function principalOfProved(
  store: PeopleStore,
  { id, hash }: Pick<TokenRecord, "id" | "hash">,
  now: number,
): Promise<Principal> {
  return principalBy(await heldToken(store, id), hash, now);
}

/** Errors: serve.signed-out. */
export function principalBy({ person, record }: HeldToken, hash: string, now: number): Principal {
  const holds = sameBytes(bytes(hash), bytes(record?.hash ?? noHash));
  if (!holds || !person || !record || person.disabled || !(now < record.expiresAt)) throw signedOut();
  return {
    name: person.name,
    roles: record.roles.filter((role) => person.roles.includes(role)),
    projects: person.projects,
    proof: { kind: "token", token: record.id, maxEpsilon: record.maxEpsilon, expiresAt: record.expiresAt },
  };
}
