import { postgresTypes } from "@lethe/query";
import type { PoolClient } from "pg";
import { describe, expect, it } from "vitest";
import { checkSchema } from "./check-schema.ts";
import { policyOfPeople } from "./testing/asked-server.ts";

/** A server whose catalog has one relation with these columns, and nothing against it. */
function clientOf(columns: Readonly<Record<string, string>>, found: readonly object[]): PoolClient {
  const types = Object.entries(columns).map(([name, type]) => ({ name, type }));
  const query = async (sql: string): Promise<{ rows: readonly object[] }> => {
    if (sql.includes("has_schema_privilege")) return { rows: found };
    return { rows: sql.includes("has_column_privilege") ? types : [] };
  };
  return { query } as unknown as PoolClient;
}

const policyOf = (columns: string) => policyOfPeople(`unit: row, columns: { ${columns} }`).tables.people!;

function told(
  columns: Readonly<Record<string, string>>,
  declared: string,
  found: readonly object[] = [{ id: "7", readable: true }],
): Promise<unknown> {
  const client = clientOf(columns, found);
  return checkSchema(client, "people", policyOf(declared), ["hr", "staff"]).catch((error: unknown) => error);
}

const numbers = ["float4", "float8", "int2", "int4", "int8", "decimal", "numeric", "bool"];
const texts = ["text", "varchar", "bpchar", "citext", "name", "enum"];
const times = ["date", "timestamp", "timestamptz"];
const others = ["char", "uuid", "time", "timetz", "inet", "cidr", "macaddr"];
const readable = [...numbers, ...texts, ...times, ...others];
const exact = readable.filter((type) => !type.startsWith("float"));
const accepted = {
  number: [...numbers, ...texts],
  integer: [...numbers, ...texts],
  date: [...times, ...texts],
  timestamp: [...times, ...texts],
  text: exact,
  boolean: exact,
};

describe("a column of a relation", () => {
  it("is of one of the types that can be read", () => {
    expect([...postgresTypes].sort()).toEqual([...readable].sort());
  });

  it.each(Object.entries(accepted))(
    "that is declared as %s is accepted of these types alone",
    async (declared, those) => {
      for (const type of [...readable, "json", "bytea", "_int4", "money", "interval", "unreadable"]) {
        const answer = await told({ c: type }, `c: { type: ${declared} }`);
        if (those.includes(type)) expect(answer, type).toEqual({ c: type });
        else
          expect(answer, type).toMatchObject({
            code: "engine.schema",
            message: "column c of people has a type that cannot be read as the policy declares it",
            fields: { table: "people", column: "c" },
          });
      }
    },
  );

  it("that the relation lacks is named, and no other is", async () => {
    const answer = await told({ A: "text", hidden: "text" }, "a: { type: text }");
    expect(answer).toMatchObject({
      code: "engine.schema",
      message: "the relation of people has no column a",
      fields: { table: "people", column: "a" },
    });
    expect(JSON.stringify(answer)).not.toContain("hidden");
  });

  it("that the policy does not read has no type among those that are told", async () => {
    const answer = await told({ a: "int4", b: "uuid", c: "json" }, "b: { type: text }, a: { type: number }");
    expect(answer).toEqual({ a: "int4", b: "uuid" });
  });
});

it.each([
  ["is not there", []],
  ["may not be read", [{ id: "7", readable: false }]],
])("a relation that %s is refused by its full name, with what grants it", async (_, found) => {
  expect(await told({ a: "text" }, "a: { type: text }", found)).toMatchObject({
    code: "engine.source",
    message: "the database has no relation for people that can be read",
    fix: "state relation: schema.table in the policy, capitals included, and GRANT SELECT ON hr.staff to the role",
    fields: { table: "people", relation: "hr.staff" },
  });
});
