import { accessTable, type Role, type Route, roles, type Tenant } from "@lethe/serve";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppHouse, bodyOf, nameOf, openHouse, password } from "../../testing/app-house.ts";

let house: AppHouse;
/** The id of a request by the one who made it. */
const requests: Record<string, string> = {};
/** The id of a dashboard by the one whose it is. */
const dashboards: Record<string, string> = {};
const dashboard = { name: "Counts", questions: [], readers: [] };

const sql = "SELECT COUNT(*) AS n FROM people";

beforeAll(async () => {
  house = await openHouse();
  for (const as of ["owner", "analyst", "bob"] as const) {
    const response = await house.send("/v1/query", { as, json: { sql, epsilon: "1" } });
    requests[nameOf[as]] = response.headers.get("lethe-request") ?? "";
    const saved = await house.send("/v1/dashboards", { as, json: dashboard });
    dashboards[nameOf[as]] = ((await saved.json()) as { readonly id: string }).id;
  }
});
afterAll(() => house.close());

const dashboardOf = (name: string): string => `/v1/dashboards/${dashboards[name] ?? "none"}`;

/** A route of the app: the route of the access table that it is, and a request of it about an object. */
interface Stated {
  readonly route: Route | ((tenant: Tenant) => Route) | "open" | "everyone";
  readonly path?: (name: string, id: string) => string;
  readonly json?: (tenant: Tenant) => unknown;
  readonly ok: number | ((tenant: Tenant) => number);
}

const question = () => ({ sql, epsilon: "1" });
const stated: Readonly<Record<string, Stated>> = {
  "POST /v1/query": { route: "question.ask", json: question, ok: 200 },
  "POST /v1/explain": { route: "question.explain", json: question, ok: 200 },
  "POST /v1/describe": { route: "tables.describe", json: () => ({ sql }), ok: 200 },
  "GET /v1/tables": { route: "tables.list", ok: 200 },
  "GET /v1/releases": { route: "release.list", ok: 200 },
  "GET /v1/releases/:id": {
    route: "release.read",
    path: (name, id) => `/v1/releases/${encodeURIComponent(id)}?of=${name}`,
    ok: 200,
  },
  "GET /v1/releases/:id/certificate": {
    route: "certificate.read",
    path: (name, id) => `/v1/releases/${encodeURIComponent(id)}/certificate?of=${name}`,
    ok: 200,
  },
  "GET /v1/certificates": { route: "certificate.list", ok: 200 },
  "GET /v1/requests/:id": {
    route: "request.read",
    path: (_name, id) => `/v1/requests/${encodeURIComponent(id)}`,
    ok: 200,
  },
  "POST /v1/requests/:id/cancel": {
    route: "request.cancel",
    path: (_name, id) => `/v1/requests/${encodeURIComponent(id)}/cancel`,
    ok: 202,
  },
  "POST /v1/releases/:id/offers": {
    route: "share.offer",
    path: (name, id) => `/v1/releases/${encodeURIComponent(id)}/offers?of=${name}`,
    json: () => ({ to: "zoe" }),
    ok: 201,
  },
  "POST /v1/received": {
    route: "share.take",
    json: () => ({ offer: "offer_none" }),
    // There is no such offer, for whoever may take one too.
    ok: 403,
  },
  "GET /v1/dashboards": { route: "dashboard.list", ok: 200 },
  "POST /v1/dashboards": { route: "dashboard.add", json: () => dashboard, ok: 201 },
  "GET /v1/dashboards/:id": { route: "dashboard.read", path: (name) => dashboardOf(name), ok: 200 },
  "PUT /v1/dashboards/:id": {
    route: "dashboard.change",
    path: (name) => dashboardOf(name),
    json: () => ({ ...dashboard, version: 1 }),
    ok: 200,
  },
  "DELETE /v1/dashboards/:id": { route: "dashboard.change", path: (name) => dashboardOf(name), ok: 204 },
  "GET /v1/ledger": { route: "ledger.read", ok: 200 },
  "GET /v1/charges": { route: "ledger.read", ok: 200 },
  "GET /v1/budget": { route: "budget.read", path: (name) => `/v1/budget?of=${name}`, ok: 200 },
  "GET /v1/me": { route: "everyone", ok: 200 },
  "POST /v1/session": { route: "open", json: () => ({ name: "bob", password }), ok: 403 },
  "DELETE /v1/session": { route: "open", ok: 403 },
  "GET /v1/sign-in/oidc": { route: "open", ok: 404 },
  "GET /v1/sign-in/oidc/callback": { route: "open", ok: 404 },
  "GET /v1/policy": { route: "policy.read", ok: 200 },
  "POST /v1/policy/check": { route: "policy.change", json: () => ({ text: "version: 1" }), ok: 200 },
  "PUT /v1/policy": {
    route: "policy.change",
    json: () => ({ text: "version: 1", agreed: [], reason: "a test" }),
    // No policy: for whoever may change it too.
    ok: 409,
  },
  "GET /v1/audit-log": { route: "audit-log.read", ok: 200 },
  "GET /v1/sessions": { route: "session.list", path: (name) => `/v1/sessions?of=${name}`, ok: 200 },
  "DELETE /v1/sessions": { route: "session.revoke", path: (name) => `/v1/sessions?of=${name}`, ok: 204 },
  "DELETE /v1/sessions/:id": {
    route: "session.revoke",
    path: (name) => `/v1/sessions/0123456789abcdef?of=${name}`,
    // There is no such session, for whoever may end one too.
    ok: 404,
  },
  "GET /v1/people": { route: "person.list", ok: 200 },
  "POST /v1/people": {
    route: "person.add",
    json: () => ({ name: `added${Math.floor(performance.now() * 1000)}`, roles: ["analyst"] }),
    ok: 201,
  },
  "GET /v1/people/:name": { route: "person.read", path: (name) => `/v1/people/${name}`, ok: 200 },
  "PATCH /v1/people/:name": {
    route: "person.change",
    path: (name) => `/v1/people/${name}`,
    json: () => ({ projects: [] }),
    ok: 200,
  },
  "PUT /v1/people/:name/password": {
    route: (tenant) => (tenant === "own" ? "password.change" : "password.set"),
    path: (name) => `/v1/people/${name}/password`,
    json: () => ({ password, current: password }),
    ok: 204,
  },
  "GET /v1/people/:name/tokens": {
    route: "token.list",
    path: (name) => `/v1/people/${name}/tokens`,
    ok: 200,
  },
  "POST /v1/people/:name/tokens": {
    route: "token.create",
    path: (name) => `/v1/people/${name}/tokens`,
    json: (tenant) => ({
      name: "made",
      roles: [tenant === "other" ? "analyst" : asked],
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    }),
    // A token makes none that is stronger: an owner's has not the role of an analyst.
    ok: (tenant) => (tenant === "other" ? 422 : 201),
  },
  "DELETE /v1/people/:name/tokens/:id": {
    route: "token.revoke",
    path: (name) => `/v1/people/${name}/tokens/0123456789abcdef`,
    // There is no such token, for whoever may revoke one too.
    ok: 404,
  },
};
/** The role that is asking, whose own token may have no other. */
let asked: Role = "owner";

