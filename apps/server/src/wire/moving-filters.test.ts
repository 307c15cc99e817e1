import { afterEach, expect, test } from "vitest";
import { bind, execute, fieldsOf, parse, query, sync, type Told } from "./testing/raw-client.ts";
import { openWireHouse, pricedPolicy, type WireHouse } from "./testing/wire-house.ts";

let house: WireHouse | null = null;
afterEach(async () => {
  await house?.close();
  house = null;
});

const policy = pricedPolicy.replace(
  "name: { type: text }",
  "name: { type: text }\n      ts: { type: timestamp, round_filters: 1h }",
);
const people = `age,town,name,ts\n${Array.from({ length: 600 }, (_, at) => `${at % 100},south,x,2026-11-28T${String(at % 24).padStart(2, "0")}:30:00`).join("\n")}\n`;

/** As Grafana's $__timeFilter writes it, at a refresh at so many minutes and seconds past three. */
const refreshed = (at: string): string =>
  `SELECT COUNT(*) AS n FROM people WHERE ts BETWEEN '2026-11-28T09:${at}Z' AND '2026-11-28T15:${at}Z'`;

const notes = (told: readonly Told[]): string =>
  told
    .filter(({ kind }) => kind === "N")
    .map((notice) => fieldsOf(notice).M)
    .join("\n");
const rows = (told: readonly Told[]): readonly string[] =>
  told.filter(({ kind }) => kind === "D").map(({ body }) => body.toString());

test("a filter that moves asks one question within an hour, over the wire and over HTTP, and the next in the next", async () => {
  house = await openWireHouse({ data: { policy, people } });
  const client = await house.client();
  const first = await client.ask(query(refreshed("05:03")));
  expect(notes(first)).toMatch(/^charged epsilon/);
  expect(notes(first)).toContain(
    "times that ts is compared with are rounded down to 1 hour, as the policy says: TIMESTAMP '2026-11-28 09:00:00', TIMESTAMP '2026-11-28 15:00:00'",
  );
  const second = await client.ask(query(refreshed("05:33.25")));
  expect(notes(second)).toMatch(/^charged nothing/);
  expect(rows(second)).toEqual(rows(first));

  const bound = "SELECT COUNT(*) AS n FROM people WHERE ts BETWEEN $1::timestamptz AND $2::timestamptz";
  const prepared = await client.ask(
    parse("", bound),
    bind("", "", ["2026-11-28 09:47:00+00", "2026-11-28 15:47:00+00"]),
    execute(""),
    sync,
  );
  expect(notes(prepared)).toMatch(/^charged nothing/);
  expect(rows(prepared)).toEqual(rows(first));

  const response = await house.send("/v1/query", { as: "analyst", json: { sql: refreshed("59:59") } });
  expect(response.status).toBe(200);
  const { answer, certificate } = (await response.json()) as {
    readonly answer: { readonly rows: readonly Readonly<Record<string, { readonly value: number }>>[] };
    readonly certificate: { readonly plan: { readonly where: unknown } };
  };
  expect(rows(first)[0]).toContain(String(answer.rows[0]?.n?.value));
  expect(JSON.stringify(certificate.plan.where)).toContain(String(Date.UTC(2026, 10, 28, 9) * 1000));
  expect((await house.ledger.report()).charges).toHaveLength(1);

  const next = await client.ask(query(refreshed("00:00").replaceAll("T15", "T16").replaceAll("T09", "T10")));
  expect(notes(next)).toMatch(/^charged epsilon/);
  expect((await house.ledger.report()).charges).toHaveLength(2);
  const short = refreshed("10:00").replace("T09:10", "T15:02");
  const refused = fieldsOf((await client.ask(query(short)))[0]);
  expect(refused).toMatchObject({ C: "22023", R: "query.impossible" });
  expect((await house.ledger.report()).charges).toHaveLength(2);
});
