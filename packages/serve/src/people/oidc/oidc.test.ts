import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { nobodyAt } from "../../audit-log/index.ts";
import { memoryPeople } from "../../testing/memory-people.ts";
import { seededBytes } from "../../testing/seeded-bytes.ts";
import { addPerson, changePerson, type PeopleHouse } from "../change-people.ts";
import { derive } from "../passwords/scram-verifier.ts";
import type { HttpRequest, PendingSignIn } from "./code-flow.ts";
import { checkIdToken, identityOf, readKeys } from "./id-token.ts";
import { OidcSignIn, type SendToProvider } from "./oidc-sign-in.ts";
import { PendingSignIns } from "./pending-sign-ins.ts";
import { type OidcClientConfig, readProviderMetadata } from "./provider.ts";

const now = 1_800_000_000_000;
const seconds = now / 1000;
const client: OidcClientConfig = {
  issuer: "https://id.example",
  clientId: "lethe:1",
  clientSecret: "s+cret/",
  redirectUri: "https://lethe.example/sign-in/back",
  claim: "sub",
  algorithms: ["RS256", "ES256"],
};
const metadata = {
  issuer: client.issuer,
  authorization_endpoint: "https://id.example/authorize?tenant=1",
  token_endpoint: "https://id.example/token",
  jwks_uri: "https://id.example/keys",
};
const claims = {
  iss: client.issuer,
  aud: client.clientId,
  sub: "u1",
  nonce: "n",
  iat: seconds,
  exp: seconds + 300,
};
const refusedIdentity = expect.objectContaining({ code: "serve.identity" });

type Key = Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
let rsa: { key: Key; jwk: JWK };
let ec: { key: Key; jwk: JWK };
let stranger: Key;
let keys: { keys: JWK[] };

beforeAll(async () => {
  const pair = async (algorithm: string, kid: string): Promise<{ key: Key; jwk: JWK }> => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
    return { key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid } };
  };
  rsa = await pair("RS256", "rsa");
  ec = await pair("ES256", "ec");
  stranger = (await generateKeyPair("RS256")).privateKey;
  keys = {
    keys: [
      rsa.jwk,
      ec.jwk,
      { kty: "oct", kid: "shared", k: Buffer.from("0".repeat(32)).toString("base64url") },
    ],
  };
});

const signed = (
  changed: Record<string, unknown> = {},
  { alg = "RS256", kid = "rsa", key }: { alg?: string; kid?: string; key?: Key | Uint8Array } = {},
): Promise<string> =>
  new SignJWT({ ...claims, ...changed }).setProtectedHeader({ alg, kid }).sign(key ?? rsa.key);

/** The provider's key, for another algorithm. */
const under = async (algorithm: string): Promise<Key> =>
  (await importJWK(await exportJWK(rsa.key), algorithm)) as Key;

const checked = (text: string): Promise<unknown> => checkIdToken(text, readKeys(keys), client, "n", now);

