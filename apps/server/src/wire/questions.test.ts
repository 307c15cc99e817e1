import { createHash } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { password, secretValue } from "../testing/app-house.ts";
import { bind, execute, fieldsOf, kindsOf, parse, query, rowOf, sync } from "./testing/raw-client.ts";
import { openWireHouse, type WireHouse } from "./testing/wire-house.ts";

let house: WireHouse;
let ada: pg.Client;
const notices: string[] = [];
beforeAll(async () => {
  house = await openWireHouse();
  ada = new pg.Client({ host: "127.0.0.1", port: house.port, user: "ada", password, database: "shop" });
  ada.on("notice", ({ message }) => notices.push(message ?? ""));
  await ada.connect();
});
afterAll(async () => {
  await ada?.end();
  await house?.close();
});

/** The refusal of a text, as pg tells it. */
async function refusal(sql: string, values?: readonly unknown[]): Promise<pg.DatabaseError> {
  const error = await (values ? ada.query(sql, [...values]) : ada.query(sql)).then(
    () => null,
    (refused: pg.DatabaseError) => refused,
  );
  if (error === null) throw new Error(`answered: ${sql}`);
  return error;
}

describe("a question over the wire", () => {
  const byTown = "SELECT town, COUNT(*) AS n, AVG(age) AS mean FROM people GROUP BY town ORDER BY town";

  it("has the columns and the cells that HTTP answers as CSV, the ends of intervals last, and costs nothing the second time", async () => {
    notices.length = 0;
    const { rows, fields } = await ada.query(byTown);
    expect(fields.map(({ name, dataTypeID }) => [name, dataTypeID])).toEqual([
      ["town", 25],
      ["n", 701],
      ["mean", 701],
      ["n_lower", 701],
      ["n_upper", 701],
      ["mean_lower", 701],
      ["mean_upper", 701],
    ]);
    expect(rows.map(({ town }) => town)).toEqual(["=north", "a, b", "south", null]);
    expect(notices[0]).toMatch(
      /^charged epsilon 1\/2 as request [\w-]+; 1999\/2 of 1000 left of analyst ada$/,
    );
    notices.length = 0;
    const again = await ada.query(byTown);
    expect(again.rows).toEqual(rows);
    expect(notices[0]).toMatch(/^charged nothing: it is the answer of 20/);
    const csv = await house.send("/v1/query", {
      as: "analyst",
      json: { sql: byTown },
      headers: { accept: "text/csv" },
    });
    expect(csv.headers.get("lethe-charged")).toBe("nothing");
    const [, ...lines] = (await csv.text()).trimEnd().split("\n");
    expect(lines.map((line) => line.split(",").slice(-6).map(Number))).toEqual(
      rows.map((row) => [row.n, row.n_lower, row.n_upper, row.mean, row.mean_lower, row.mean_upper]),
    );
  });

  it("has only the columns that were asked for where the connection leaves out intervals", async () => {
    const { rows: whole } = await ada.query(byTown);
    const client = new pg.Client({
      ...{ host: "127.0.0.1", port: house.port, user: "ada", password, database: "shop" },
      options: "-c lethe.intervals=off",
    });
    await client.connect();
    try {
      const plain = await client.query(byTown);
      const bound = await client.query(`${byTown} LIMIT $1`, [10]);
      expect(plain.rows).toEqual(whole.map(({ town, n, mean }) => ({ town, n, mean })));
      expect(bound.fields.map(({ name }) => name)).toEqual(["town", "n", "mean"]);
      expect((await client.query("SHOW lethe.intervals")).rows).toEqual([{ "lethe.intervals": "off" }]);
      await expect(client.query("SET lethe.intervals = on")).rejects.toMatchObject({
        code: "22023",
        hint: expect.stringContaining("options='-c lethe.intervals=on'"),
      });
    } finally {
      await client.end();
    }
  });

  it("takes its price from the connection, and tells what is left as far as one may see it", async () => {
    await ada.query("SET lethe.epsilon = '0.25'");
    notices.length = 0;
    await ada.query("SELECT COUNT(*) FROM people WHERE age > 7");
    expect(notices[0]).toMatch(/^charged epsilon 1\/4/);
    await ada.query("RESET lethe.epsilon");
    expect((await ada.query("SHOW lethe.epsilon")).rows).toEqual([{ "lethe.epsilon": "" }]);
  });

  it("has keys of the types of their columns: whole numbers are int8", async () => {
    const half =
      "CASE WHEN age < 50 THEN 1 ELSE 2 END AS half, CASE WHEN age < 50 THEN 0.5 ELSE 1.5 END AS part";
    const byHalf = `SELECT ${half}, COUNT(*) AS n FROM people GROUP BY 1, 2`;
    const { rows, fields } = await ada.query(byHalf);
    expect(fields.map(({ dataTypeID }) => dataTypeID)).toEqual([20, 701, 701, 701, 701]);
    expect(rows.map(({ half, part }) => [half, part])).toEqual(expect.arrayContaining([["1", 0.5]]));
    const client = await house.client();
    const told = await client.ask(parse("", byHalf), bind("", "", [], { binary: true }), execute(""), sync);
    const keys = told
      .filter(({ kind }) => kind === "D")
      .map((row) => Number(rowOf(row)[0]?.readBigInt64BE()));
    expect(new Set(keys)).toEqual(new Set([1, 2]));
  });

  it("may be told without notices", async () => {
    notices.length = 0;
    await ada.query("SET client_min_messages TO warning");
    await ada.query("SELECT COUNT(*) FROM people");
    expect(notices).toEqual([]);
    await ada.query("RESET ALL");
  });

  it.each([
    ["SELECT COUNT(*) FROM persons", "42P01", "query.unknown-table", 22],
    ["SELECT 'é😀' AS a, COUNT(*) FROM persons", "42P01", "query.unknown-table", 33],
    ["SELECT COUNT(*) FROM people WHERE wage > 3", "42703", "query.unknown-column", 35],
    ["SELECT COUNT(* FROM people", "42601", "query.syntax", 16],
    ["SELECT pg_sleep(5) FROM people", "42883", "query.unknown-function", 8],
    ["SELECT * FROM people LIMIT 200", "0A000", "query.unsupported", 8],
    ["INSERT INTO people VALUES (1)", "0A000", "query.unsupported", 1],
    ["DROP TABLE people", "0A000", "query.unsupported", 1],
    ["SELECT relname FROM pg_class JOIN people ON true", "0A000", "query.unsupported", undefined],
    ["SELECT pg_read_file('/etc/passwd')", "0A000", "query.unsupported", 8],
    ["SELECT set_config('server_version', '9', false)", "22023", "query.option", undefined],
    ["SELECT 1 FROM pg_class a, pg_class b, pg_class c, pg_class d", "54000", "query.too-large", undefined],
    ["SELECT relnam FROM pg_catalog.pg_class", "42703", "query.unknown-column", 8],
    ["SELECT SUM(name) FROM people", undefined, undefined, 8],
    ["COPY people TO STDOUT", "0A000", "query.unsupported", undefined],
    ["COPY people FROM STDIN", "0A000", "query.unsupported", undefined],
    ["SELECT COUNT(*) FROM people; SELECT x FROM persons", "42P01", "query.unknown-table", 44],
  ])("is refused with its code, place and remedy: %s", async (sql, state, code, position) => {
    const { charges: before } = await charged();
    const error = await refusal(sql);
    if (state) expect([error.code, error.routine]).toEqual([state, code]);
    expect(error.severity).toBe("ERROR");
    expect(error.hint).toBeTruthy();
    expect(error.position).toBe(position === undefined ? undefined : String(position));
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain(secretValue);
    expect((await charged()).charges).toBe(before);
  });

  it("is one of several in a text, up to the first that is refused", async () => {
    const client = await house.client();
    const told = await client.ask(query("SHOW TABLES; SELECT 1;; SELECT x FROM persons; SELECT 2"));
    expect(kindsOf(told)).toBe("TDCTDCEZ");
    expect(fieldsOf(told.find(({ kind }) => kind === "E")).P).toBe("39");
    expect(kindsOf(await client.ask(query(" ; -- nothing\n")))).toBe("IZ");
  });

  it("is explained and described as over HTTP", async () => {
    const { rows } = await ada.query("EXPLAIN PRIVACY SELECT COUNT(*) FROM people");
    const { explanation } = rows[0];
    expect(explanation).toMatchObject({ kind: "explanation", price: { epsilon: "1/2" } });
    expect((await ada.query("DESCRIBE people")).rows.map(({ column_name: name }) => name)).toEqual([
      "age",
      "town",
      "name",
    ]);
    expect(
      (await ada.query("SELECT COUNT(*) AS n FROM information_schema.tables WHERE table_schema = 'public'"))
        .rows,
    ).toEqual([{ n: "1" }]);
  });

  it("is another's own: who asks the same over another connection pays for it", async () => {
    const bob = await house.client("bob");
    const told = await bob.ask(query(byTown));
    expect(fieldsOf(told.find(({ kind }) => kind === "N")).M).toMatch(/^charged epsilon 1\/2/);
    const auditor = await house.client("auditor");
    const refused = await auditor.ask(query(byTown));
    expect(fieldsOf(refused[0])).toMatchObject({ C: "42501", R: "serve.forbidden" });
  });

  it("leaves facts of who asked by which hash, and log lines without its words", async () => {
    const entries = await house.audit.page(null, 500);
    expect(JSON.stringify(entries)).not.toContain("SELECT");
    expect(JSON.stringify(entries)).not.toContain(password);
    const facts = entries.map(({ actor, fact }) => ({
      who: actor.name,
      by: actor.by,
      ...fact,
    }));
    expect(facts).toContainEqual({ who: "ada", by: "password", kind: "signed-in" });
    const question = createHash("sha256").update(byTown).digest("hex");
    for (const who of ["ada", "bob"])
      expect(facts).toContainEqual(
        expect.objectContaining({ who, kind: "asked", question, outcome: "charged" }),
      );
    const lines = house.lines.filter(({ method }) => method === "POSTGRES");
    expect(lines.some(({ route, status }) => route === "question.ask" && status === 200)).toBe(true);
    expect(Object.keys(lines[0] ?? {}).sort()).toEqual(["at", "method", "principal", "route", "status"]);
  });

  async function charged(): Promise<{ charges: number }> {
    const { items } = await house.service.requests(
      { name: "ada", roles: ["analyst"], projects: [], proof: { kind: "session", session: "test" } },
      { before: null, most: 200 },
    );
    return { charges: items.length };
  }
});

