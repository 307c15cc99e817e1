import { answerJsonSchema } from "@lethe/serve/formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { tableFromIPC } from "apache-arrow";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AppHouse, openHouse } from "../../testing/app-house.ts";

/*
 * One question's answer in every format: the same release, so the same values. The groups are texts that formats trip over, dates, truth values and what is missing.
 */

const policy = `
version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 100000 }
tables:
  people:
    file: people.csv
    unit: row
    columns:
      pay: { type: number, bounds: [0, 1000] }
      word: { type: text, categories: ["=1+1", "ünï, 日本", 'say "so"', "(other)", plain] }
      born: { type: date, bounds: [2020-01-01, 2020-01-03] }
      member: { type: boolean }
`;

const words = ["=1+1", '"ünï, 日本"', '"say ""so"""', "(other)", "plain", ""];
const line = (at: number): string =>
  `${(at % 1000) + 0.25},${words[at % 6]},2020-01-0${1 + (at % 3)},${["true", "false", ""][at % 3]}`;
const people = `pay,word,born,member\n${Array.from({ length: 1200 }, (_, at) => line(at)).join("\n")}\n`;

const questions = [
  "SELECT word, COUNT(*) AS n FROM people GROUP BY word",
  "SELECT born, COUNT(*) AS n FROM people GROUP BY born",
  "SELECT member, AVG(pay) AS mean, SUM(pay) AS total FROM people GROUP BY member",
  'SELECT COUNT(*) AS "1", SUM(pay) AS "a, b" FROM people',
] as const;

let house: AppHouse;
beforeAll(async () => {
  house = await openHouse({ data: { policy, people } });
});
afterAll(() => house.close());

const ask = (sql: string, accept: string): Promise<Response> =>
  house.send("/v1/query", { as: "analyst", headers: { accept }, json: { sql, epsilon: "5" } });

type Cell = string | number | boolean | null | { value: number; lower: number; upper: number };

/** A JSON answer's rows as plain tables have them: three values an estimate. */
const flat = (rows: readonly Readonly<Record<string, Cell>>[], columns: readonly { name: string }[]) =>
  rows.map((row) =>
    columns.flatMap(({ name }) => {
      const cell = row[name] ?? null;
      return typeof cell === "object" && cell !== null ? [cell.value, cell.lower, cell.upper] : [cell];
    }),
  );

