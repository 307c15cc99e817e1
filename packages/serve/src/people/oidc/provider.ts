import { LetheError } from "@lethe/core";

/** The refusal of what a provider, or whoever speaks in its name, sent. It tells the reason, never a value that was sent. */
export function refusedIdentity(what: string, fix = "start the sign-in again"): LetheError {
  return new LetheError("serve.identity", `the identity provider's answer does not hold: ${what}`, { fix });
}

/** The agreement of the owner with a provider of identities (OpenID Connect Core 1.0). */
export interface OidcClientConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a client without a secret, which PKCE alone protects. */
  readonly clientSecret: string | null;
  /** The address to which the provider sends people back. */
  readonly redirectUri: string;
  /** The claim that names a person. An address of mail counts only where the provider says that it was verified. */
  readonly claim: "sub" | "email";
  /** The signatures that are taken, all by public keys. */
  readonly algorithms: readonly string[];
}

/** Signatures by public keys that a provider may use. "none" and those by shared secrets are never taken. */
export const publicKeyAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

/** The metadata of a provider (OpenID Connect Discovery 1.0, section 3), as far as it is used. */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  /** Whether answers name their issuer (RFC 9207). */
  readonly namesIssuer: boolean;
}

function httpsUrl(document: Readonly<Record<string, unknown>>, key: string): string {
  const value = document[key];
  if (typeof value !== "string" || !URL.canParse(value) || new URL(value).protocol !== "https:")
    throw refusedIdentity(`${key} is no https address`, "check the issuer in the service's configuration");
  return value;
}

/** Reads a provider's metadata. Errors: serve.identity where it speaks for another issuer, or names an address that is not https. */
export function readProviderMetadata(document: unknown, issuer: string): ProviderMetadata {
  if (typeof document !== "object" || document === null)
    throw refusedIdentity(
      "its metadata is no JSON object",
      "check the issuer in the service's configuration",
    );
  const members = document as Readonly<Record<string, unknown>>;
  if (members.issuer !== issuer)
    throw refusedIdentity(
      "its metadata names another issuer",
      "write the issuer in the configuration as the provider writes it",
    );
  return {
    issuer,
    authorizationEndpoint: httpsUrl(members, "authorization_endpoint"),
    tokenEndpoint: httpsUrl(members, "token_endpoint"),
    jwksUri: httpsUrl(members, "jwks_uri"),
    namesIssuer: members.authorization_response_iss_parameter_supported === true,
  };
}
