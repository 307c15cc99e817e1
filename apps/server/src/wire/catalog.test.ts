import { afterEach, expect, it } from "vitest";
import { fieldsOf, query, type RawClient, rowOf } from "./testing/raw-client.ts";
import { openWireHouse, type WireHouse } from "./testing/wire-house.ts";

let house: WireHouse | null = null;
afterEach(async () => {
  await house?.close();
  house = null;
});

/** The rows of an answer, as text. */
async function rowsOf(client: RawClient, sql: string): Promise<readonly (readonly (string | null)[])[]> {
  const told = await client.ask(query(sql));
  return told
    .filter(({ kind }) => kind === "D")
    .map((each) => rowOf(each).map((cell) => cell && String(cell)));
}

it("remembers a person's queries for that person alone", async () => {
  house = await openWireHouse();
  const [ada, bob] = [await house.client("analyst"), await house.client("bob")];
  const own = "SELECT 'ada'::regrole, current_user";
  expect(await rowsOf(ada, own)).toEqual([["ada", "ada"]]);
  // The number of the name stands in what was read, and bob is told that nobody has it.
  const [refused] = await bob.ask(query(own));
  expect(fieldsOf(refused)).toMatchObject({ S: "ERROR", M: 'role "ada" does not exist' });
  expect(await rowsOf(await house.client("analyst", { database: "elsewhere" }), own)).toEqual([
    ["ada", "ada"],
  ]);
});

it("tells each of two connections of one person its own name and number", async () => {
  house = await openWireHouse();
  const sql = "SELECT current_database(), pg_backend_pid(), current_setting('application_name')";
  const rows: (readonly unknown[])[] = [];
  for (const name of ["one", "two", "one"]) {
    const client = await house.client("analyst", { database: name, application_name: `of ${name}` });
    rows.push(...(await rowsOf(client, sql)));
  }
  expect(rows.map(([database, , application]) => [database, application])).toEqual(
    ["one", "two", "one"].map((name) => [name, `of ${name}`]),
  );
  expect(new Set(rows.map(([, process]) => process)).size).toBe(3);
});

it("shows of people and connections the asker's own alone", async () => {
  house = await openWireHouse();
  const [ada, bob] = [await house.client("analyst"), await house.client("bob")];
  const views = ["pg_roles", "pg_stat_activity", "pg_stat_ssl", "pg_locks", "pg_cursors", "pg_settings"];
  for (const [client, other] of [
    [ada, "bob"],
    [bob, "ada"],
  ] as const)
    for (const view of views) {
      const told = await client.ask(query(`SELECT * FROM ${view}`));
      expect(told.map(({ body }) => body.toString("latin1")).join(" ")).not.toContain(other);
    }
  const activity = "SELECT usename, pid = pg_backend_pid() FROM pg_stat_activity WHERE usename IS NOT NULL";
  for (const row of await rowsOf(ada, activity)) expect(row).toEqual(["ada", "t"]);
});