describe("an ID token", () => {
  it("is taken where it is signed by the provider, for this client, this sign-in and now", async () => {
    expect(await checked(await signed())).toMatchObject({ sub: "u1" });
    expect(await checked(await signed({}, { alg: "ES256", kid: "ec", key: ec.key }))).toMatchObject({
      sub: "u1",
    });
    expect(await checked(await signed({ aud: [client.clientId, "x"], azp: client.clientId }))).toMatchObject({
      sub: "u1",
    });
    expect(await checked(await signed({ iat: seconds + 20 }))).toMatchObject({ sub: "u1" });
  });

  it.each<[string, Record<string, unknown>]>([
    ["of another issuer", { iss: "https://id.example/" }],
    ["for another audience", { aud: "another" }],
    ["for several clients without naming one", { aud: [client.clientId, "x"] }],
    ["made for another client", { azp: "another" }],
    ["of another sign-in", { nonce: "m" }],
    ["without a nonce", { nonce: undefined }],
    ["with a nonce that is no text", { nonce: 1 }],
    ["that has expired", { exp: seconds - 31 }],
    ["without an end", { exp: undefined }],
    ["from long ago", { iat: seconds - 631 }],
    ["from the future", { iat: seconds + 40 }],
    ["without a time", { iat: undefined }],
    ["that does not hold yet", { nbf: seconds + 40 }],
    ["of nobody", { sub: undefined }],
  ])("%s is refused", async (_, changed) => {
    await expect(signed(changed).then(checked)).rejects.toEqual(refusedIdentity);
  });

  it("with a signature that is none, by another key, or under another algorithm is refused", async () => {
    const good = await signed();
    const [head, body, signature] = good.split(".") as [string, string, string];
    const publicKey = Buffer.from(JSON.stringify(rsa.jwk));
    const texts = [
      new UnsecuredJWT(claims).encode(),
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`,
      `${head}.${body}.`,
      `${head}.${body}.${signature.slice(0, -8)}AAAAAAAA`,
      `${head}.${Buffer.from(JSON.stringify({ ...claims, sub: "u2" })).toString("base64url")}.${signature}`,
      await signed({}, { key: stranger }),
      await signed({}, { kid: "unknown" }),
      // The classic confusion: a signature by a secret that is the provider's public key, or a shared key in its list.
      await signed({}, { alg: "HS256", key: publicKey }),
      await signed({}, { alg: "HS256", kid: "shared", key: Buffer.from("0".repeat(32)) }),
      // By a right key, but under an algorithm that the configuration does not name.
      await signed({}, { alg: "RS512", key: await under("RS512") }),
      await signed({}, { alg: "PS256", key: await under("PS256") }),
      "",
      "a.b.c",
    ];
    for (const text of texts) await expect(checked(text), text.slice(0, 60)).rejects.toEqual(refusedIdentity);
  });

  it("that brings a key of its own is refused", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    for (const header of [
      { jwk },
      { kid: "rsa", jwk },
      { jku: "https://evil.example/keys" },
      { kid: "own", x5u: "https://evil.example" },
    ]) {
      const text = await new SignJWT(claims).setProtectedHeader({ alg: "RS256", ...header }).sign(privateKey);
      await expect(checked(text)).rejects.toEqual(refusedIdentity);
    }
  });

  it("is never taken by shared secrets, even where the configuration names them", async () => {
    const loose = { ...client, algorithms: ["HS256", "none"] };
    for (const text of [
      await signed({}, { alg: "HS256", kid: "shared", key: Buffer.from("0".repeat(32)) }),
      new UnsecuredJWT(claims).encode(),
      await signed(),
    ])
      await expect(checkIdToken(text, keys, loose, "n", now)).rejects.toEqual(refusedIdentity);
    expect(readKeys(keys).keys.map(({ kty }) => kty)).toEqual(["RSA", "EC"]);
    expect(() => readKeys({ keys: "x" })).toThrow(refusedIdentity);
    expect(() => readKeys(null)).toThrow(refusedIdentity);
  });
});

describe("identityOf", () => {
  it("is the subject, or an address of mail that the provider verified", () => {
    const byMail = { ...client, claim: "email" as const };
    expect(identityOf({ sub: "U1", email: "x" }, client)).toEqual({ issuer: client.issuer, subject: "U1" });
    expect(identityOf({ sub: "1", email: "Ada@Example.org", email_verified: true }, byMail)).toEqual({
      issuer: client.issuer,
      subject: "ada@example.org",
    });
    for (const email_verified of [undefined, false, "true", 1])
      expect(() => identityOf({ sub: "1", email: "a@b", email_verified }, byMail)).toThrow(refusedIdentity);
    expect(() => identityOf({ sub: "1", email_verified: true }, byMail)).toThrow(refusedIdentity);
    expect(() => identityOf({}, client)).toThrow(refusedIdentity);
  });
});

describe("a provider's metadata", () => {
  it.each<[string, unknown]>([
    ["of another issuer", { ...metadata, issuer: "https://id.example/" }],
    ["without TLS", { ...metadata, token_endpoint: "http://id.example/token" }],
    ["with an address that is none", { ...metadata, jwks_uri: "keys" }],
    ["without an address", { ...metadata, authorization_endpoint: undefined }],
    ["that is null", null],
    ["that is a text", "x"],
  ])("%s is refused", (_, document) => {
    expect(() => readProviderMetadata(document, client.issuer)).toThrow(refusedIdentity);
  });
});

describe("signing in by a provider", () => {
  let people: PeopleHouse;
  let sent: HttpRequest[];
  let answers: Record<string, { status: number; body: string }>;
  let at: number;

  beforeEach(async () => {
    at = now;
    sent = [];
    people = {
      store: memoryPeople(),
      random: seededBytes("oidc"),
      now: () => at,
      by: nobodyAt("192.0.2.1"),
      passwords: { least: 15, isKnown: () => false, iterations: 4096, derive },
    };
    await addPerson(people, { name: "ada", roles: ["analyst"] });
    await changePerson(people, "ada", { identities: [{ issuer: client.issuer, subject: "u1" }] });
    answers = {
      "https://id.example/.well-known/openid-configuration": { status: 200, body: JSON.stringify(metadata) },
      "https://id.example/keys": { status: 200, body: JSON.stringify(keys) },
    };
  });

  const send: SendToProvider = async (request) => {
    sent.push(request);
    const answer = answers[request.url];
    if (!answer) throw new Error("secret of the network");
    return answer;
  };
  const signIn = (changed: Partial<OidcClientConfig> = {}): OidcSignIn =>
    new OidcSignIn({
      client: { ...client, ...changed },
      store: people.store,
      send,
      random: people.random,
      now: () => at,
    });
  async function answerWith(pending: PendingSignIn, changed: Record<string, unknown> = {}): Promise<void> {
    const id_token = await signed({ nonce: pending.nonce, ...changed });
    answers["https://id.example/token"] = {
      status: 200,
      body: JSON.stringify({ id_token, access_token: "a" }),
    };
  }
  const back = (pending: PendingSignIn, more: Record<string, string> = {}): URLSearchParams =>
    new URLSearchParams({ code: "c", state: pending.state, ...more });

  it("sends the browser away with a challenge, exchanges the code, and says who came back", async () => {
    const oidc = signIn();
    const { url, pending } = await oidc.begin();
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(url.startsWith("https://id.example/authorize?")).toBe(true);
    expect(asked).toEqual({
      tenant: "1",
      response_type: "code",
      client_id: "lethe:1",
      redirect_uri: client.redirectUri,
      scope: "openid",
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: createHash("sha256").update(pending.codeVerifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    expect(new Set([pending.state, pending.nonce, pending.codeVerifier]).size).toBe(3);
    await answerWith(pending);
    expect(await oidc.finish(pending, back(pending, { iss: client.issuer }))).toMatchObject({ name: "ada" });
    const exchange = sent.at(-1)!;
    expect(Object.fromEntries(new URLSearchParams(exchange.body!))).toEqual({
      grant_type: "authorization_code",
      code: "c",
      redirect_uri: client.redirectUri,
      code_verifier: pending.codeVerifier,
    });
    expect(exchange.headers.authorization).toBe(
      `Basic ${Buffer.from("lethe%3A1:s%2Bcret%2F").toString("base64")}`,
    );
  });

  it("names a client without a secret in the form", async () => {
    const oidc = signIn({ clientSecret: null });
    const { pending } = await oidc.begin();
    await answerWith(pending);
    await oidc.finish(pending, back(pending));
    expect(sent.at(-1)!.headers.authorization).toBeUndefined();
    expect(new URLSearchParams(sent.at(-1)!.body!).get("client_id")).toBe("lethe:1");
  });

  it.each<[string, (pending: PendingSignIn) => [PendingSignIn | null, URLSearchParams]]>([
    ["that this browser did not begin", (pending) => [null, back(pending)]],
    ["of another state", (pending) => [pending, back(pending, { state: "x" })]],
    ["without a state", (pending) => [pending, new URLSearchParams({ code: "c" })]],
    ["with two states", (pending) => [pending, new URLSearchParams(`state=${pending.state}&state=x&code=c`)]],
    ["of another issuer", (pending) => [pending, back(pending, { iss: "https://evil.example" })]],
    ["that the provider refused", (pending) => [pending, back(pending, { error: "access_denied" })]],
    ["without a code", (pending) => [pending, back(pending, { code: "" })]],
    ["that took too long", (pending) => [{ ...pending, startedAt: now - 600_001 }, back(pending)]],
    ["from the future", (pending) => [{ ...pending, startedAt: now + 1 }, back(pending)]],
  ])("an answer %s is refused, and no code is exchanged", async (_, change) => {
    const oidc = signIn();
    const { pending } = await oidc.begin();
    await answerWith(pending);
    await expect(oidc.finish(...change(pending))).rejects.toEqual(refusedIdentity);
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  it("must be told the issuer where the provider says that it tells it", async () => {
    const document = { ...metadata, authorization_response_iss_parameter_supported: true };
    answers["https://id.example/.well-known/openid-configuration"] = {
      status: 200,
      body: JSON.stringify(document),
    };
    const oidc = signIn();
    const { pending } = await oidc.begin();
    await answerWith(pending);
    await expect(oidc.finish(pending, back(pending))).rejects.toEqual(refusedIdentity);
    expect(await oidc.finish(pending, back(pending, { iss: client.issuer }))).toMatchObject({ name: "ada" });
  });

  it("lets in nobody whose identity no person has, or whose person is disabled, with one text", async () => {
    await addPerson(people, { name: "olga", roles: ["owner"] });
    const oidc = signIn();
    const { pending } = await oidc.begin();
    const refusal = async (changed: Record<string, unknown>): Promise<string> => {
      await answerWith(pending, changed);
      return oidc.finish(pending, back(pending)).then(
        () => "in",
        (error: unknown) => JSON.stringify(error),
      );
    };
    const nobody = await refusal({ sub: "u2" });
    expect(nobody).toContain("belongs to nobody here");
    await changePerson(people, "ada", { disabled: true });
    expect(await refusal({})).toBe(nobody);
  });

  it("asks the provider for its keys again after five minutes, and not before", async () => {
    const oidc = signIn();
    await oidc.begin();
    at += 299_999;
    await oidc.begin();
    expect(sent).toHaveLength(2);
    at += 1;
    await oidc.begin();
    expect(sent).toHaveLength(4);
  });

  it.each([
    { status: 500, body: "{}" },
    { status: 200, body: "no JSON" },
    { status: 200, body: "null" },
    { status: 200, body: '{"id_token":1}' },
  ])("is refused where the provider answers %j, without repeating what it said", async (answer) => {
    const oidc = signIn();
    const { pending } = await oidc.begin();
    answers["https://id.example/token"] = answer;
    await expect(oidc.finish(pending, back(pending))).rejects.toEqual(refusedIdentity);
    answers = {};
    const error: unknown = await signIn()
      .begin()
      .catch((refusal: unknown) => refusal);
    expect(error).toEqual(refusedIdentity);
    expect(JSON.stringify(error)).not.toContain("network");
  });
});

describe("sign-ins that have not come back", () => {
  const pending = (startedAt: number): PendingSignIn => ({
    state: "s",
    nonce: "n",
    codeVerifier: "v",
    startedAt,
  });
  it("are taken once, by whoever has the secret", () => {
    const kept = new PendingSignIns();
    const secret = kept.keep(pending(0), seededBytes("pending"));
    expect(kept.take(null)).toBe(null);
    expect(kept.take("x")).toBe(null);
    expect(kept.take(secret)).toEqual(pending(0));
    expect(kept.take(secret)).toBe(null);
  });

  it("are a bounded number, and the old ones go", () => {
    const kept = new PendingSignIns(3);
    const random = seededBytes("many");
    const secrets = [0, 1, 2, 3, 4].map((at) => kept.keep(pending(at), random));
    expect(kept.size).toBe(3);
    expect(secrets.map((secret) => kept.take(secret)?.startedAt ?? null)).toEqual([null, null, 2, 3, 4]);
    kept.keep(pending(0), random);
    kept.keep(pending(600_001), random);
    expect(kept.size).toBe(1);
  });
});
