import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppHouse, openHouse } from "../../testing/app-house.ts";

let house: AppHouse;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const count = (bound: number): string => `SELECT COUNT(*) AS n FROM people WHERE age < ${bound}`;
const charges = async (): Promise<number> => (await house.ledger.report()).charges.length;
const ask = (key: string, sql: string, { accept = "application/json", as = "analyst" as const } = {}) =>
  house.send("/v1/query", {
    as,
    headers: { "idempotency-key": key, accept },
    json: { sql, epsilon: "1" },
  });

describe("the header Idempotency-Key", () => {
  test("makes a question one request, whose bytes are the same at no further charge, in each format", async () => {
    const before = await charges();
    const first = JSON.parse(await (await ask("k1", count(10))).text());
    const again = JSON.parse(await (await ask("k1", count(10))).text());
    expect(again.signature).toBe(first.signature);
    expect(again.rows).toEqual(first.rows);
    const csv = await ask("k1", count(10), { accept: "text/csv" });
    expect(csv.headers.get("lethe-request")).toBe(first.answer.requestId);
    const events = await (await ask('"k1"', count(10), { accept: "text/event-stream" })).text();
    expect(events).toContain(first.signature);
    expect(await charges()).toBe(before + 1);
  });

  test("is refused beside another question, which is not charged, and tells nothing of the first", async () => {
    await (await ask("k2", count(20))).text();
    const before = await charges();
    const other = await ask("k2", count(21));
    const text = await other.text();
    expect([other.status, JSON.parse(text).code]).toEqual([409, "ledger.request"]);
    expect(text).not.toContain("< 20");
    const dearer = await house.send("/v1/query", {
      as: "analyst",
      headers: { "idempotency-key": "k2" },
      json: { sql: count(20), epsilon: "2" },
    });
    expect(dearer.status).toBe(409);
    expect(await charges()).toBe(before);
  });

  test("pays once for many at the same time", async () => {
    const before = await charges();
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => JSON.parse(await (await ask("k3", count(30))).text())),
    );
    expect(new Set(answers.map(({ signature }) => signature)).size).toBe(1);
    expect(await charges()).toBe(before + 1);
  });

  test.each(["", " ", "a b", "x".repeat(101), '"open', "a,b", "a/b", "100%"])(
    "of %j is refused before anything is charged",
    async (key) => {
      const before = await charges();
      const response = await ask(key, count(40));
      expect([response.status, JSON.parse(await response.text()).code]).toEqual([400, "parameter.invalid"]);
      expect(await charges()).toBe(before);
    },
  );

  test("is refused beside fresh and made, which name no earlier request", async () => {
    for (const more of [{ fresh: true }, { made: true }]) {
      const response = await house.send("/v1/query", {
        as: "analyst",
        headers: { "idempotency-key": "k4" },
        json: { sql: count(50), epsilon: "1", ...more },
      });
      expect([response.status, JSON.parse(await response.text()).code]).toEqual([400, "parameter.invalid"]);
    }
  });
});

describe("a client that stops waiting", () => {
  test("loses nothing: the question is charged once, and its answer is there", async () => {
    const before = await charges();
    const gone = new AbortController();
    const sent = house.send("/v1/query", {
      as: "analyst",
      json: { sql: count(60), epsilon: "1" },
      signal: gone.signal,
    });
    gone.abort();
    await (await sent).text();
    const answer = await house.send("/v1/query", { as: "analyst", json: { sql: count(60), epsilon: "1" } });
    expect(answer.status).toBe(200);
    const { requestId } = JSON.parse(await answer.text()).answer;
    expect(await charges()).toBe(before + 1);
    expect(
      (await house.send(`/v1/releases/${requestId.replace(" ", "%20")}`, { as: "analyst" })).status,
    ).toBe(200);
  });

  test("that stops once its charge is made finds it under its key", async () => {
    const before = await charges();
    const gone = new AbortController();
    const sent = house.send("/v1/query", {
      as: "analyst",
      headers: { "idempotency-key": "left" },
      json: { sql: count(70), epsilon: "1" },
      signal: gone.signal,
    });
    while ((await charges()) === before) await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    await (await sent).text();
    const answer = await ask("left", count(70));
    expect(answer.status).toBe(200);
    expect(await charges()).toBe(before + 1);
  });
});