const asField = (value: unknown): string => {
  if (value === null) return "";
  const text = String(value);
  const safe = typeof value === "string" && text.startsWith("=") ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

describe.each(questions)("%s", (sql) => {
  test("holds the same values as JSON, CSV and Arrow, and is paid for once", async () => {
    const before = (await house.ledger.report()).charges.length;
    const [json, csv, arrow] = [
      await ask(sql, "application/json"),
      await ask(sql, "text/csv"),
      await ask(sql, "application/vnd.apache.arrow.stream"),
    ];
    expect([json.status, csv.status, arrow.status]).toEqual([200, 200, 200]);
    const release = JSON.parse(await json.text());
    const { columns, rows } = release.answer;
    const values = flat(rows, columns);
    expect(values.length).toBeGreaterThan(0);

    const lines = values.map((row) => `${row.map(asField).join(",")}\n`);
    const text = await csv.text();
    // The one text that reads like a mark has quotes of its own in tables.
    expect(text.slice(text.indexOf("\n") + 1)).toBe(lines.join("").replace("(other),", '"""(other)""",'));

    const table = tableFromIPC(await arrow.arrayBuffer());
    const got = values.map((_, row) => table.schema.fields.map((__, at) => table.getChildAt(at)?.get(row)));
    expect(got).toEqual(values.map((row) => row.map((value) => (value === "(other)" ? '"(other)"' : value))));
    expect(table.schema.fields.map(({ name }) => name)).toEqual(
      columns.flatMap(({ name, kind }: { name: string; kind: string }) =>
        kind === "key" ? [name] : [name, `${name}_lower`, `${name}_upper`],
      ),
    );

    expect(csv.headers.get("lethe-request")).toBe(release.answer.requestId);
    expect(json.headers.get("lethe-charged")).toBe(JSON.stringify(release.answer.charged));
    expect(csv.headers.get("lethe-charged")).toBe("nothing");
    expect((await house.ledger.report()).charges).toHaveLength(before + 1);
  });

  test("follows the schema that is published, new and repeated", async () => {
    const valid = new Ajv2020({ strict: false }).compile(answerJsonSchema());
    for (const accept of ["application/json", "*/*"]) {
      const body = JSON.parse(await (await ask(sql, accept)).text());
      expect([valid(body), valid.errors]).toEqual([true, null]);
    }
    const { requestId } = JSON.parse(await (await ask(sql, "application/json")).text()).answer;
    const again = await house.send(`/v1/releases/${encodeURIComponent(requestId)}`, { as: "analyst" });
    expect([valid(JSON.parse(await again.text())), valid.errors]).toEqual([true, null]);
  });
});

describe("a stream of events", () => {
  const events = (text: string): readonly (readonly [string, unknown])[] =>
    text
      .split("\n\n")
      .filter((part) => part !== "")
      .map((part) => {
        const [event = "", data = "", ...rest] = part.split("\n");
        expect(rest).toEqual([]);
        return [event.replace("event: ", ""), JSON.parse(data.replace("data: ", ""))] as const;
      });
  const sql = "SELECT word, SUM(pay) AS pay FROM people GROUP BY word";

  test("tells the public price, then the answer, and nothing else", async () => {
    const explained = await house.send("/v1/explain", { as: "bob", json: { sql, epsilon: "5" } });
    const plan = JSON.parse(await explained.text());
    const follow = (as: "bob" | "analyst") =>
      house.send("/v1/query", {
        as,
        headers: { accept: "text/event-stream" },
        json: { sql, epsilon: "5" },
      });
    const response = await follow("bob");
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const told = events(await response.text());
    expect(told.map(([event]) => event)).toEqual(["planned", "answer"]);
    const { price, warnings, keyNotice, earlier } = plan;
    expect(told[0]?.[1]).toEqual({ price, warnings, keyNotice, earlier });
    expect(told[1]?.[1]).toMatchObject({ kind: "release", answer: { charged: { epsilon: "5" } } });
    // The same of other data: what is told before the answer follows from policy and question alone.
    const other = await openHouse({
      data: { policy, people: people.replaceAll("plain", "=1+1").replaceAll("true", "false") },
    });
    try {
      const elsewhere = await other.send("/v1/query", {
        as: "bob",
        headers: { accept: "text/event-stream" },
        json: { sql, epsilon: "5" },
      });
      expect(events(await elsewhere.text())[0]).toEqual(told[0]);
    } finally {
      await other.close();
    }
    // Asked again, it says so before, and the answer is the same.
    const again = events(await (await follow("bob")).text());
    expect(again[0]?.[1]).toMatchObject({ earlier: { requestId: expect.any(String) } });
    const signatureOf = (all: typeof told): unknown =>
      (all[1]?.[1] as { readonly signature: string } | undefined)?.signature;
    expect(signatureOf(again)).toBe(signatureOf(told));
  });

  test("ends with a problem where the question is refused, before or after its price", async () => {
    const follow = async (json: object) => {
      const headers = { accept: "text/event-stream" };
      return events(await (await house.send("/v1/query", { as: "bob", headers, json })).text());
    };
    expect(await follow({ sql: "SELECT nothing FROM people", epsilon: "1" })).toMatchObject([
      ["problem", { status: 422, line: 1, column: 8 }],
    ]);
    expect(await follow({ sql: "SELECT COUNT(*) AS n FROM people", epsilon: "99999" })).toMatchObject([
      ["planned", { price: { epsilon: "99999" } }],
      ["problem", { status: 402, code: "ledger.budget" }],
    ]);
  });
});

test("a client that accepts nothing that there is gets a refusal before it pays", async () => {
  const before = (await house.ledger.report()).charges.length;
  const response = await ask("SELECT COUNT(*) AS unpaid FROM people", "image/png, */*;q=0");
  expect([response.status, JSON.parse(await response.text()).code]).toEqual([406, "serve.not-acceptable"]);
  expect((await house.ledger.report()).charges).toHaveLength(before);
});
