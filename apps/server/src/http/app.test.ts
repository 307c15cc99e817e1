import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type AppHouse,
  bodyOf,
  nameOf,
  openHouse,
  origin,
  password,
  secretValue,
} from "../testing/app-house.ts";

let house: AppHouse;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const sql = "SELECT town, COUNT(*) AS n FROM people GROUP BY town";
const codeOf = async (response: Response): Promise<readonly unknown[]> => [
  response.status,
  (await bodyOf(response)).code,
];

describe("a body", () => {
  test.each([
    ["no JSON", "{"],
    ["deep JSON", "[".repeat(30_000)],
    ["an unknown field", JSON.stringify({ sql, unknown: 1 })],
    ["no object", "null"],
  ])("that is %s is the sender's fault", async (_, body) => {
    const headers = { "content-type": "application/json" };
    expect(await codeOf(await house.send("/v1/query", { as: "analyst", body, headers }))).toEqual([
      400,
      "parameter.invalid",
    ]);
  });

  test("that is too large is refused", async () => {
    const response = await house.send("/v1/query", { as: "analyst", json: { sql: "x".repeat(70_000) } });
    expect(await codeOf(response)).toEqual([413, "serve.too-large"]);
  });

  test.each(["70000", "1e9", "-", ""])("that says it is of %s bytes is not read", async (length) => {
    const headers = { "content-type": "application/json", "content-length": length };
    const response = await house.send("/v1/query", { as: "analyst", body: '{"sql":"SELECT 1"}', headers });
    expect(response.status).not.toBe(200);
    if (length !== "") expect(await codeOf(response)).toEqual([413, "serve.too-large"]);
  });
});

describe("a session", () => {
  const signIn = (headers: Record<string, string>) =>
    house.send("/v1/session", { headers, json: { name: nameOf.bob, password } });

  test("is opened by the service's own page, whatever cookie is left, and used by no other's", async () => {
    expect(await codeOf(await signIn({ origin: "https://evil.example" }))).toEqual([403, "serve.origin"]);
    const stale = `__Host-lethe=${"a".repeat(43)}`;
    const signedIn = await signIn({ origin, cookie: stale });
    expect(signedIn.status).toBe(204);
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const ask = (from: string) =>
      house.send("/v1/explain", { headers: { origin: from, cookie }, json: { sql, epsilon: "1" } });
    expect(await codeOf(await ask("https://evil.example"))).toEqual([403, "serve.origin"]);
    expect((await ask(origin)).status).toBe(200);
  });
});

describe("an answer", () => {
  test("as CSV keeps a text that a spreadsheet would run from being a formula", async () => {
    const headers = { accept: "text/csv" };
    const response = await house.send("/v1/query", { as: "analyst", headers, json: { sql, epsilon: "1" } });
    const text = await response.text();
    expect(text).toMatch(/^town,n,n_lower,n_upper\n/);
    expect(text).toMatch(/^'=north,/m);
    expect(text).toMatch(/^"a, b",/m);
  });

  test("under a key is the same bytes, charged once; another's same key is another request", async () => {
    const before = (await house.ledger.report()).charges.length;
    const ask = (as: "analyst" | "bob") =>
      house.send("/v1/query", { as, headers: { "idempotency-key": "mine" }, json: { sql, epsilon: "2" } });
    const [one, again, other] = [await ask("analyst"), await ask("analyst"), await ask("bob")];
    const first = await bodyOf(one);
    expect((await bodyOf(again)).signature).toBe(first.signature);
    expect((await bodyOf(other)).answer?.requestId).not.toBe(first.answer?.requestId);
    expect((await house.ledger.report()).charges).toHaveLength(before + 2);
  });

  test("tells where in the question an error is, and none holds a value, a path or a stack", async () => {
    const json = { sql: "SELECT nothing\nFROM missing" };
    const response = await house.send("/v1/query", { as: "analyst", json });
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(JSON.parse(text)).toMatchObject({ line: 2, column: 6 });
    for (const hidden of [secretValue, house.folder, "node_modules", ".ts:"])
      expect(text).not.toContain(hidden);
  });
});

test("the description of the API is made once, however often nobody asks for it", async () => {
  const made = vi.spyOn(house.app, "getOpenAPI31Document");
  const texts = [];
  for (let turn = 0; turn < 3; turn += 1) texts.push(await (await house.send("/openapi.json")).text());
  expect(new Set(texts).size).toBe(1);
  expect(JSON.parse(texts[0] ?? "")).toMatchObject({ openapi: "3.1.0", paths: { "/v1/query": {} } });
  expect(made.mock.calls.length).toBeLessThanOrEqual(1);
  made.mockRestore();
});

test("requests that no route takes draw from a rate too", async () => {
  const few = await openHouse({ burst: 2 });
  const send = () => few.send("/v1/nothing", { as: "analyst" });
  expect(await codeOf(await send())).toEqual([404, "serve.absent"]);
  expect(await codeOf(await send())).toEqual([404, "serve.absent"]);
  const third = await send();
  expect(third.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(await codeOf(third)).toEqual([429, "serve.too-many"]);
  expect(few.lines.map(({ route }) => route).join()).not.toContain("nothing");
  await few.close();
});