const absent = {
  type: "urn:lethe:error:serve.absent",
  title: "there is no such thing for you",
  status: 404,
  detail: "there is no such thing for you",
  code: "serve.absent",
  fix: "check the id, and that you are signed in as the one whose it is",
  fields: {},
};

/** What the app serves below /v1. */
const served = (): readonly string[] => [
  ...new Set(
    house.app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/v1/"))
      .map(({ method, path }) => `${method} ${path}`),
  ),
];

describe("every route", () => {
  test("has a stated expectation, and none is stated that the app lacks", () => {
    expect([...served()].sort()).toEqual(Object.keys(stated).sort());
  });

  test("answers each role on each tenant's object as the table says, and another's as none", async () => {
    let cases = 0;
    for (const [name, { route, path, json, ok }] of Object.entries(stated)) {
      if (route === "open") continue;
      const [method = "", written = ""] = name.split(" ");
      for (const role of roles)
        for (const tenant of path ? (["own", "other", "none"] as const) : (["none"] as const)) {
          asked = role;
          const whose = { own: nameOf[role], other: "bob", none: "nobody" }[tenant];
          const id = requests[whose] ?? "random of nobody";
          const named = typeof route === "function" ? route(tenant) : route;
          const sent = { as: role, method, ...(json ? { json: json(tenant) } : {}) };
          const response = await house.send(path ? path(whose, id) : written, sent);
          const text = await response.text();
          const granted = named === "everyone" || (accessTable[named][role] ?? []).includes(tenant);
          const told = `${name} as ${role} on ${tenant}: ${text.slice(0, 300)}`;
          cases += 1;
          // A budget is of a name, whether somebody has it or not; a person who never asked has no release.
          const isBudget = named === "budget.read" && tenant === "none";
          const isThere = !/(?:releases|dashboards)\//.test(written) || requests[whose] !== undefined;
          if (isBudget ? (accessTable[named][role] ?? []).includes("other") : granted && isThere)
            expect(response.status, told).toBe(typeof ok === "function" ? ok(tenant) : ok);
          else if (path)
            expect({ status: response.status, body: JSON.parse(text) }, told).toEqual({
              status: 404,
              body: absent,
            });
          else
            expect({ status: response.status, code: JSON.parse(text).code }, told).toEqual({
              status: 403,
              code: "serve.forbidden",
            });
          if (response.status === 404) expect(JSON.parse(text), told).toEqual(absent);
        }
    }
    expect(cases).toBeGreaterThan(100);
  });

  test("of another's answers byte for byte as one that does not exist", async () => {
    for (const [there, missing] of [
      [`/v1/releases/${requests.bob}`, "/v1/releases/random%20of%20nobody"],
      [`/v1/releases/${requests.bob}?of=bob`, "/v1/releases/none?of=bob"],
      [`/v1/releases/${requests.bob}/certificate?of=bob`, "/v1/releases/none/certificate?of=nobody"],
      ["/v1/people/bob", "/v1/people/nobody"],
      ["/v1/budget?of=bob", "/v1/budget?of=nobody"],
    ] as const) {
      const [one, other] = [
        await house.send(there, { as: "analyst" }),
        await house.send(missing, { as: "analyst" }),
      ];
      expect([one.status, [...one.headers], await one.text()]).toEqual([
        404,
        [...other.headers],
        await other.text(),
      ]);
    }
  });

  test("tells whoever is signed out one thing alone, and reads nothing of their body", async () => {
    for (const [name, { route, path }] of Object.entries(stated)) {
      if (route === "open") continue;
      const [method = "", written = ""] = name.split(" ");
      let pulled = 0;
      const body = new ReadableStream(
        {
          pull: (controller) => {
            pulled += 1;
            controller.enqueue(new Uint8Array(10));
            if (pulled > 50) controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const sent = method === "GET" ? {} : { body, headers: { "content-type": "application/json" } };
      const response = await house.send(path ? path("bob", "x") : written, { method, ...sent });
      expect([name, response.status, (await bodyOf(response)).code]).toEqual([name, 401, "serve.signed-out"]);
      expect(response.headers.get("www-authenticate")).toBe('Bearer realm="lethe"');
      expect([name, pulled]).toEqual([name, 0]);
    }
  });
});
