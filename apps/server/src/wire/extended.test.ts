import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { password } from "../testing/app-house.ts";
import {
  bind,
  describeOf,
  execute,
  fieldsOf,
  frame,
  kindsOf,
  parse,
  query,
  type RawClient,
  rowOf,
  sync,
  text,
} from "./testing/raw-client.ts";
import { openWireHouse, type WireHouse } from "./testing/wire-house.ts";

const byTown = "SELECT town, COUNT(*) AS n FROM people WHERE age > $1 GROUP BY town ORDER BY town";

let house: WireHouse;
let ada: RawClient;
beforeAll(async () => {
  house = await openWireHouse();
  ada = await house.client();
});
afterAll(() => house?.close());

const where = () => ({ host: "127.0.0.1", port: house.port, user: "ada", password });

const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
const rowsOf = (told: Awaited<ReturnType<RawClient["ask"]>>) =>
  told.filter(({ kind }) => kind === "D").map((row) => rowOf(row));

describe("a prepared question", () => {
  it("is described before it has values, and costs nothing until it is executed", async () => {
    const before = house.order.filter((kind) => kind === "asked").length;
    const told = await ada.ask(parse("q", byTown), describeOf("S", "q"), sync);
    expect(kindsOf(told)).toBe("1tTZ");
    const [, parameters, columns] = told;
    expect(parameters?.body.readInt16BE()).toBe(1);
    expect(parameters?.body.readInt32BE(2)).toBe(701);
    expect(columns?.body.readInt16BE()).toBe(4);
    expect(house.order.filter((kind) => kind === "asked").length).toBe(before);
  });

  it("has the same answer whichever way its value and its cells are written", async () => {
    const asText = await ada.ask(bind("", "q", ["30"]), describeOf("P", ""), execute(""), sync);
    expect(kindsOf(asText)).toMatch(/^2TN+DDDDCZ$/);
    const asBytes = await ada.ask(
      bind("", "q", [double(30)], { given: true, binary: true }),
      describeOf("P", ""),
      execute(""),
      sync,
    );
    expect(fieldsOf(asBytes.find(({ kind }) => kind === "N")).M).toMatch(/^charged nothing/);
    const written = rowsOf(asText).map((row) => row.map((cell) => cell?.toString()));
    const inBytes = rowsOf(asBytes).map(([town, ...numbers]) => [
      town?.toString(),
      ...numbers.map((number) => String(number?.readDoubleBE())),
    ]);
    expect(inBytes).toEqual(written);
  });

  it("gives its rows in parts where the client asks for so many", async () => {
    const told = await ada.ask(
      query("BEGIN"),
      ...[bind("p", "q", ["30"]), execute("p", 3), execute("p", 3), execute("p", 3), sync],
    );
    expect(kindsOf(told)).toBe("CZ");
    expect(kindsOf(await ada.until("Z"))).toMatch(/^2N+DDDsDCCZ$/);
    await ada.ask(query("COMMIT"));
    const [refused] = await ada.ask(execute("p"), sync);
    expect(fieldsOf(refused)).toMatchObject({ C: "22023", R: "query.option" });
  });

  it("is passed over after an error, up to Sync", async () => {
    const told = await ada.ask(
      parse("", "SELECT COUNT(*) FROM persons"),
      ...[describeOf("S", ""), bind("", ""), execute(""), parse("x", "SELECT 1"), sync],
    );
    expect(kindsOf(told)).toBe("1EZ");
    expect(fieldsOf(told[1])).toMatchObject({ C: "42P01", P: "22" });
    const [unknown] = await ada.ask(bind("", "x"), sync);
    expect(fieldsOf(unknown).M).toContain("no prepared statement");
  });

  it("fails a block, and is refused in one that failed", async () => {
    await ada.ask(query("BEGIN"));
    expect(
      kindsOf(await ada.ask(parse("", "SELECT COUNT(*) FROM persons"), bind("", ""), execute(""), sync)),
    ).toBe("12EZ");
    const [refused, ready] = await ada.ask(parse("", "SELECT 1"), sync);
    expect([fieldsOf(refused).C, ready?.body.toString()]).toEqual(["25P02", "E"]);
    const ended = await ada.ask(parse("", "ROLLBACK"), bind("", ""), execute(""), sync);
    expect([kindsOf(ended), ended.at(-1)?.body.toString()]).toEqual(["12CZ", "I"]);
  });

  it("may be nothing, a word of the connection, or what asks the policy alone", async () => {
    expect(kindsOf(await ada.ask(parse("", ""), describeOf("S", ""), bind("", ""), execute(""), sync))).toBe(
      "1tn2IZ",
    );
    expect(
      kindsOf(
        await ada.ask(parse("", "SHOW search_path"), bind("", ""), describeOf("P", ""), execute(""), sync),
      ),
    ).toBe("12TDCZ");
    const tables = "SELECT table_name FROM information_schema.tables WHERE table_name = $1";
    const told = await ada.ask(
      parse("", tables),
      ...[describeOf("S", ""), bind("", "", ["people"]), execute(""), sync],
    );
    expect(kindsOf(told)).toBe("1tT2DCZ");
    expect(rowsOf(told)[0]?.[0]?.toString()).toBe("people");
  });

  it("may be a cursor that was declared, by the name of its portal", async () => {
    await ada.ask(query("BEGIN; DECLARE c CURSOR FOR SELECT town, COUNT(*) AS n FROM people GROUP BY town"));
    const told = await ada.ask(
      describeOf("P", "c"),
      parse("", "FETCH 3 FROM c"),
      bind("", ""),
      execute(""),
      sync,
    );
    expect(kindsOf(told)).toBe("T12DDDCZ");
    expect(kindsOf(await ada.ask(execute("c"), frame("C", Buffer.from("P"), text("c")), sync))).toBe("DC3Z");
    expect(fieldsOf((await ada.ask(describeOf("P", "c"), sync))[0]).R).toBe("query.option");
    await ada.ask(query("ROLLBACK"));
  });

  it("is closed, and a name serves for another", async () => {
    const close = frame("C", Buffer.from("S"), text("q"));
    expect(kindsOf(await ada.ask(parse("q", "SELECT 1"), sync))).toBe("EZ");
    expect(kindsOf(await ada.ask(close, close, parse("q", "SELECT 1"), sync))).toBe("331Z");
    await ada.ask(query("DEALLOCATE ALL"));
    expect(kindsOf(await ada.ask(parse("q", "SELECT 1"), sync))).toBe("1Z");
  });

  it("holds no more statements than a connection may", async () => {
    const client = await house.client();
    const many = Array.from({ length: 301 }, (_, at) => parse(`s${at}`, "SELECT 1"));
    const told = await client.ask(...many, sync);
    expect(kindsOf(told)).toBe(`${"1".repeat(300)}EZ`);
    expect(fieldsOf(told.at(-2)).C).toBe("54000");
  });

  it("holds names, types and values of a bounded size, and takes more once they are closed", async () => {
    const client = await house.client();
    const names = Array.from({ length: 40 }, (_, at) => parse(`${at}${"n".repeat(60_000)}`, "SELECT 1"));
    expect(kindsOf(await client.ask(...names, sync))).toBe(`${"1".repeat(33)}EZ`);
    await client.ask(query("DEALLOCATE ALL"));
    const types = Array.from({ length: 10_000 }, () => 25);
    const typed = Array.from({ length: 30 }, (_, at) => parse(`s${at}`, "SELECT 1", types));
    expect(kindsOf(await client.ask(...typed, sync))).toBe(`${"1".repeat(24)}EZ`);
    await client.ask(query("DEALLOCATE ALL; BEGIN"));
    const bound = Array.from({ length: 40 }, (_, at) => bind(`p${at}`, "v", ["v".repeat(60_000)]));
    const told = await client.ask(parse("v", "SELECT 1", [25]), ...bound, sync);
    expect(kindsOf(told)).toBe(`1${"2".repeat(33)}EZ`);
    expect(fieldsOf(told.at(-2))).toMatchObject({ C: "54000", R: "query.too-large" });
    await client.ask(query("ROLLBACK"));
    expect(kindsOf(await client.ask(bind("p", "v", ["v".repeat(60_000)]), sync))).toBe("2Z");
    await client.ask(query("BEGIN"));
    expect(fieldsOf((await client.ask(query(`SAVEPOINT ${"s".repeat(1_001)}`)))[0]).C).toBe("54000");
  });

  it.each([
    ["no number", "x"],
    ["not finite", "NaN"],
    ["beyond 2^53", "9007199254740993"],
  ])("is refused for a value that is %s, which is not repeated", async (_, value) => {
    const told = await ada.ask(parse("", byTown), bind("", "", [value]), sync);
    const fields = fieldsOf(told.find(({ kind }) => kind === "E"));
    expect(fields).toMatchObject({ C: "42P02", R: "query.parameter" });
    expect(`${fields.M} ${fields.H}`).not.toContain(value);
  });

  it("refuses a function by number, and answers a copy that nobody began by closing", async () => {
    const client = await house.client();
    expect(fieldsOf((await client.ask(frame("F"), sync))[0]).C).toBe("0A000");
    client.send(frame("d", text("x")));
    expect(fieldsOf(await client.next().then((told) => told ?? undefined))).toMatchObject({
      S: "FATAL",
      C: "08P01",
    });
    expect(await client.next()).toBeNull();
  });
});

describe("the client pg", () => {
  it("prepares by name, and gives values as numbers and as texts", async () => {
    const client = new pg.Client(where());
    await client.connect();
    const sql = "SELECT COUNT(*) AS n FROM people WHERE age > $1 AND town = $2";
    const first = await client.query({ name: "two", text: sql, values: [30, "south"] });
    const second = await client.query({ name: "two", text: sql, values: ["30", "south"] });
    expect(second.rows).toEqual(first.rows);
    await client.end();
  });
});
