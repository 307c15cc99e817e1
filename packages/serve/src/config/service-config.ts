import type { KindRates, RequestKind } from "../limits/index.ts";

/** The service's configuration, read and complete: what the file left out has its default. */
export interface ServiceConfig {
  readonly version: 1;
  /** The policy's file, relative to the configuration. */
  readonly policy: string;
  /** The folder of people and of the audit log, relative to the configuration. */
  readonly data: string;
  /** The database that holds people, sessions, dashboards and the audit log, by the variable that holds its URL; null where they lie in the folder of `data`. */
  readonly store: { readonly kind: "postgres"; readonly urlVariable: string } | null;
  readonly listen: { readonly address: string; readonly port: number };
  /** Where the service listens for PostgreSQL's protocol; null for nowhere. */
  readonly postgres: { readonly address: string; readonly port: number } | null;
  /** The files of certificate and key, or null for plain HTTP on loopback. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  /** The origin of the service's pages, as browsers name it. */
  readonly origin: string;
  /** The proxies whose word on the sender's address is taken; empty for none. */
  readonly proxies: readonly string[];
  readonly signIn: {
    readonly passwords: boolean;
    /** Iterations of PBKDF2 with HMAC-SHA-256. */
    readonly iterations: number;
    readonly leastLength: number;
    readonly idleMs: number;
    readonly absoluteMs: number;
  };
  readonly oidc: OidcConfig | null;
  readonly limits: { readonly body: number } & Readonly<Record<RequestKind, KindRates>>;
}

/** The provider of identities. A secret is named by the variable that holds it. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecretVariable: string | null;
  readonly claim: "sub" | "email";
  readonly algorithms: readonly string[];
}
