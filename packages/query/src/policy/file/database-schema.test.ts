import { describe, expect, test } from "vitest";
import { refusalOf } from "../../testing/refusal-of.ts";
import type { Policy } from "../policy.ts";
import { readPolicy } from "./read-policy.ts";

const read = (table: string, database = "database: { kind: postgres }"): Policy =>
  readPolicy(`version: 1
privacy_unit: { name: person, adjacency: add-or-remove-one }
budget: { measure: pure, epsilon: 5 }
${database}
tables:
  t: { ${table} unit: row, columns: { age: { type: integer } } }`);

const refused = async (
  table: string,
  database?: string,
): Promise<readonly [message: string, fix: string]> => {
  const { code, message, fix } = await refusalOf((async () => read(table, database))());
  expect(code).toBe("policy.invalid");
  return [message, fix];
};

describe("a policy over a server", () => {
  test("names the variable that holds the URL, or leaves it to libpq's own", () => {
    expect(read("").database).toEqual({ kind: "postgres", urlVariable: null });
    expect(read("file: a.csv,", "").database).toBeNull();
    for (const name of ["_", "LETHE_DATABASE_URL", "a9", `A${"b".repeat(62)}`])
      expect(read("", `database: { kind: postgres, url_env: ${name} }`).database).toEqual({
        kind: "postgres",
        urlVariable: name,
      });
  });

  test.each(['""', "9A", '"A-B"', '"postgres://u:p@h/d"', `A${"b".repeat(63)}`, '"A "'])(
    "takes %s for no name of a variable",
    async (name) => {
      const [message, fix] = await refused("", `database: { kind: postgres, url_env: ${name} }`);
      expect(message).toContain("database.url_env: is not the name of an environment variable");
      expect(fix).toContain("the URL itself stays out of the policy");
    },
  );

  test("reads no other kind of server, and no name that is a number", async () => {
    const [kind, fix] = await refused("", "database: { kind: mysql }");
    expect(kind).toContain("database.kind: is not a database that Lethe reads");
    expect(fix).toBe("write kind: postgres, or kind: trino");
    const [name] = await refused("", "database: { kind: postgres, url_env: 5 }");
    expect(name).toContain("database.url_env: must be a name");
  });

  test("over Trino names a variable, and relations by up to three names", async () => {
    const trino = "database: { kind: trino, url_env: LETHE_TRINO_URL }";
    expect(read("", trino).database).toEqual({ kind: "trino", urlVariable: "LETHE_TRINO_URL" });
    for (const relation of ["r", "s.r", "c.s.r"])
      expect(read(`relation: ${relation},`, trino).tables.t!.relation).toBe(relation);
    const [name, fix] = await refused("relation: c.s.r.x,", trino);
    expect(name).toContain("tables.t.relation: is not the name of a relation");
    expect(fix).toBe("write relation: catalog.schema.table");
    const [variable] = await refused("", "database: { kind: trino }");
    expect(variable).toContain("database: names no variable for the URL of Trino");
  });

  test("keeps no table in a file", async () => {
    const [message, fix] = await refused("file: a.csv,");
    expect(message).toContain("tables.t.file: cannot stand in a policy whose tables lie in a database");
    expect(fix).toBe("remove it, or keep files in a policy of their own");
  });

  test.each(["r", "s.r", `${"s".repeat(63)}.${"r".repeat(63)}`, `${"é".repeat(31)}x`])(
    "reads the relation %s",
    (relation) => {
      expect(read(`relation: ${relation},`).tables.t!.relation).toBe(relation);
    },
  );

  test.each(["a.s.r", '".r"', '"s."', "s..r", `s.${"r".repeat(64)}`, `${"s".repeat(64)}.r`, "é".repeat(32)])(
    "reads no relation %s, which the server would cut or take apart in another way",
    async (relation) => {
      const [message, fix] = await refused(`relation: ${relation},`);
      expect(message).toContain("tables.t.relation: is not the name of a relation");
      expect(fix).toBe("write relation: schema.table");
    },
  );
});

test("a table that lies nowhere is refused where it stands", async () => {
  const [message, fix] = await refused("", "");
  expect(message).toContain("tables.t: names no file");
  expect(fix).toBe("write file: with a .csv, .parquet or .duckdb file, or name the policy's database");
});
