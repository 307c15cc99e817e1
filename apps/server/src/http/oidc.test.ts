import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sendToProvider } from "../oidc/send-to-provider.ts";
import { type AppHouse, bodyOf, openHouse, origin, password, secretValue } from "../testing/app-house.ts";
import { type LoopbackProvider, startProvider } from "../testing/loopback-provider.ts";

let provider: LoopbackProvider;
let house: AppHouse;
let usualSign: LoopbackProvider["sign"];

beforeAll(async () => {
  provider = await startProvider(`${origin}/v1/sign-in/oidc/callback`, "subject of bob");
  usualSign = provider.sign;
  house = await openHouse({ provider });
  const identities = [{ issuer: provider.client.issuer, subject: "subject of bob" }];
  await house.send("/v1/people/bob", { as: "owner", method: "PATCH", json: { identities } });
});
afterAll(async () => {
  await house.close();
  await provider.close();
});
beforeEach(() => {
  provider.changed = {};
  provider.sign = usualSign;
});

const cookiesOf = (response: Response): Readonly<Record<string, string>> =>
  Object.fromEntries(
    response.headers.getSetCookie().map((line) => (line.split(";")[0] ?? "").split("=") as [string, string]),
  );
const pending = "__Host-lethe-sign-in";

/** Begins in a browser: the cookie that it keeps, and the address that the provider sends it back to. */
async function away(): Promise<{ readonly cookie: string; readonly back: string; readonly url: string }> {
  const begun = await house.send("/v1/sign-in/oidc");
  expect(begun.status).toBe(302);
  const url = begun.headers.get("location") ?? "";
  const cookie = `${pending}=${cookiesOf(begun)[pending]}`;
  return { cookie, url, back: await provider.signIn(url) };
}
const come = (back: string, cookie?: string): Promise<Response> =>
  house.send(back.replace(origin, ""), cookie === undefined ? {} : { headers: { cookie } });

/** What a refused sign-in looks like: a code and no session. */
async function refusal(response: Response): Promise<void> {
  const { code } = await bodyOf(response);
  expect([response.status, code, response.headers.getSetCookie()]).toEqual([401, "serve.identity", []]);
}

test("the page offers the ways to sign in that the service has, to everybody alike, and keeps its policy", async () => {
  const pages: string[] = [];
  for (const [ways, settings] of [
    ["password", {}],
    ["password provider", { provider }],
    ["provider", { provider, passwords: false }],
  ] as const) {
    const other = await openHouse(settings);
    const [page, asOwner] = [await other.send("/"), await other.send("/", { as: "owner" })];
    const html = await page.text();
    expect(html).toContain(`<div id="app" data-sign-in="${ways}">`);
    expect(html).not.toContain("{{");
    expect(await asOwner.text()).toBe(html);
    expect(page.headers.get("content-security-policy")).toContain("form-action 'none'");
    const script = await other.send(/src="([^"]+)"/.exec(html)?.[1] ?? "");
    expect(await script.text()).toContain("/v1/sign-in/oidc");
    pages.push(html);
    await other.close();
  }
  expect(new Set(pages).size).toBe(3);
});

