import { createHash } from "node:crypto";
import { type RandomBytes, randomText } from "../random-bytes.ts";
import { sameBytes } from "../same-bytes.ts";
import { type OidcClientConfig, type ProviderMetadata, refusedIdentity } from "./provider.ts";

/** A sign-in that a browser began and that has not come back. It is kept by the service, and found by a cookie of that browser. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE (RFC 7636). */
  readonly codeVerifier: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** The time in which a sign-in must come back. */
export const pendingMs: number = 10 * 60_000;

/** A request that the app sends for the flow. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Begins the authorization-code flow with PKCE: the address to send the browser to, and what must be kept until it comes back. */
export function beginCodeFlow(
  provider: ProviderMetadata,
  client: OidcClientConfig,
  random: RandomBytes,
  now: number,
): { readonly url: string; readonly pending: PendingSignIn } {
  const pending: PendingSignIn = {
    state: randomText(random),
    nonce: randomText(random),
    codeVerifier: randomText(random),
    startedAt: now,
  };
  const url = new URL(provider.authorizationEndpoint);
  const words: Readonly<Record<string, string>> = {
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    scope: client.claim === "email" ? "openid email" : "openid",
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: createHash("sha256").update(pending.codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [key, value] of Object.entries(words)) url.searchParams.set(key, value);
  return { url: url.href, pending };
}

/** The one value of a parameter; null where it is missing. A second value is refused (RFC 6749, 3.1). */
function only(parameters: URLSearchParams, key: string): string | null {
  const values = parameters.getAll(key);
  if (values.length > 1) throw refusedIdentity(`${key} was sent twice`);
  return values[0] ?? null;
}

const sameText = (a: string, b: string): boolean => sameBytes(Buffer.from(a), Buffer.from(b));

/**
 * Reads what a browser brings back: the code. Errors: serve.identity where the sign-in was not begun in this browser (`state`), took too long, was refused by the
 * provider, or was answered by another issuer (RFC 9207).
 */
export function readCallback(
  provider: ProviderMetadata,
  pending: PendingSignIn | null,
  parameters: URLSearchParams,
  now: number,
): string {
  const state = only(parameters, "state");
  if (pending === null || state === null || !sameText(state, pending.state))
    throw refusedIdentity("this browser did not begin it");
  const age = now - pending.startedAt;
  if (!(age >= 0 && age <= pendingMs)) throw refusedIdentity("it took longer than ten minutes");
  const issuer = only(parameters, "iss");
  if (issuer === null ? provider.namesIssuer : issuer !== provider.issuer)
    throw refusedIdentity("it comes from another issuer");
  if (only(parameters, "error") !== null) throw refusedIdentity("the provider let nobody in");
  const code = only(parameters, "code");
  if (code === null || code === "") throw refusedIdentity("it brings no code");
  return code;
}

/** The words of application/x-www-form-urlencoded, as RFC 6749, 2.3.1 asks for names and secrets. */
const formEncoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);

/** The request that exchanges a code for an ID token. */
export function tokenRequest(
  provider: ProviderMetadata,
  client: OidcClientConfig,
  pending: PendingSignIn,
  code: string,
): HttpRequest {
  const words = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: client.redirectUri,
    code_verifier: pending.codeVerifier,
  });
  if (client.clientSecret === null) words.set("client_id", client.clientId);
  const pair = `${formEncoded(client.clientId)}:${formEncoded(client.clientSecret ?? "")}`;
  return {
    method: "POST",
    url: provider.tokenEndpoint,
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(client.clientSecret === null
        ? {}
        : { authorization: `Basic ${Buffer.from(pair).toString("base64")}` }),
    },
    body: words.toString(),
  };
}