describe("what a connection answers by itself", () => {
  it("is who asks, where, and by which versions", async () => {
    const { rows } = await ada.query(
      "SELECT current_user, current_database() AS db, pg_catalog.version(), 1, 'a''b'::text AS t, CAST('x' AS VARCHAR(60)) AS v, current_setting('server_version')",
    );
    expect(rows).toEqual([
      {
        current_user: "ada",
        db: "shop",
        version: "PostgreSQL 18.4 (the wire of Lethe)",
        "?column?": 1,
        t: "a'b",
        v: "x",
        current_setting: "18.4",
      },
    ]);
  });

  it("is its settings, of which it refuses what would change a form", async () => {
    await ada.query(
      "SET application_name TO 'a report'; SET TIME ZONE 'Europe/Berlin'; SET search_path = a, b",
    );
    expect((await ada.query("SHOW application_name")).rows).toEqual([{ application_name: "a report" }]);
    expect((await ada.query("SHOW search_path")).rows).toEqual([{ search_path: "a, b" }]);
    expect((await ada.query("SHOW ALL")).rows.length).toBeGreaterThan(20);
    for (const sql of [
      "SET client_encoding = 'LATIN1'",
      "SET DateStyle = 'German'",
      "SET server_version = '9'",
    ])
      expect((await refusal(sql)).code).toBe("22023");
    expect((await refusal("SET nothing = 1")).hint).toContain("SHOW ALL");
    expect((await refusal("SHOW nothing")).code).toBe("22023");
    await ada.query("DISCARD ALL");
    expect((await ada.query("SHOW TimeZone")).rows).toEqual([{ timezone: "UTC" }]);
  });

  it("is a block, which takes nothing back and fails until it ends", async () => {
    const client = await house.client();
    const states: string[] = [];
    const ask = async (sql: string): Promise<string> => {
      const told = await client.ask(query(sql));
      states.push(told.at(-1)?.body.toString() ?? "");
      return fieldsOf(told.find(({ kind }) => kind === "E")).C ?? "ok";
    };
    const answers = [];
    for (const sql of [
      "BEGIN READ ONLY",
      "SAVEPOINT a",
      "SELECT x FROM persons",
      "SELECT 1",
      "ROLLBACK TO SAVEPOINT a",
      "SELECT 1",
      "SELECT x FROM persons",
      "COMMIT",
      "RELEASE a",
    ])
      answers.push(await ask(sql));
    expect(answers).toEqual(["ok", "ok", "42P01", "25P02", "ok", "ok", "42P01", "ok", "22023"]);
    expect(states.join("")).toBe("TTEETTEII");
  });

  it("is a cursor, which gives an answer row by row", async () => {
    await ada.query("BEGIN");
    await ada.query("DECLARE c NO SCROLL CURSOR FOR SELECT town, COUNT(*) AS n FROM people GROUP BY town");
    const first = await ada.query("FETCH FORWARD 2 FROM c");
    expect(first.rowCount).toBe(2);
    expect(first.command).toBe("FETCH");
    expect((await ada.query("FETCH ALL IN c")).rowCount).toBe(2);
    expect((await ada.query("FETCH NEXT FROM c")).rowCount).toBe(0);
    await ada.query("COMMIT");
    expect((await refusal("FETCH c")).routine).toBe("query.option");
    expect((await refusal("DECLARE c CURSOR FOR SELECT COUNT(*) FROM people")).hint).toContain("BEGIN");
    await ada.query("DECLARE c CURSOR WITH HOLD FOR SELECT town, COUNT(*) AS n FROM people GROUP BY town");
    expect((await ada.query("MOVE 2 IN c")).command).toBe("MOVE");
    expect((await ada.query("FETCH 9 FROM c")).rowCount).toBe(2);
    await ada.query("CLOSE c");
  });
});

