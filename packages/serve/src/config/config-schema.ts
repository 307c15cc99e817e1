import { boolean, closed, number, positiveInteger, says, text } from "@lethe/query/files";
import { z } from "zod";
import { publicKeyAlgorithms } from "../people/index.ts";

const path = text.min(1, { error: says("must not be empty", "name a file or a folder") });

const variable = z
  .string({ error: says("must be the name of a variable", "write client_secret_env: LETHE_OIDC_SECRET") })
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    says("is no name of a variable", "write client_secret_env: LETHE_OIDC_SECRET"),
  );

const ipAddress = z.union([z.ipv4(), z.ipv6()], {
  error: says("must be an address", "write address: 127.0.0.1, or ::1"),
});

const port = positiveInteger.max(65_535, { error: says("is above 65535", "write a port from 1 to 65535") });

/** An origin as browsers write it: scheme, host, and a port that is not the scheme's own. */
const origin = z
  .string({ error: says("must be an origin", "write origin: https://lethe.example") })
  .refine(
    (value) => URL.canParse(value) && new URL(value).origin === value && /^https?:/.test(value),
    says("is no origin", "write scheme and host in lower case, without a path: https://lethe.example"),
  );

const issuer = z
  .string({ error: says("must be an address", "write issuer: https://id.example") })
  .refine(
    (value) => URL.canParse(value) && new URL(value).protocol === "https:",
    says("is no https address", "write the issuer as the provider writes it, beginning with https://"),
  );

const rate = closed({
  burst: positiveInteger.describe("The requests that may come at once."),
  per_second: number
    .refine((x) => x > 0, says("must be above 0", "write per_second: 5, or 0.2"))
    .meta({ exclusiveMinimum: 0 })
    .describe("The requests a second after that."),
});

const rates = (what: string): z.ZodOptional<z.ZodType> =>
  closed({
    person: rate.optional().describe("For each person."),
    address: rate.optional().describe("For each address; of version 6, for each network of 64 bits."),
  })
    .optional()
    .describe(what);

const limits = closed({
  body: positiveInteger.optional().describe("The most bytes of a request's body: 65536 unless stated."),
  ask: rates("Questions that may be charged."),
  explain: rates("Questions that are only planned and priced."),
  read: rates(
    "Reading of tables, budgets, releases and lists; over PostgreSQL's wire, 2,000 characters of any text count as one, and so do 10,000 steps of a query of the catalog.",
  ),
  change: rates("Changes of people, tokens and the policy."),
  sign_in: rates("Sign-ins. Wrong ones are also delayed by name and by address, which no key changes."),
});

const store = closed({
  kind: z
    .literal("postgres", { error: says("is not a kind of store", "write store: { kind: postgres, … }") })
    .describe("The kind of store: postgres, a database that several processes share."),
  url_env: z
    .string({ error: says("must be the name of a variable", "write url_env: LETHE_SERVICE_URL") })
    .regex(
      /^[A-Za-z_][A-Za-z0-9_]*$/,
      says("is no name of a variable", "write url_env: LETHE_SERVICE_URL, and the URL into that variable"),
    )
    .describe("The variable that holds its URL, postgres://role@host/database. This file holds no secret."),
});

const listen = closed({
  address: ipAddress.optional().describe("The address to listen on: 127.0.0.1 unless stated."),
  port: port.optional().describe("The port: 8377 unless stated."),
});

const postgres = closed({
  address: ipAddress.optional().describe("The address to listen on for it: that of `listen` unless stated."),
  port: port.describe("The port for it, such as 5432."),
});

const tls = closed({
  certificate: path.describe("The file of the certificate and its chain, in PEM."),
  key: path.describe("The file of its private key, in PEM."),
});

const signIn = closed({
  passwords: boolean.optional().describe("Whether people may sign in by passwords: true unless stated."),
  iterations: positiveInteger
    .min(600_000, { error: says("is below 600000", "write iterations: 600000 or more, as OWASP advises") })
    .max(10_000_000, {
      error: says("is above 10000000", "write at most 10000000: each sign-in costs as many"),
    })
    .optional()
    .describe(
      "The iterations of PBKDF2 that a check of a password costs: 600000 unless stated. It is never lowered.",
    ),
  least_length: positiveInteger
    .min(8, { error: says("is below 8", "write least_length: 15; 8 is the least that is taken") })
    .max(64, { error: says("is above 64", "write least_length: 15, or at most 64") })
    .optional()
    .describe("The least number of characters of a new password: 15 unless stated."),
  idle_minutes: positiveInteger
    .max(1440, { error: says("is above a day", "write at most 1440") })
    .optional()
    .describe("The minutes without a request after which a session ends: 30 unless stated."),
  absolute_hours: positiveInteger
    .max(720, { error: says("is above 30 days", "write at most 720") })
    .optional()
    .describe("The hours after which any session ends: 12 unless stated."),
});

