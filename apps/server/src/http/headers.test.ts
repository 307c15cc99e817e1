import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppHouse, openHouse } from "../testing/app-house.ts";

let [overTls, plain]: AppHouse[] = [];
beforeAll(async () => {
  [overTls, plain] = [await openHouse({ burst: 50 }), await openHouse({ tls: false })];
});
afterAll(async () => {
  await overTls?.close();
  await plain?.close();
});

const sql = "SELECT COUNT(*) AS n FROM people";
const ask = { as: "analyst", json: { sql, epsilon: "1" } } as const;
const requests = [
  ["an answer", "/v1/query", ask, 200],
  ["an answer as CSV", "/v1/query", { ...ask, headers: { accept: "text/csv" } }, 200],
  ["an answer as Arrow", "/v1/query", { ...ask, headers: { accept: "application/*" } }, 200],
  ["events", "/v1/query", { ...ask, headers: { accept: "text/event-stream" } }, 200],
  ["a plan", "/v1/explain", ask, 200],
  ["a list", "/v1/tables", { as: "analyst" }, 200],
  ["the description of the API", "/openapi.json", {}, 200],
  ["a page", "/", {}, 200],
  ["nobody's request", "/v1/tables", {}, 401],
  ["a path of nobody", "/v1/none", { as: "analyst" }, 404],
  ["a path outside the API", "/.git/config", {}, 404],
  ["a body that is none", "/v1/query", { as: "analyst", body: "{" }, 400],
  ["a body that is too large", "/v1/query", { as: "analyst", body: "x".repeat(70_000) }, 413],
  ["a method of nobody", "/v1/query", { as: "analyst", method: "PUT" }, 404],
  ["a request of another site", "/mcp", { as: "analyst", headers: { origin: "https://e.example" } }, 403],
  [
    "a stream of the model context protocol",
    "/mcp",
    {
      as: "analyst",
      headers: { accept: "application/json, text/event-stream" },
      json: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    },
    200,
  ],
  ["a preflight", "/v1/query", { method: "OPTIONS", headers: { origin: "https://e.example" } }, 401],
] as const;

test.each(requests)(
  "%s is not stored, not sniffed, not framed, and kept to TLS",
  async (_, path, sent, status) => {
    for (const [house, hsts] of [
      [overTls, "max-age=31536000"],
      [plain, null],
    ] as const) {
      const response = (await house?.send(path, sent)) as Response;
      await response.arrayBuffer();
      expect(response.status).toBe(status);
      const { headers } = response;
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("strict-transport-security")).toBe(hsts);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/^default-src 'none'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      // No other site's page is let read an answer.
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(headers.get("server") ?? headers.get("x-powered-by")).toBeNull();
    }
  },
);

test("what has a name that holds its hash may be stored, and nothing else of the page", async () => {
  const html = (await (await overTls?.send("/"))?.text()) ?? "";
  const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? "");
  expect(paths.length).toBeGreaterThan(1);
  for (const path of paths) {
    const response = await overTls?.send(path);
    expect([path, response?.headers.get("cache-control")]).toEqual([
      path,
      "public, max-age=31536000, immutable",
    ]);
    expect(response?.headers.get("x-content-type-options")).toBe("nosniff");
  }
});
