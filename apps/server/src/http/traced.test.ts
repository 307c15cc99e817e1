import { type Attributes, type Span, type SpanOptions, type TracerProvider, trace } from "@opentelemetry/api";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AppHouse, nameOf, openHouse, origin, password, secretValue } from "../testing/app-house.ts";

interface Told {
  readonly name: string;
  readonly options: SpanOptions | undefined;
  readonly attributes: Attributes;
}

let house: AppHouse;
const spans: Told[] = [];

/** Keeps every span, and notes in the order of the house when it ended. */
const provider: TracerProvider = {
  getTracer: () => ({
    startSpan: (name, options) => {
      const attributes: Attributes = { ...options?.attributes };
      const span: Pick<Span, "setAttributes" | "end"> = {
        setAttributes: (more) => Object.assign(attributes, more) && (span as Span),
        end: () => {
          house.order.push("span");
          spans.push({ name, options, attributes });
        },
      };
      return span as Span;
    },
    startActiveSpan: () => {
      throw new Error("no span is active while a question is executed");
    },
  }),
};

beforeAll(async () => {
  house = await openHouse();
  trace.setGlobalTracerProvider(provider);
});
afterAll(async () => {
  trace.disable();
  await house.close();
});
beforeEach(() => {
  spans.length = 0;
  house.order.length = 0;
});

const sql = "SELECT COUNT(*) AS n FROM people WHERE age < 12";

test("the span of a question ends before it is charged, and so before it is executed", async () => {
  await house.send("/v1/query", { as: "analyst", json: { sql, epsilon: "1" } });
  expect(house.order).toEqual(["span", "asked"]);
  expect(spans[0]?.attributes).toEqual({
    "http.request.method": "POST",
    "http.route": "/v1/query",
    "lethe.admitted": true,
  });
});

test("the same over MCP, over events, and for a sign-in", async () => {
  const call = { name: "query", arguments: { sql: `${sql} AND age > 1`, epsilon: "1" } };
  await house
    .send("/mcp", {
      as: "analyst",
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" },
      json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: call },
    })
    .then((response) => response.text());
  expect(house.order).toEqual(["span", "asked"]);
  expect(spans[0]?.attributes).toMatchObject({ "http.route": "/mcp", "lethe.admitted": true });
  const headers = { accept: "text/event-stream" };
  const json = { sql: `${sql} AND age > 2`, epsilon: "1" };
  await house.send("/v1/query", { as: "analyst", headers, json }).then((response) => response.text());
  expect(house.order.slice(2)).toEqual(["span", "asked"]);
  await house.send("/v1/session", { headers: { origin }, json: { name: nameOf.bob, password } });
  expect(house.order.slice(4)).toEqual(["span", "signed-in"]);
});

test("what is refused before that has its status, and no span tells who, from where or what", async () => {
  await house.send("/v1/query?secret=of-the-path", { json: { sql } });
  await house.send("/v1/releases/of-the-path", { as: "analyst" });
  await house.send("/v1/nothing/of-the-path", { as: "analyst" });
  await house.send("/v1/query", { as: "analyst", json: { sql: `SELECT '${secretValue}'` } });
  expect(spans.map(({ attributes }) => attributes["http.response.status_code"] ?? "let in")).toEqual([
    401,
    "let in",
    404,
    "let in",
  ]);
  const text = JSON.stringify(spans);
  for (const hidden of ["of-the-path", "SELECT", nameOf.analyst, "192.0.2.1", secretValue])
    expect(text).not.toContain(hidden);
  // A caller's context is not taken up.
  expect(spans.every(({ options }) => options?.root === true)).toBe(true);
});

test("the log tells when a request came, and not when it was answered", async () => {
  const before = house.lines.length;
  const begin = Date.now();
  const asking = house.send("/v1/query", {
    as: "analyst",
    json: { sql: `${sql} AND age > 3`, epsilon: "1" },
  });
  const came = Date.now();
  await asking;
  expect(house.lines[before]?.at).toBeGreaterThanOrEqual(begin);
  expect(house.lines[before]?.at).toBeLessThanOrEqual(came);
});