const oidc = closed({
  issuer: issuer.describe("The provider, as it writes itself."),
  client_id: text
    .min(1, { error: says("must not be empty", "write the id that the provider gave") })
    .describe("The service's id at the provider."),
  client_secret_env: variable
    .optional()
    .describe("The variable that holds the service's secret at the provider. This file holds no secret."),
  claim: z
    .enum(["sub", "email"], {
      error: says("is not a claim that names people", "write claim: sub, or claim: email"),
    })
    .optional()
    .describe(
      "The claim that names a person: sub unless stated. An address of mail must have been verified by the provider.",
    ),
  algorithms: z
    .array(
      z.enum(publicKeyAlgorithms, {
        error: says("is not a signature that is taken", `write some of ${publicKeyAlgorithms.join(", ")}`),
      }),
      { error: says("must be a list", "write algorithms: [RS256, ES256]") },
    )
    .min(1, { error: says("must not be empty", "write algorithms: [RS256, ES256]") })
    .optional()
    .describe(
      "The signatures that are taken, all by public keys: [RS256, PS256, ES256, EdDSA] unless stated.",
    ),
});

/** The keys of the service's configuration, each with what it means. */
export const configSchema: z.ZodType<ConfigFile> = closed({
  version: z
    .literal(1, { error: says("must be 1", "write version: 1") })
    .describe("The version of this format: 1."),
  policy: path.optional().describe("The policy's file, relative to this one: lethe.yaml unless stated."),
  data: path
    .optional()
    .describe(
      "The folder of people and of the audit log, relative to this file: .lethe/serve unless stated.",
    ),
  store: store
    .optional()
    .describe(
      "Where people, sessions, dashboards and the audit log are kept: in the folder of `data` unless stated. Several processes of one service need a database.",
    ),
  listen: listen.optional().describe("Where the service listens."),
  postgres: postgres
    .optional()
    .describe("Where the service listens for PostgreSQL's protocol: nowhere unless stated."),
  tls: tls.optional().describe("The files for TLS. Without them the service listens on loopback alone."),
  origin: origin
    .optional()
    .describe(
      "The origin that browsers see: that of `listen` unless stated. A service behind a proxy needs it.",
    ),
  proxies: z
    .array(ipAddress, { error: says("must be a list of addresses", "write proxies: [127.0.0.1]") })
    .optional()
    .describe("The addresses of proxies whose X-Forwarded-For is believed: none unless stated."),
  sign_in: signIn.optional().describe("How people sign in."),
  oidc: oidc.optional().describe("A provider of identities (OpenID Connect)."),
  limits: limits.optional().describe("What the service takes from one person and one address."),
}) as unknown as z.ZodType<ConfigFile>;

interface RateFile {
  readonly burst: number;
  readonly per_second: number;
}
/** The rates of one kind of requests, as written. */
export interface RatesFile {
  readonly person?: RateFile | undefined;
  readonly address?: RateFile | undefined;
}

/** The configuration as it is written. */
export interface ConfigFile {
  readonly version: 1;
  readonly policy?: string | undefined;
  readonly data?: string | undefined;
  readonly store?: { readonly kind: "postgres"; readonly url_env: string } | undefined;
  readonly listen?: { readonly address?: string | undefined; readonly port?: number | undefined } | undefined;
  readonly postgres?: { readonly address?: string | undefined; readonly port: number } | undefined;
  readonly tls?: { readonly certificate: string; readonly key: string } | undefined;
  readonly origin?: string | undefined;
  readonly proxies?: readonly string[] | undefined;
  readonly sign_in?:
    | {
        readonly passwords?: boolean | undefined;
        readonly iterations?: number | undefined;
        readonly least_length?: number | undefined;
        readonly idle_minutes?: number | undefined;
        readonly absolute_hours?: number | undefined;
      }
    | undefined;
  readonly oidc?:
    | {
        readonly issuer: string;
        readonly client_id: string;
        readonly client_secret_env?: string | undefined;
        readonly claim?: "sub" | "email" | undefined;
        readonly algorithms?: readonly string[] | undefined;
      }
    | undefined;
  readonly limits?:
    | {
        readonly body?: number | undefined;
        readonly ask?: RatesFile | undefined;
        readonly explain?: RatesFile | undefined;
        readonly read?: RatesFile | undefined;
        readonly change?: RatesFile | undefined;
        readonly sign_in?: RatesFile | undefined;
      }
    | undefined;
}