describe("COPY", () => {
  const asked = "SELECT town, COUNT(*) AS n FROM people GROUP BY town ORDER BY town";
  async function copied(options: string): Promise<Buffer> {
    const client = await house.client();
    const told = await client.ask(query(`COPY (${asked}) TO STDOUT ${options}`));
    expect(kindsOf(told)).toMatch(/^N+Hd+cCZ$/);
    expect(told.at(-2)?.body.toString()).toBe("COPY 4\0");
    return Buffer.concat(told.filter(({ kind }) => kind === "d").map(({ body }) => body));
  }

  it("writes CSV as HTTP does", async () => {
    const csv = await house.send("/v1/query", {
      as: "analyst",
      json: { sql: asked },
      headers: { accept: "text/csv" },
    });
    const expected = await csv.text();
    expect((await copied("(FORMAT csv, HEADER true)")).toString()).toBe(expected);
    expect((await copied("WITH CSV HEADER")).toString()).toBe(expected);
    expect((await copied("WITH CSV")).toString()).toBe(expected.slice(expected.indexOf("\n") + 1));
  });

  it("writes text, and binary with its header in the first row's message", async () => {
    const { rows } = await ada.query(asked);
    const lines = (await copied("")).toString().trimEnd().split("\n");
    expect(lines.map((line) => line.split("\t"))).toEqual(
      rows.map((row) => Object.values(row).map((value) => (value === null ? "\\N" : String(value)))),
    );
    const binary = await copied("(FORMAT binary)");
    expect(binary.subarray(0, 19)).toEqual(
      Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)]),
    );
    expect(binary.readInt16BE(19)).toBe(4);
    expect(binary.subarray(-2)).toEqual(Buffer.from([0xff, 0xff]));
    const at = 21 + 4 + Buffer.byteLength(rows[0].town) + 4;
    expect(binary.readDoubleBE(at)).toBe(rows[0].n);
  });
});

it("a row has no more than the answer: no value of the data that the policy does not name", async () => {
  const client = await house.client();
  const told = await client.ask(query("SELECT town, COUNT(*) AS n FROM people GROUP BY town"));
  const cells = told.filter(({ kind }) => kind === "D").flatMap((row) => rowOf(row));
  expect(cells).toHaveLength(16);
  expect(Buffer.concat(told.map(({ body }) => body)).toString()).not.toContain(secretValue);
});