describe("signing in by a provider", () => {
  test("goes there with a challenge, comes back with a code, and opens a session", async () => {
    const { cookie, url, back } = await away();
    expect(url).toMatch(/^https:\/\/id\.example\/authorize\?/);
    expect(new URL(url).searchParams.get("code_challenge_method")).toBe("S256");
    const done = await come(back, cookie);
    expect([done.status, done.headers.get("location")]).toEqual([302, "/"]);
    const session = cookiesOf(done);
    expect(session[pending]).toBe("");
    const lines = done.headers.getSetCookie().join("\n");
    expect(lines).toMatch(/__Host-lethe=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure/);
    const me = await house.send("/v1/me", {
      headers: { origin, cookie: `__Host-lethe=${session["__Host-lethe"]}` },
    });
    expect(await me.json()).toMatchObject({ name: "bob", by: "session" });
    const [last] = await house.audit.page(null, 1);
    expect(last).toMatchObject({ actor: { name: "bob", by: "provider" }, fact: { kind: "signed-in" } });
  });

  test("counts once, and only in the browser that began it", async () => {
    const { cookie, back } = await away();
    await refusal(await come(back));
    await refusal(await come(back, `${pending}=${"a".repeat(43)}`));
    const other = await away();
    await refusal(await come(back, other.cookie));
    expect((await come(back, cookie)).status).toBe(302);
    // The cookie has served, and so has the code.
    await refusal(await come(back, cookie));
    const third = await away();
    const stolen = new URL(third.back);
    stolen.searchParams.set("code", new URL(back).searchParams.get("code") ?? "");
    const before = provider.refused.length;
    await refusal(await come(stolen.href, third.cookie));
    expect(provider.refused.length).toBe(before + 1);
  });

  test.each<[string, (back: URL) => void]>([
    ["another state", (back) => back.searchParams.set("state", "x")],
    ["two states", (back) => back.searchParams.append("state", "x")],
    ["another issuer", (back) => back.searchParams.set("iss", "https://evil.example")],
    ["no issuer, which the provider says that it tells", (back) => back.searchParams.delete("iss")],
    ["no code", (back) => back.searchParams.delete("code")],
    ["an error", (back) => back.searchParams.set("error", "access_denied")],
  ])("with %s is refused", async (_, change) => {
    const { cookie, back } = await away();
    const changed = new URL(back);
    change(changed);
    await refusal(await come(changed.href, cookie));
  });

  const seconds = Math.floor(Date.now() / 1000);
  test.each<[string, Partial<Pick<LoopbackProvider, "changed" | "sign">>]>([
    ["for another client", { changed: { aud: "another" } }],
    ["that has expired", { changed: { exp: seconds - 600, iat: seconds - 900 } }],
    ["by another issuer", { changed: { iss: "https://evil.example" } }],
    ["of another sign-in", { changed: { nonce: "of another" } }],
    ["of nobody here", { changed: { sub: "a stranger" } }],
    ["without a signature", { sign: async (claims) => new UnsecuredJWT(claims).encode() }],
    [
      "under another key",
      {
        sign: async (claims) => {
          const { privateKey } = await generateKeyPair("RS256");
          return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k" }).sign(privateKey);
        },
      },
    ],
    [
      "by a shared secret",
      {
        sign: (claims) =>
          new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from("a secret".repeat(8))),
      },
    ],
  ])("with an ID token %s is refused, and the refusal is a fact", async (_, spoiled) => {
    Object.assign(provider, spoiled);
    const { cookie, back } = await away();
    await refusal(await come(back, cookie));
  });

  test("is refused for a person who is disabled, and tells of nobody", async () => {
    const disable = (disabled: boolean) =>
      house.send("/v1/people/bob", { as: "owner", method: "PATCH", json: { disabled } });
    await disable(true);
    const gone = await away();
    const one = await (await come(gone.back, gone.cookie)).text();
    await disable(false);
    provider.changed = { sub: "a stranger" };
    const none = await away();
    expect(await (await come(none.back, none.cookie)).text()).toBe(one);
  });

  test("writes refusals to the audit log, and nothing that a provider said", async () => {
    await house.trail.close();
    const entries = await house.audit.page(null, 1000);
    const refusals = entries.filter(({ fact }) => fact.kind === "sign-in-refused");
    expect(refusals).toMatchObject([
      { actor: { name: null }, fact: { person: null, code: "serve.identity" } },
    ]);
    const text = JSON.stringify(entries);
    for (const hidden of ["subject", "stranger", "evil.example", secretValue])
      expect(text).not.toContain(hidden);
  });
});

test("without a provider there is no such route", async () => {
  const plain = await openHouse();
  for (const path of ["/v1/sign-in/oidc", "/v1/sign-in/oidc/callback?code=x&state=y"])
    expect((await plain.send(path)).status).toBe(404);
  await plain.close();
});

test("where the service takes no passwords, a right one signs nobody in", async () => {
  const strict = await openHouse({ provider, passwords: false });
  const json = { name: "bob", password };
  const response = await strict.send("/v1/session", { headers: { origin }, json });
  expect([response.status, (await bodyOf(response)).code, response.headers.getSetCookie()]).toEqual([
    401,
    "serve.sign-in",
    [],
  ]);
  await strict.close();
});

test("a provider that redirects, sends too much or nothing is bounded", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/redirect") response.writeHead(302, { location: "/keys" }).end();
    else if (request.url === "/large") response.end("x".repeat(5000));
    else if (request.url === "/silent") response.flushHeaders();
    else response.end("{}");
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const at = (path: string) => ({
    method: "GET" as const,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    headers: {},
    body: null,
  });
  const bounds = { timeoutMs: 300, mostBytes: 1000 };
  expect(await sendToProvider(at("/keys"), bounds)).toEqual({ status: 200, body: "{}" });
  expect(await sendToProvider(at("/redirect"), bounds)).toMatchObject({ status: 302 });
  await expect(sendToProvider(at("/large"), bounds)).rejects.toThrow("too large");
  await expect(sendToProvider(at("/silent"), bounds)).rejects.toThrow();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});
