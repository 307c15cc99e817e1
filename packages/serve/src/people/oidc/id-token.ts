import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import type { Identity } from "../person.ts";
import { sameBytes } from "../same-bytes.ts";
import { type OidcClientConfig, publicKeyAlgorithms, refusedIdentity } from "./provider.ts";

/** The time by which clocks may differ, and the oldest that a token may be when it comes, in seconds. */
const tolerance = 30;
const oldest = 600;

/** Reads a provider's keys: those that are public. A shared secret among them is no key here. Errors: serve.identity. */
export function readKeys(document: unknown): JSONWebKeySet {
  const keys = (document as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys)) throw refusedIdentity("its keys are no JSON Web Key Set");
  return { keys: keys.filter((key) => key !== null && typeof key === "object" && key.kty !== "oct") };
}

/** The words of the configuration that are signatures by public keys. */
const taken = (client: OidcClientConfig): string[] =>
  client.algorithms.filter((algorithm) => publicKeyAlgorithms.some((known) => known === algorithm));

/**
 * Checks an ID token (OpenID Connect Core 1.0, 3.1.3.7): signed by one of the provider's public keys under an algorithm of the configuration, by this issuer for this client alone, within its
 * time, for the sign-in that has this nonce.
 * @param now milliseconds since 1970
 * Errors: serve.identity.
 */
export async function checkIdToken(
  text: string,
  keys: JSONWebKeySet,
  client: OidcClientConfig,
  nonce: string,
  now: number,
): Promise<JWTPayload> {
  let claims: JWTPayload;
  try {
    const { payload } = await jwtVerify(text, createLocalJWKSet(keys), {
      algorithms: taken(client),
      issuer: client.issuer,
      audience: client.clientId,
      requiredClaims: ["sub", "iat", "exp", "nonce"],
      maxTokenAge: oldest,
      clockTolerance: tolerance,
      currentDate: new Date(now),
    });
    claims = payload;
  } catch {
    throw refusedIdentity("its ID token is not one for this service, or not of now");
  }
  const { nonce: told, azp, aud } = claims;
  if (typeof told !== "string" || !sameBytes(Buffer.from(told), Buffer.from(nonce)))
    throw refusedIdentity("its ID token belongs to another sign-in");
  if (azp === undefined ? Array.isArray(aud) && aud.length > 1 : azp !== client.clientId)
    throw refusedIdentity("its ID token was made for another client");
  return claims;
}

/**
 * The identity that claims name, by the claim that the configuration chose. Errors: serve.identity where the claim is missing, and for an address of mail that
 * the provider did not verify: anybody could have entered it there.
 */
export function identityOf(claims: JWTPayload, client: OidcClientConfig): Identity {
  const value = client.claim === "sub" ? claims.sub : claims.email;
  if (typeof value !== "string" || value === "") throw refusedIdentity(`it has no ${client.claim}`);
  if (client.claim === "email" && claims.email_verified !== true)
    throw refusedIdentity("the address of mail was not verified");
  return { issuer: client.issuer, subject: client.claim === "email" ? value.toLowerCase() : value };
}
