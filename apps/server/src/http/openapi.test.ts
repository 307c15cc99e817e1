import { routes } from "@lethe/serve";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addOperations } from "../ops/add-operations.ts";
import { RequestCounts } from "../ops/metrics.ts";
import {
  type AppHouse,
  nameOf,
  openHouse,
  origin,
  password,
  policyText,
  type Sent,
} from "../testing/app-house.ts";

interface Operation {
  readonly "x-lethe-access"?: readonly string[];
  readonly security?: readonly unknown[];
  readonly summary?: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

let house: AppHouse;
let document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
let operations: readonly (readonly [string, Operation])[];

beforeAll(async () => {
  house = await openHouse();
  addOperations(house.app, {
    counts: new RequestCounts(),
    door: { counts: { asks: 0, explains: 0, shared: 0, slots: 0 } },
    gate: house.gate,
    version: "1",
    workers: 2,
    queue: 10,
    startedAt: 0,
    now: Date.now,
    ready: async () => true,
  });
  document = JSON.parse(await (await house.send("/openapi.json")).text());
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
});
afterAll(() => house.close());

/** What an owner who is signed in needs no role for. */
const everyone = ["GET /v1/me"];

test("the document is an OpenAPI 3.1 document", async () => {
  const { valid, errors } = await new Validator().validate(document as never);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(document).toMatchObject({ openapi: "3.1.0" });
});

test("each route that is served is in the document, and each of the document is served", () => {
  const served = house.app.routes
    .filter(
      ({ method, path }) => method !== "ALL" && (path.startsWith("/v1/") || /^\/(?:heal|ready)/.test(path)),
    )
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect([...new Set(served)].sort()).toEqual(operations.map(([name]) => name).sort());
});

test("each route of the document asks for one of the table of access, and each of the table is asked for", () => {
  for (const [name, { "x-lethe-access": asked = [] }] of operations) {
    expect([name, asked.length > 0]).toEqual([name, !everyone.includes(name)]);
    for (const route of asked) expect(routes).toContain(route);
  }
  const asked = new Set(operations.flatMap(([, operation]) => operation["x-lethe-access"] ?? []));
  expect(routes.filter((route) => !asked.has(route))).toEqual([]);
});

test("each route says how one proves who one is, but for those that are open, and what a refusal looks like", () => {
  for (const [name, { "x-lethe-access": asked = [], security, responses, summary }] of operations) {
    const isOpen = asked.some((route) => route === "health.read" || route === "sign-in.begin");
    if (!isOpen) expect([name, security]).toEqual([name, [{ token: [] }, { session: [] }]]);
    if (name.includes("/v1/")) expect([name, "default" in responses]).toEqual([name, true]);
    expect([name, (summary ?? "").length > 5]).toEqual([name, true]);
  }
});

test("answers are as their schemas say, and so are refusals", async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "api", ...document });
  const sql = "SELECT COUNT(*) AS n FROM people";
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  const id = (await house.send("/v1/query", { as: "owner", json: { sql, epsilon: "1" } })).headers.get(
    "lethe-request",
  );
  const paid = await house.send("/v1/query", { as: "analyst", json: { sql, epsilon: "1" } });
  const offers = `/v1/releases/${paid.headers.get("lethe-request")}/offers`;
  const offered = await house.send(offers, { as: "analyst", json: { to: nameOf.owner } });
  const { offer } = JSON.parse(await offered.text());
  const signedIn = await house.send("/v1/session", { headers: { origin }, json: { name: "bob", password } });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  await house.send("/v1/people/olga/tokens", {
    as: "owner",
    json: { name: "t", roles: ["owner"], expiresAt },
  });
  const dashboard = { name: "d", questions: [{ title: "People", sql, epsilon: null }], readers: ["bob"] };
  const saved = JSON.parse(
    await (await house.send("/v1/dashboards", { as: "owner", json: dashboard })).text(),
  );
  const good: Readonly<Record<string, Sent & { readonly path?: string }>> = {
    "POST /v1/query": { json: { sql, epsilon: "1" } },
    "POST /v1/explain": { json: { sql, epsilon: "2" } },
    "POST /v1/describe": { json: { sql } },
    "GET /v1/tables": {},
    "GET /v1/releases": {},
    "GET /v1/releases/{id}": { path: `/v1/releases/${id}` },
    "GET /v1/releases/{id}/certificate": { path: `/v1/releases/${id}/certificate` },
    "GET /v1/certificates": {},
    "GET /v1/requests/{id}": { path: `/v1/requests/${id}` },
    "POST /v1/releases/{id}/offers": { path: `/v1/releases/${id}/offers`, json: { to: "bob" } },
    "POST /v1/received": { json: { offer } },
    "GET /v1/ledger": {},
    "GET /v1/charges": {},
    "GET /v1/status": {},
    "GET /v1/budget": {},
    "GET /v1/me": {},
    "GET /v1/people": {},
    "POST /v1/people": { json: { name: "zoe", roles: ["analyst"] } },
    "GET /v1/people/{name}": { path: "/v1/people/bob" },
    "PATCH /v1/people/{name}": { path: "/v1/people/zoe", method: "PATCH", json: { projects: ["p"] } },
    "POST /v1/people/{name}/tokens": {
      path: "/v1/people/olga/tokens",
      json: { name: "u", roles: ["owner"], expiresAt },
    },
    "GET /v1/people/{name}/tokens": { path: "/v1/people/olga/tokens" },
    "GET /v1/policy": {},
    "POST /v1/policy/check": { json: { text: policyText } },
    "GET /v1/audit-log": {},
    "GET /v1/sessions": { path: "/v1/sessions?of=bob" },
    "GET /v1/dashboards": {},
    "POST /v1/dashboards": { json: dashboard },
    "GET /v1/dashboards/{id}": { path: `/v1/dashboards/${saved.id}` },
    "PUT /v1/dashboards/{id}": {
      path: `/v1/dashboards/${saved.id}`,
      method: "PUT",
      json: { ...dashboard, version: 1 },
    },
  };
  const fits = (name: string, status: string, type: string, body: unknown): void => {
    const [method = "", path = ""] = name.split(" ");
    const pointer = [path, method.toLowerCase(), "responses", status, "content", type, "schema"]
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    const check = ajv.compile({ $ref: `api#/paths/${pointer}` });
    expect([name, status, check(body), check.errors]).toEqual([name, status, true, null]);
  };
  let checked = 0;
  for (const [name, { responses }] of operations) {
    const types = Object.entries(responses).filter(
      ([, { content }]) => content && "application/json" in content,
    );
    for (const [status] of types) {
      const { path = name.split(" ")[1] ?? "", ...sent } = good[name] as (typeof good)[string];
      const response = await house.send(path, { as: "owner", ...sent });
      expect([name, response.status]).toEqual([name, Number(status)]);
      fits(name, status, "application/json", JSON.parse(await response.text()));
      checked += 1;
    }
    if (!("default" in responses)) continue;
    // What a stranger is told, and, where it is open, one whose body is none.
    const [method = "", path = ""] = name.split(" ");
    const refused = await house.send(path, { method, headers: method === "DELETE" ? { cookie } : {} });
    expect([name, refused.status >= 400]).toEqual([name, true]);
    fits(name, "default", "application/problem+json", JSON.parse(await refused.text()));
  }
  expect(checked).toBe(Object.keys(good).length);
});
