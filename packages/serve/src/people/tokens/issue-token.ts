import { LetheError, type Rational } from "@lethe/core";
import { compare, zero } from "@lethe/core/numeric";
import { isPrintable } from "@lethe/query";
import type { Principal, Role } from "../../access/index.ts";
import { type Derive, leastIterations, makeVerifier } from "../passwords/scram-verifier.ts";
import type { Person, TokenRecord } from "../person.ts";
import type { RandomBytes } from "../random-bytes.ts";
import { newToken } from "./token-text.ts";

/** The wishes for a new token. */
export interface TokenRequest {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly maxEpsilon: Rational | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** The most tokens of one person, and the longest that one may hold. */
export const mostTokens = 50;
export const longestTokenMs: number = 366 * 24 * 3_600_000;

/** The iterations of a token's verifier: the least there may be, since each guess is at 256 random bits. */
export const tokenIterations: number = leastIterations;

/** The means by which tokens are made. */
export interface TokenMeans {
  readonly random: RandomBytes;
  readonly derive: Derive;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const refused = (what: string, fix: string): LetheError =>
  new LetheError("people.invalid", `the token ${what}`, { fix, fields: { what: "token" } });

/** A token that is made with a token is never the stronger one: no further role, no later end, no higher cap. */
function checkNoStronger(
  { roles, maxEpsilon, expiresAt }: TokenRequest,
  { proof, roles: held }: Principal,
): void {
  if (proof.kind !== "token") return;
  if (!roles.every((role) => held.includes(role)))
    throw refused(
      "would have a role that the token it is made with lacks",
      "ask for fewer roles, or sign in",
    );
  if (expiresAt > proof.expiresAt)
    throw refused("would outlive the token that it is made with", "ask for an earlier end, or sign in");
  if (proof.maxEpsilon !== null && (maxEpsilon === null || compare(maxEpsilon, proof.maxEpsilon) > 0))
    throw refused(
      "would have a higher cap than the token that it is made with",
      "ask for a lower cap, or sign in",
    );
}

/**
 * Makes a token of a person: the person with it, and the text, which is shown once and kept nowhere.
 * @param by who asks for it; null for the command line of the one who owns the files
 * Errors: people.invalid.
 */
export async function issueToken(
  person: Person,
  request: TokenRequest,
  by: Principal | null,
  { random, derive, now }: TokenMeans,
): Promise<{ readonly person: Person; readonly text: string; readonly record: TokenRecord }> {
  const { name, roles, maxEpsilon, expiresAt } = request;
  if (name.length === 0 || name.length > 100 || !isPrintable(name))
    throw refused("needs a name", "name what it is for, in at most 100 characters");
  const theirs = `name a role of theirs: ${person.roles.join(", ")}`;
  if (roles.length === 0) throw refused("has no role", theirs);
  const lacking = roles.filter((role) => !person.roles.includes(role));
  if (lacking.length > 0) throw refused(`has a role that its person lacks: ${lacking.join(", ")}`, theirs);
  if (!(expiresAt > now && expiresAt <= now + longestTokenMs))
    throw refused("must end, within a year", "give an end after now and within 366 days");
  if (maxEpsilon !== null && compare(maxEpsilon, zero) <= 0)
    throw refused("has a cap of 0 or less", "give a cap above 0, or none");
  if (by) checkNoStronger(request, by);
  const living = person.tokens.filter((token) => token.expiresAt > now);
  if (living.length >= mostTokens)
    throw refused("would be one too many", "revoke one that is no longer used");
  const { id, text, hash } = newToken(random);
  const record: TokenRecord = {
    id,
    name,
    hash,
    verifier: await makeVerifier(text, tokenIterations, random, derive),
    roles: [...new Set(roles)],
    maxEpsilon,
    createdAt: now,
    expiresAt,
  };
  return { person: { ...person, tokens: [...living, record] }, text, record };
}
