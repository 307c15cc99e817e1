import { type Span, trace } from "@opentelemetry/api";
import { afterEach, expect, test } from "vitest";
import { secretValue } from "../testing/app-house.ts";
import { bind, execute, fieldsOf, kindsOf, parse, query, sync } from "./testing/raw-client.ts";
import { openWireHouse, pricedPolicy, type WireHouse } from "./testing/wire-house.ts";

const sql = "SELECT COUNT(*) AS n FROM people WHERE age < 12";

let house: WireHouse | null = null;
afterEach(async () => {
  trace.disable();
  await house?.close();
  house = null;
});

test("the span of a question ends before it is charged, and so before it is executed", async () => {
  house = await openWireHouse();
  const { order } = house;
  const spans: unknown[] = [];
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: (name, options) => {
        const span: Pick<Span, "setAttributes" | "end"> = {
          setAttributes: (more) => {
            spans.push({ name, ...options?.attributes, ...more });
            return span as Span;
          },
          end: () => void order.push("span"),
        };
        return span as Span;
      },
      startActiveSpan: () => {
        throw new Error("no span is active while a question is executed");
      },
    }),
  } as Parameters<typeof trace.setGlobalTracerProvider>[0]);
  const client = await house.client();
  order.length = 0;
  await client.ask(parse("", sql), bind("", ""), execute(""), sync);
  expect(order).toEqual(["span", "asked"]);
  expect(spans).toEqual([
    { name: "request", "network.protocol.name": "postgresql", "lethe.kind": "ask", "lethe.admitted": true },
  ]);
});

test("an answer leaves at its slot and not before, whichever protocol carries it", async () => {
  const policy = `${pricedPolicy}\nrelease_schedule: 400ms\n`;
  const people = `age,town,name\n${"5,south,x\n".repeat(50)}`;
  house = await openWireHouse({ data: { policy, people } });
  const client = await house.client();
  await client.ask(query("EXPLAIN PRIVACY SELECT COUNT(*) FROM people"));
  const began = performance.now();
  const told = await client.ask(query(sql));
  expect(kindsOf(told)).toMatch(/^N+TDCZ$/);
  expect(performance.now() - began).toBeGreaterThanOrEqual(395);
});

test("once the audit log is lost, all is refused by one constant, and nothing is charged", async () => {
  house = await openWireHouse();
  const client = await house.client();
  house.disk.isFull = true;
  const first = await client.ask(query(sql));
  house.disk.isFull = false;
  const codes = [first, await client.ask(query("SELECT 1")), await client.ask(query(sql))].map((told) =>
    fieldsOf(told.find(({ kind }) => kind === "E")),
  );
  for (const fields of codes) {
    expect(fields).toMatchObject({ C: "58000", R: "log.lost" });
    expect(`${fields.M} ${fields.H}`).not.toMatch(new RegExp(`disk|file|${secretValue}`));
  }
  expect((await house.ledger.report()).charges.filter(({ state }) => state === "settled")).toHaveLength(0);
});

test("what one's cap does not cover is refused in PostgreSQL's fields, for nothing", async () => {
  house = await openWireHouse();
  const client = await house.client("analyst", { options: "-c lethe.epsilon=2000" });
  const told = await client.ask(query(sql));
  const fields = fieldsOf(told.find(({ kind }) => kind === "E"));
  expect(fields).toMatchObject({ C: "53400", R: "ledger.budget" });
  const http = await house.send("/v1/query", { as: "analyst", json: { sql, epsilon: "2000" } });
  expect(await http.json()).toMatchObject({ detail: fields.M, fix: fields.H });
  expect((await house.ledger.report()).charges).toHaveLength(0);
});
