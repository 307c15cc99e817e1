import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { OidcClientConfig, OidcHouse } from "@lethe/serve";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { sendToProvider } from "../oidc/send-to-provider.ts";

type Key = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];

/** A provider of identities on loopback: discovery, keys, authorization code with PKCE, and codes that serve once. */
export interface LoopbackProvider {
  readonly client: OidcClientConfig;
  readonly send: OidcHouse["send"];
  /** What the next ID tokens say otherwise than they should. */
  changed: JWTPayload;
  /** Signs the next ID tokens in another way. */
  sign: (claims: JWTPayload, key: Key) => Promise<string>;
  /** Signs somebody in at the provider, and returns the address that it sends the browser back to. */
  signIn(url: string): Promise<string>;
  /** The requests to exchange a code that it refused. */
  readonly refused: string[];
  close(): Promise<void>;
}

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
}

/** Its name, which stands for its address on loopback. */
const issuer = "https://id.example";

const signed = (claims: JWTPayload, key: Key): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k" }).sign(key);

/** Starts a provider. Everybody who signs in there is `subject`. */
export async function startProvider(redirectUri: string, subject: string): Promise<LoopbackProvider> {
  const client: OidcClientConfig = {
    issuer,
    clientId: "lethe",
    clientSecret: "a secret",
    redirectUri,
    claim: "sub",
    algorithms: ["RS256"],
  };
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "k", alg: "RS256" }] };
  const grants = new Map<string, Grant>();
  const refused: string[] = [];
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    authorization_response_iss_parameter_supported: true,
  };
  const exchange = async (request: IncomingMessage): Promise<{ status: number; body: object }> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const code = form.get("code") ?? "";
    const grant = grants.get(code);
    grants.delete(code);
    const basic = `Basic ${Buffer.from("lethe:a+secret").toString("base64")}`;
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const holds =
      grant !== undefined &&
      request.headers.authorization === basic &&
      form.get("redirect_uri") === redirectUri &&
      form.get("grant_type") === "authorization_code" &&
      challenge === grant.challenge;
    if (!holds) {
      refused.push(code);
      return { status: 400, body: { error: "invalid_grant" } };
    }
    const seconds = Math.floor(Date.now() / 1000);
    const times = { iat: seconds, exp: seconds + 60 };
    const claims = {
      iss: issuer,
      aud: "lethe",
      sub: subject,
      nonce: grant.nonce,
      ...times,
      ...provider.changed,
    };
    const id_token = await provider.sign(claims, privateKey);
    return { status: 200, body: { id_token, access_token: "unused", token_type: "Bearer" } };
  };
  const authorize = (url: URL): string => {
    const asked = url.searchParams;
    const code = randomUUID();
    grants.set(code, { nonce: asked.get("nonce") ?? "", challenge: asked.get("code_challenge") ?? "" });
    const back = new URL(asked.get("redirect_uri") ?? "");
    for (const [key, value] of [
      ["code", code],
      ["state", asked.get("state") ?? ""],
      ["iss", issuer],
    ] as const)
      back.searchParams.set(key, value);
    return back.href;
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const answer = async (): Promise<{ status: number; body: object; location?: string }> => {
      if (url.pathname === "/.well-known/openid-configuration") return { status: 200, body: metadata };
      if (url.pathname === "/keys") return { status: 200, body: keys };
      if (url.pathname === "/token") return exchange(request);
      return { status: 302, body: {}, location: authorize(url) };
    };
    answer().then(
      ({ status, body, location }) => {
        response.writeHead(status, location === undefined ? {} : { location });
        response.end(JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const here = (url: string): string => url.replace(issuer, base);
  const provider: LoopbackProvider = {
    client,
    send: (request) => sendToProvider({ ...request, url: here(request.url) }),
    changed: {},
    sign: signed,
    refused,
    async signIn(url) {
      const response = await fetch(here(url), { redirect: "manual" });
      return response.headers.get("location") ?? "";
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
